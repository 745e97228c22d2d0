/* log - see log.h. */
#include "log.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *const log_level_names[LOG_LEVELS + 1] = {
	[LOG_LEVEL_ERROR] = "error",
	[LOG_LEVEL_WARN] = "warn",
	[LOG_LEVEL_INFO] = "info",
	[LOG_LEVEL_DEBUG] = "debug",
};

/* The numbers of the levels in sd-daemon(3). */
static const int log_syslog_level[LOG_LEVELS] = {3, 4, 6, 7};

static enum log_level log_threshold = LOG_LEVEL_INFO;
static const char *log_role = "terrarium";
static int log_fd = STDERR_FILENO;

void log_set_level(enum log_level level)
{
	log_threshold = level;
}

void log_set_role(const char *role)
{
	log_role = role;
}

void log_set_fd(int fd)
{
	log_fd = fd;
}

const char *log_errno(int err)
{
	const char *words = strerrordesc_np(err < 0 ? -err : err);

	return words ? words : "unknown error";
}

/* Replace control bytes, because a line end in the text could forge a line. */
static void log_escape(char *line, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if ((unsigned char)line[i] < 0x20 || line[i] == 0x7f)
			line[i] = '?';
}

static void log_line(enum log_level level, const char *fmt, va_list args)
{
	char line[LOG_LINE_MAX];
	int head = snprintf(line, sizeof(line), "<%d>terrarium %s[%d]: ",
			    log_syslog_level[level], log_role, getpid());
	size_t used = (size_t)head;
	int body = vsnprintf(line + used, sizeof(line) - used - 1, fmt, args);
	size_t room = sizeof(line) - used - 2;

	if (body < 0)
		return;
	size_t size = (size_t)body < room ? (size_t)body : room;

	log_escape(line + used, size);
	line[used + size] = '\n';
	/* There is no place to report that the log cannot be written. */
	ssize_t ignored = write(log_fd, line, used + size + 1);

	(void)ignored;
}

void log_write(enum log_level level, const char *fmt, ...)
{
	va_list args;
	int saved = errno;

	if (level > log_threshold)
		return;
	va_start(args, fmt);
	log_line(level, fmt, args);
	va_end(args);
	errno = saved;
}

void die(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	log_line(LOG_LEVEL_ERROR, fmt, args);
	va_end(args);
	exit(1);
}
