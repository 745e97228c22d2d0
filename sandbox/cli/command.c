/* command - see command.h. */
#include "command.h"

#include <fcntl.h>
#include <stdarg.h>
#include <string.h>

#include "sandbox/base/io.h"

int command_failed(const char *fmt, ...)
{
	va_list args;

	fputs("terrarium: ", stderr);
	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
	fputc('\n', stderr);
	return COMMAND_FAILED;
}

static int command_read_conf(const char *path, struct conf *conf)
{
	char error[CONF_ERROR_MAX];
	struct bytes text;
	int rc = io_read_file(AT_FDCWD, path, CONF_TEXT_MAX, &text);

	if (rc < 0)
		return command_failed("%s: %s", path, log_errno(rc));
	rc = conf_parse(conf, path, text.data, text.size, error);
	free(text.data);
	return rc < 0 ? command_failed("%s", error) : 0;
}

int command_conf(const struct command *command, unsigned timeout_ms,
		 bool once, struct conf *conf)
{
	long cores = sysconf(_SC_NPROCESSORS_ONLN);
	int rc = 0;

	if (command->config)
		rc = command_read_conf(command->config, conf);
	else if (conf_defaults(conf) < 0)
		rc = command_failed("out of memory");
	if (rc != 0)
		return rc;
	conf->limits.timeout_ms =
		command->timeout_s ? command->timeout_s * 1000
		: timeout_ms	   ? timeout_ms : conf->limits.timeout_ms;
	if (command->memory_mb)
		conf->limits.memory_mb = command->memory_mb;
	conf->limits.cpu_percent = 100 * (cores > 0 ? (unsigned)cores : 1);
	if (conf->log_level > LOG_LEVEL_WARN)
		conf->log_level = LOG_LEVEL_WARN;
	if (!once)
		return 0;
	*conf->preload = '\0';
	conf->freeze = false;
	return 0;
}
