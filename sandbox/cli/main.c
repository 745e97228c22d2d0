/*
 * main - terrarium's command line: the sandbox without a server.
 */
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "conf/options.h"
#include "sandbox/solver/solver_job.h"
#include "command.h"
#include "local_pool.h"

#ifndef TERRARIUM_VERSION
#define TERRARIUM_VERSION "0"
#endif

/* The commands that take an option, as a mask. */
enum { FOR_RUN = 1, FOR_JOB = 2, FOR_DAEMON = 4 };

static const struct main_command {
	const char *name;
	unsigned bit;
	const char *target; /* its argument, or NULL */
	int (*act)(const struct command *command);
	const char *sentence;
} main_commands[] = {
	{"run", FOR_RUN, "FILE.py", command_run,
	 "run a program; - is standard input"},
	{"job", FOR_JOB, "DIR", command_job,
	 "run DIR/solver.py, or standard input, on DIR/input.json"},
	{"--daemon", FOR_DAEMON, NULL, command_daemon,
	 "answer JSON lines on standard input"},
};

/* ---- options --------------------------------------------------------- */

static int main_number(const char *name, const char *text, unsigned least,
		       unsigned most, unsigned *out)
{
	size_t digits = strspn(text, "0123456789");

	*out = 0;
	if (digits > 0 && digits < 10 && text[digits] == '\0')
		*out = (unsigned)strtoul(text, NULL, 10);
	if (*out >= least && *out <= most)
		return 0;
	return command_failed("--%s must be %u to %u", name, least, most);
}

static int take_config(struct command *command, const char *value)
{
	command->config = value;
	return 0;
}

static int take_timeout(struct command *command, const char *value)
{
	const struct option_row *row = options_find("limits", "timeout_ms");

	return main_number("timeout", value, 1, row->max / 1000,
			   &command->timeout_s);
}

static int take_memory(struct command *command, const char *value)
{
	const struct option_row *row = options_find("limits", "memory_mb");

	return main_number("memory", value, row->min, row->max,
			   &command->memory_mb);
}

static int take_env(struct command *command, const char *value)
{
	if (*value == '=' || !strchr(value, '='))
		return command_failed("--env wants NAME=VALUE, not %s", value);
	command->env[command->env_count++] = (char *)(uintptr_t)value;
	return 0;
}

static int take_workers(struct command *command, const char *value)
{
	return main_number("workers", value, 1, SOLVER_JOB_WORKERS_MAX,
			   &command->workers);
}

static int take_file(struct command *command, const char *value)
{
	command->files[command->files_count++] = value;
	return 0;
}

static int take_output(struct command *command, const char *value)
{
	command->output = value;
	return 0;
}

static int take_switch(struct command *command, size_t offset)
{
	*(bool *)((char *)command + offset) = true;
	return 0;
}

/* To add an option, add a row. A row without a function sets the field at
 * OFFSET. */
static const struct main_option {
	char letter;
	const char *name;
	const char *value; /* its argument, or NULL */
	unsigned commands;
	int (*take)(struct command *command, const char *value);
	size_t offset;
	const char *sentence;
} main_options[] = {
	{'c', "config", "FILE", FOR_RUN | FOR_JOB | FOR_DAEMON, take_config, 0,
	 "limits, packages and skeleton from terrariumd's configuration"},
	{'t', "timeout", "SECONDS", FOR_RUN | FOR_JOB, take_timeout, 0,
	 "at most this long"},
	{'w', "workers", "N", FOR_JOB, take_workers, 0,
	 "threads of the solver, 1 to 8"},
	{'f', "file", "PATH", FOR_RUN, take_file, 0,
	 "a file or directory for the program; repeatable"},
	{'e', "env", "NAME=VALUE", FOR_RUN, take_env, 0,
	 "a variable of its environment; repeatable"},
	{'m', "memory", "MB", FOR_RUN, take_memory, 0,
	 "at most this much memory"},
	{'i', "stdin", NULL, FOR_RUN, NULL, offsetof(struct command, input),
	 "standard input for the program"},
	{'o', "output", "DIR", FOR_RUN, take_output, 0,
	 "a new directory for files it makes (NAME.out)"},
	{'H', "here", NULL, FOR_RUN, NULL, offsetof(struct command, here),
	 "write files it makes into this directory"},
	{'j', "json", NULL, FOR_RUN, NULL, offsetof(struct command, json),
	 "print one JSON object"},
	{'F', "force", NULL, FOR_RUN, NULL, offsetof(struct command, force),
	 "replace files that are there, write hidden ones"},
	{'q', "quiet", NULL, FOR_RUN | FOR_JOB, NULL,
	 offsetof(struct command, quiet), "show no progress"},
};

static int main_help(void)
{
	puts("usage: terrarium run FILE.py [OPTION]... [--] [ARGUMENT]...\n"
	     "       terrarium job DIR [OPTION]...\n"
	     "       terrarium --daemon [OPTION]...\n\n"
	     "Run untrusted Python in a sandbox, here and now.\n");
	for (size_t i = 0; i < ARRAY_LEN(main_commands); i++)
		printf("  %-10s %-9s %s\n", main_commands[i].name,
		       main_commands[i].target ? main_commands[i].target : "",
		       main_commands[i].sentence);
	puts("");
	for (size_t i = 0; i < ARRAY_LEN(main_options); i++)
		printf("  -%c, --%-8s %-10s %s\n", main_options[i].letter,
		       main_options[i].name,
		       main_options[i].value ? main_options[i].value : "",
		       main_options[i].sentence);
	puts("\nExit status: the program's; 124 when its time was up; 125 when "
	     "terrarium failed.\nterrarium(1) says more.");
	return 0;
}

static int main_take(struct command *command, int letter)
{
	for (size_t i = 0; i < ARRAY_LEN(main_options); i++) {
		const struct main_option *row = &main_options[i];

		if (row->letter == letter)
			return row->take ? row->take(command, optarg)
					 : take_switch(command, row->offset);
	}
	return COMMAND_FAILED; /* getopt_long has printed an error */
}

/* Fill in getopt_long(3)'s tables for one command. */
static void main_table(const struct main_command *which,
		       struct option *known, char *letters)
{
	for (size_t i = 0; i < ARRAY_LEN(main_options); i++) {
		const struct main_option *row = &main_options[i];

		if (!(row->commands & which->bit))
			continue;
		*known++ = (struct option){
			.name = row->name, .val = row->letter,
			.has_arg = row->value ? required_argument
					      : no_argument};
		*letters++ = row->letter;
		if (row->value)
			*letters++ = ':';
	}
}

static int main_act(const struct main_command *which, int argc, char **argv)
{
	struct option known[ARRAY_LEN(main_options) + 1] = {{0}};
	char letters[2 * ARRAY_LEN(main_options) + 1] = "";
	owned_free const char **files = calloc((size_t)argc, sizeof(*files));
	owned_free char **env = calloc((size_t)argc, sizeof(*env));
	struct command command = {.files = files, .env = env};
	int letter, status = 0;

	if (!files || !env)
		return command_failed("out of memory");
	main_table(which, known, letters);
	while (status == 0 && (letter = getopt_long(argc, argv, letters,
						    known, NULL)) != -1)
		status = main_take(&command, letter);
	if (status != 0)
		return status;
	if (which->target && optind < argc)
		command.target = argv[optind++];
	if (which->bit == FOR_RUN) {
		command.args = argv + optind;
		command.args_count = (size_t)(argc - optind);
	} else if (optind < argc)
		return command_failed("%s: not expected; see --help",
				      argv[optind]);
	if (which->target && !command.target)
		return command_failed("%s: %s is missing; see --help",
				      which->name, which->target);
	return which->act(&command);
}

/* Raise the limit on descriptors, because each output file stays open until it
 * is saved. */
static void main_files(void)
{
	struct rlimit files;

	if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
		files.rlim_cur = files.rlim_max;
		setrlimit(RLIMIT_NOFILE, &files);
	}
}

/* Programs call the command code_executor, by a link. */
static bool main_is_executor(const char *name)
{
	const char *slash = strrchr(name, '/');

	return strcmp(slash ? slash + 1 : name, "code_executor") == 0;
}

int main(int argc, char **argv)
{
	if (argc == 1 && strcmp(argv[0], LOCAL_POOL_ARGV0) == 0)
		local_pool_main();
	signal(SIGPIPE, SIG_IGN);
	log_set_role("terrarium");
	main_files();
	if (argc > 1 && (strcmp(argv[1], "--help") == 0 ||
			 strcmp(argv[1], "-h") == 0))
		return main_help();
	if (argc > 1 && (strcmp(argv[1], "--version") == 0 ||
			 strcmp(argv[1], "-v") == 0)) {
		puts("terrarium " TERRARIUM_VERSION);
		return 0;
	}
	if (main_is_executor(argv[0]) &&
	    (argc < 2 || strcmp(argv[1], "--daemon") != 0))
		return command_executor(argc, argv);
	for (size_t i = 0; argc > 1 && i < ARRAY_LEN(main_commands); i++)
		if (strcmp(argv[1], main_commands[i].name) == 0)
			return main_act(&main_commands[i], argc - 1, argv + 1);
	return command_failed("unknown or missing command; see --help");
}
