/*
 * main - terrariumd's command line.
 */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "conf/conf.h"
#include "conf/manual.h"
#include "sandbox/walls/syscalls.h"
#include "fcgi/host/check.h"
#include "fcgi/shared/generation.h"
#include "master.h"
#include "reload.h"
#include "upgrade.h"
#include "status_pages.h"
#include "fcgi/pool/pool.h"

#ifndef TERRARIUM_VERSION
#define TERRARIUM_VERSION "0"
#endif

#define MAIN_CONF "/etc/terrarium/terrarium.conf"

static int main_serve(const char *path, const char *pool)
{
	log_open();
	return master_main(path, pool);
}

static int main_print_config(const char *path, const char *pool)
{
	struct conf conf;

	(void)path;
	(void)pool;
	if (conf_defaults(&conf) < 0)
		die("out of memory");
	conf_print(&conf, stdout);
	conf_free(&conf);
	return 0;
}

static int main_print_manual(const char *path, const char *pool)
{
	(void)path;
	(void)pool;
	manual_print(TERRARIUM_VERSION, stdout);
	return 0;
}

static int main_print_filter(const char *path, const char *pool)
{
	(void)path;
	(void)pool;
	int rc = 0;

	for (int role = 0; role < SYSCALLS_ROLES && rc == 0; role++)
		rc = syscalls_print((enum syscalls_role)role, stdout);
	return rc < 0;
}

static int main_print_openapi(const char *path, const char *pool)
{
	struct text text = {0};

	(void)path;
	(void)pool;
	if (status_pages_describe(&text) < 0)
		die("the description of the API cannot be made");
	fwrite(text.data, 1, text.size, stdout);
	text_free(&text);
	return fflush(stdout) != 0;
}

static int main_version(const char *path, const char *pool)
{
	(void)path;
	(void)pool;
	puts("terrariumd " TERRARIUM_VERSION);
	return 0;
}

static int main_help(const char *path, const char *pool);

/* To add an option, add a row. */
static const struct main_row {
	char letter;
	const char *name;
	int (*act)(const char *path, const char *pool); /* NULL: takes the file's name */
	const char *sentence;
} main_rows[] = {
	{'c', "config", NULL, "use this configuration file (" MAIN_CONF ")"},
	{'P', "pool", NULL,
	 "serve the section [pool NAME] of the configuration file"},
	{'t', "test", check_main, "check the configuration and the host"},
	{'r', "reload", reload_main,
	 "make the running server reload, and wait for it"},
	{'u', "upgrade", reload_upgrade_main,
	 "make the running server execute the program on disk, and wait"},
	{'T', "try-upgrade", upgrade_trial_main,
	 "used by the running server before an upgrade"},
	{'p', "print-config", main_print_config, "print all options"},
	{'m', "print-manual", main_print_manual,
	 "print the manual page terrarium.conf(5)"},
	{'f', "print-filter", main_print_filter,
	 "print which system calls a guest may make"},
	{'o', "print-openapi", main_print_openapi,
	 "print the description of the API (/openapi.json)"},
	{'v', "version", main_version, "print the version"},
	{'h', "help", main_help, "print this"},
};

static int main_help(const char *path, const char *pool)
{
	(void)path;
	(void)pool;
	puts("usage: terrariumd [-c FILE] [-P NAME] [OPTION]\n\n"
	     "Serve untrusted Python behind a web server, until stopped.\n");
	for (size_t i = 0; i < ARRAY_LEN(main_rows); i++)
		printf("  -%c, --%-13s %s\n", main_rows[i].letter,
		       main_rows[i].name, main_rows[i].sentence);
	puts("\nSignals: TERM, INT stop now; QUIT stops when running requests "
	     "are done;\nHUP reloads; USR2 upgrades; USR1 reopens logs.");
	return 0;
}

static const struct main_row *main_find(int letter)
{
	for (size_t i = 0; i < ARRAY_LEN(main_rows); i++)
		if (main_rows[i].letter == letter)
			return &main_rows[i];
	return NULL;
}

int main(int argc, char **argv)
{
	struct option options[ARRAY_LEN(main_rows) + 1] = {{0}};
	int (*act)(const char *path, const char *pool) = main_serve;
	const char *path = MAIN_CONF, *pool = "";
	int letter;

	if (argc == 1 && strcmp(argv[0], GENERATION_ARGV0) == 0) {
		log_open();
		unsetenv(LOG_STREAM); /* programs see the others */
		pool_main();
	}
	for (size_t i = 0; i < ARRAY_LEN(main_rows); i++)
		options[i] = (struct option){
			.name = main_rows[i].name,
			.has_arg = main_rows[i].act ? no_argument
						    : required_argument,
			.val = main_rows[i].letter};
	while ((letter = getopt_long(argc, argv, "c:P:truTpmfovh", options,
				     NULL)) !=
	       -1) {
		const struct main_row *row = main_find(letter);

		if (!row)
			return 2;
		if (row->act)
			act = row->act;
		else if (letter == 'P')
			pool = optarg;
		else
			path = optarg;
	}
	if (optind < argc) {
		fprintf(stderr, "terrariumd: %s: not an option; see --help\n",
			argv[optind]);
		return 2;
	}
	return act(path, pool);
}
