/*
 * run - `terrarium run FILE.py`: runs a plain program, prints its output and
 * saves its files.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "sandbox/base/io.h"
#include "sandbox/text/fields.h"
#include "sandbox/text/json.h"
#include "sandbox/text/message.h"
#include "command.h"
#include "figures.h"
#include "input.h"
#include "live.h"
#include "progress.h"
#include "save.h"
#include "shown.h"
#include "local_pool.h"

#define SAVE_NAMES_MAX 10000 /* names DIR, DIR.1, ... that are tried */

/* ---- input ----------------------------------------------------------- */

/* Does FD, opened by any name, refer to standard input? */
static bool run_is_input(int fd)
{
	struct stat file, input;

	return fstat(fd, &file) == 0 && fstat(STDIN_FILENO, &input) == 0 &&
	       file.st_dev == input.st_dev && file.st_ino == input.st_ino;
}

static int run_read_program(const struct command *command, size_t most,
			    struct bytes *code)
{
	const char *path = command->target;
	bool piped = strcmp(path, "-") == 0;
	owned_fd int file = piped ? -1 : open(path, O_RDONLY | O_CLOEXEC);
	int rc = piped || file >= 0 ? 0 : -errno;
	int fd = piped ? STDIN_FILENO : file;

	if (rc == 0 && command->input && run_is_input(fd))
		return command_failed("%s: standard input is the program; it "
				      "cannot be the program's input as well, "
				      "so --stdin wants a FILE.py", path);
	if (rc == 0)
		rc = io_read_fd(fd, most, code);
	if (rc < 0)
		return command_failed("%s: %s", path, log_errno(rc));
	if (fields_blank(code))
		return command_failed("%s: there is no program", path);
	return 0;
}

static int run_read_code(const struct command *command, const struct conf *conf,
			 struct job *job)
{
	size_t most = (size_t)conf->body_mb << 20;
	int rc = run_read_program(command, most, &job->code);

	if (rc != 0 || !command->input)
		return rc;
	rc = io_read_fd(STDIN_FILENO, most, &job->input);
	return rc < 0 ? command_failed("standard input: %s", log_errno(rc))
		      : 0;
}

/* The program's name in tracebacks, and sys.argv[0]: that of its file. */
static int run_take_name(const struct command *command, struct job *job)
{
	const char *slash = strrchr(command->target, '/');
	const char *name = slash ? slash + 1 : command->target;
	struct text text = {0};

	if (strcmp(command->target, "-") == 0)
		name = "<stdin>";
	text_add_utf8(&text, name, strlen(name));
	job->name = (struct bytes){text.data, text.size};
	return text.error;
}

static int run_take_args(const struct command *command, struct job *job)
{
	struct text text = {0};

	for (size_t i = 0; i < command->args_count; i++) {
		const char *arg = command->args[i];

		text_add_utf8(&text, arg, strlen(arg));
		text_add(&text, "", 1);
	}
	job->args = (struct bytes){text.data, text.size};
	return text.error;
}

static int run_take_env(const struct command *command, struct job *job)
{
	int rc = 0;

	for (size_t i = 0; i < command->env_count && rc == 0; i++) {
		owned_free char *copy = strdup(command->env[i]);

		rc = copy ? job_add_assignment(job, copy) : -ENOMEM;
		if (rc == 0)
			(void)take_ptr(&copy);
	}
	return rc;
}

static int run_read_job(const struct command *command, const struct conf *conf,
			struct job *job)
{
	int rc = run_read_code(command, conf, job);

	if (rc != 0)
		return rc;
	job->displays = true;
	job->value = command->json ? JOB_VALUE_JSON : JOB_VALUE_REPR;
	rc = run_take_name(command, job);
	if (rc == 0)
		rc = run_take_args(command, job);
	if (rc == 0)
		rc = run_take_env(command, job);
	if (rc < 0)
		return command_failed("out of memory");
	for (size_t i = 0; i < command->files_count && rc == 0; i++)
		rc = input_add(command->files[i], &conf->limits, job);
	return rc;
}

/* ---- output ---------------------------------------------------------- */

static void run_add_name(struct text *text, const char *name)
{
	text_format(text, ",\"%s\":", name);
}

static void run_add_bytes(struct text *text, const char *name,
			  const struct bytes *bytes)
{
	run_add_name(text, name);
	text_add_json(text, bytes->data, bytes->size);
}

static void run_add_error(struct text *text, const struct outcome *outcome,
			  const struct limits *limits)
{
	const char *type = outcome_rows[outcome->verdict].error_type;
	struct text words = {0};

	if (!type)
		type = outcome->error_type ? outcome->error_type : "Exception";
	message_add(&words, outcome, limits);
	run_add_name(text, "error");
	text_add(text, "{\"type\":", 8);
	text_add_json(text, type, strlen(type));
	run_add_bytes(text, "message", &(struct bytes){words.data, words.size});
	text_add(text, "}", 1);
	text_free(&words);
}

static void run_add_files(struct text *text, const struct outcome *outcome)
{
	run_add_name(text, "output_files");
	text_add(text, "[", 1);
	for (size_t i = 0; i < outcome->files_count; i++) {
		const char *name = outcome->files[i].name;

		if (i > 0)
			text_add(text, ",", 1);
		text_add_json(text, name, strlen(name));
	}
	text_add(text, "]", 1);
}

static void run_add_results(struct text *text, const struct outcome *outcome)
{
	if (outcome->displays_count == 0)
		return;
	run_add_name(text, "results");
	for (size_t i = 0; i < outcome->displays_count; i++) {
		text_add(text, i ? "," : "[", 1);
		text_add_line(text, outcome->displays[i].data,
			      outcome->displays[i].size);
	}
	text_add(text, "]", 1);
}

static void run_add_truncated(struct text *text, const struct outcome *outcome)
{
	if (outcome->out.dropped + outcome->err.dropped +
	    outcome->files_dropped + outcome->displays_dropped == 0)
		return;
	run_add_name(text, "truncated");
	text_format(text, "{\"std_out\":%ju,\"std_err\":%ju,"
		    "\"output_files\":%ju,\"results\":%ju}",
		    (uintmax_t)outcome->out.dropped,
		    (uintmax_t)outcome->err.dropped,
		    (uintmax_t)outcome->files_dropped,
		    (uintmax_t)outcome->displays_dropped);
}

/* The names are those of the answer to `POST /`. */
static int run_show_json(const struct outcome *outcome,
			 const struct limits *limits)
{
	struct text text = {0};
	bool success = outcome->verdict == OUTCOME_OK;

	text_format(&text, "{\"success\":%s,\"exit_code\":%d",
		    success ? "true" : "false", outcome->exit_code);
	if (success && outcome->value.size > 0) {
		run_add_name(&text, "final_expression");
		text_add_line(&text, outcome->value.data, outcome->value.size);
	}
	if (!success)
		run_add_error(&text, outcome, limits);
	run_add_bytes(&text, "std_out", &outcome->out.kept);
	run_add_bytes(&text, "std_err", &outcome->err.kept);
	run_add_files(&text, outcome);
	run_add_results(&text, outcome);
	run_add_truncated(&text, outcome);
	text_format(&text, ",\"code_runtime\":%ju}\n",
		    (uintmax_t)outcome->runtime_ms);
	int rc = text.error ? text.error
			    : shown_write(STDOUT_FILENO, text.data,
					  text.size);

	text_free(&text);
	return rc;
}

/* Add the string in the JSON text SPAN as a line. */
static void run_add_line(struct text *text, struct json_span span)
{
	struct bytes line = {0};

	if (json_kind(span) != JSON_STRING)
		return;
	text->error = text->error ? text->error : json_string(span, &line);
	text_add(text, line.data, line.size);
	text_add(text, "\n", 1);
	free(line.data);
}

/* Add the texts that were shown without a picture, then the final value, unless
 * it was the last of them. Figures that were open are shown after it. */
static void run_add_shown(struct text *text, const struct outcome *outcome)
{
	struct json_span value = json_whole(outcome->value.data,
					    outcome->value.size);
	struct json_span span = {0};
	bool told = false;

	for (size_t i = 0; i < outcome->displays_count; i++) {
		const struct bytes *display = &outcome->displays[i];
		struct json_span whole = json_whole(display->data,
						    display->size);

		/* A program can send any JSON as a display. */
		if (json_kind(whole) != JSON_OBJECT ||
		    !json_member(whole, "text/plain", &span))
			continue;
		const bool same = outcome->value.size > 0 &&
				  json_same(span, value);

		if (figures_is_picture(display)) {
			told = told || same;
			continue;
		}
		run_add_line(text, span);
		told = same;
	}
	if (outcome->verdict == OUTCOME_OK && outcome->value.size > 0 && !told)
		run_add_line(text, value);
}

static void run_add_warnings(struct text *text, const struct outcome *outcome)
{
	const char *warning = NULL;

	while ((warning = warnings_next(&outcome->warnings, warning)))
		text_format(text, "terrarium: warning: %s\n", warning);
}

static int run_show_plain(const struct live *live,
			  const struct outcome *outcome,
			  const struct limits *limits)
{
	const struct bytes *out = &outcome->out.kept;
	struct text text = {0}, shown = {0};
	int rc = live->error;

	run_add_shown(&shown, outcome);
	if (rc == 0 && shown.size && out->size &&
	    out->data[out->size - 1] != '\n')
		rc = shown_write(STDOUT_FILENO, "\n", 1);
	if (rc == 0)
		rc = shown.error ? shown.error
				 : shown_write(STDOUT_FILENO, shown.data,
					       shown.size);
	if (outcome->verdict != OUTCOME_OK) {
		message_add(&text, outcome, limits);
		text_add(&text, "\n", 1);
	}
	run_add_warnings(&text, outcome);
	if (rc == 0)
		rc = text.error ? text.error
				: shown_write(STDERR_FILENO, text.data,
					      text.size);
	text_free(&text);
	text_free(&shown);
	return rc;
}

/* Hidden files configure shells, editors and ssh where they are started. */
static bool run_is_hidden(const char *name)
{
	return name[0] == '.' || strstr(name, "/.");
}

static int run_save_output(const struct command *command, int here,
			   const struct outcome_file *file)
{
	char shown[TEXT_SHOW_SIZE];

	text_show(shown, file->name, strlen(file->name));
	if (run_is_hidden(file->name) && !command->force)
		return command_failed("%s is hidden; it is not written "
				      "without --force", shown);
	int rc = save_file(here, file->name, file->fd, file->size,
			   command->force);

	if (rc == -EEXIST)
		return command_failed("%s is there already; it stays as it is "
				      "without --force", shown);
	return rc < 0 ? command_failed("%s: %s", shown, log_errno(rc)) : 0;
}

/* Make the directory's name: DIR as given, or the name of FILE.py. NUMBER is
 * appended unless it is 0. */
static int run_name_output(const struct command *command, unsigned number,
			   char name[PATH_MAX])
{
	const char *slash = strrchr(command->target, '/');
	const char *base = slash ? slash + 1 : command->target;
	size_t size = strlen(base);
	int n;

	if (size > 3 && strcmp(base + size - 3, ".py") == 0)
		size -= 3;
	if (strcmp(command->target, "-") == 0)
		base = "stdin", size = 5;
	if (command->output)
		n = snprintf(name, PATH_MAX, "%s", command->output);
	else
		n = snprintf(name, PATH_MAX, "%.*s.out", (int)size, base);
	if (number > 0 && n > 0 && n < PATH_MAX)
		n += snprintf(name + n, (size_t)(PATH_MAX - n), ".%u", number);
	return n < PATH_MAX ? 0 : -ENAMETOOLONG;
}

/* Open the directory for output files: the present one with --here, else a new
 * one, under a name that nothing has. */
static int run_open_output(const struct command *command)
{
	char name[PATH_MAX] = ".", shown[TEXT_SHOW_SIZE];
	int rc = command->here ? 0 : -EEXIST;

	for (unsigned i = 0; rc == -EEXIST && i < SAVE_NAMES_MAX; i++) {
		rc = run_name_output(command, i, name);
		if (rc == 0 && mkdir(name, 0777) < 0)
			rc = -errno;
	}
	int fd = rc < 0 ? rc : open(name, O_PATH | O_DIRECTORY | O_NOFOLLOW |
						  O_CLOEXEC);

	if (fd == -1)
		fd = -errno;
	if (fd >= 0 && !command->here && !command->quiet)
		fprintf(stderr, "terrarium: files are in %s\n",
			text_show(shown, name, strlen(name)));
	return fd;
}

static void run_report_figure(void *context, const char *name)
{
	const struct command *command = context;

	if (!name)
		fputs("terrarium: a figure is malformed and was left out\n",
		      stderr);
	else if (!command->quiet)
		fprintf(stderr, "terrarium: a figure is in %s\n", name);
}

static int run_save_all(const struct command *command, int here,
			const struct outcome *outcome)
{
	int status = 0;

	for (size_t i = 0; i < outcome->files_count; i++) {
		int saved = run_save_output(command, here, &outcome->files[i]);

		if (saved != 0)
			status = saved;
	}
	int rc = command->json ? 0
			       : figures_save(here, outcome, command->force,
					      run_report_figure,
					      (void *)(uintptr_t)command);

	return rc < 0 ? command_failed("a figure: %s", log_errno(rc)) : status;
}

static int run_save_files(const struct command *command,
			  const struct outcome *outcome)
{
	bool any = outcome->files_count > 0 ||
		   (!command->json && figures_count(outcome) > 0);
	int opened = any ? run_open_output(command) : -1;
	owned_fd int here = opened;
	int status = !any ? 0
		     : here < 0 ? command_failed("a directory for files: %s",
						 log_errno(opened))
				: run_save_all(command, here, outcome);

	if (outcome->files_dropped > 0)
		status = command_failed("%ju files were not kept",
					(uintmax_t)outcome->files_dropped);
	if (outcome->displays_dropped > 0)
		status = command_failed("%ju figures or other displays were "
					"not kept",
					(uintmax_t)outcome->displays_dropped);
	return status;
}

/* Output beyond the limit is lost, so report that to the caller. */
static int run_report_cut(const struct outcome *outcome)
{
	if (outcome->out.dropped + outcome->err.dropped == 0)
		return 0;
	return command_failed("output was cut: %ju bytes of standard output, "
			      "%ju of standard error",
			      (uintmax_t)outcome->out.dropped,
			      (uintmax_t)outcome->err.dropped);
}

static int run_exit_status(const struct outcome *outcome)
{
	if (outcome->verdict == OUTCOME_OK)
		return 0;
	if (outcome->verdict == OUTCOME_TIMEOUT)
		return COMMAND_TIMEOUT;
	if (!outcome_rows[outcome->verdict].started)
		return COMMAND_FAILED;
	return outcome->exit_code ? outcome->exit_code : 1;
}

static int run_show(const struct command *command, const struct conf *conf,
		    const struct live *live, const struct outcome *outcome)
{
	int rc = command->json ? run_show_json(outcome, &conf->limits)
			       : run_show_plain(live, outcome, &conf->limits);

	if (rc < 0)
		return command_failed("write the output: %s", log_errno(rc));
	int status = run_exit_status(outcome), cut = run_report_cut(outcome);
	int saved = run_save_files(command, outcome);

	return status ? status : cut ? cut : saved;
}

/* ---- the command ----------------------------------------------------- */

static void run_tick(void *context)
{
	const struct live *live = context;

	progress_tick(live->progress);
}

static void run_out(void *context, const char *data, size_t size)
{
	live_out(context, data, size);
}

static void run_err(void *context, const char *data, size_t size)
{
	live_err(context, data, size);
}

static int run_in_sandbox(const struct command *command,
			  const struct conf *conf, const struct job *job)
{
	struct progress progress;
	struct live live = {.progress = &progress};
	const struct local_pool_watcher watcher = {
		.tick = run_tick,
		.out = command->json ? NULL : run_out,
		.err = command->json ? NULL : run_err,
		.context = &live};
	struct outcome outcome;
	struct local_pool pool;
	int rc = local_pool_start(&pool, conf);

	if (rc < 0)
		return command_failed("start the sandbox: %s", log_errno(rc));
	progress_begin(&progress, command->target, conf->limits.timeout_ms,
		       command->quiet);
	rc = local_pool_run(&pool, conf, job, &watcher, &outcome);
	if (!command->json)
		live_finish(&live, &outcome);
	progress_end(&progress, outcome_rows[outcome.verdict].name);
	int status = rc < 0 ? command_failed("the sandbox has ended")
			    : run_show(command, conf, &live, &outcome);

	outcome_free(&outcome);
	local_pool_stop(&pool);
	return status;
}

int command_run(const struct command *command)
{
	struct job job = {0};
	struct conf conf = {0};
	int status = command_conf(command, 0, true, &conf);

	if (status == 0)
		status = run_read_job(command, &conf, &job);
	if (status == 0)
		status = run_in_sandbox(command, &conf, &job);
	job_free(&job);
	conf_free(&conf);
	return status;
}
