/* log - see log.h. */
#include "log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

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
static bool log_timed; /* the reader adds no time of its own */
static uint64_t log_dropped;
static int log_errors_fd = -1;

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

void log_set_errors_fd(int fd)
{
	log_errors_fd = fd;
}

/* ---- the reader ------------------------------------------------------ */

/* Is it journald? systemd.exec(5) has the variable. */
static bool log_is_journal(const struct stat *st)
{
	const char *stream = getenv(LOG_STREAM);
	uintmax_t device, inode;

	return stream && sscanf(stream, "%ju:%ju", &device, &inode) == 2 &&
	       device == (uintmax_t)st->st_dev &&
	       inode == (uintmax_t)st->st_ino;
}

/* Other programs may share the open file of a pipe or a terminal, and must not
 * find it non-blocking. Opened again it is ours alone. A socket cannot be
 * opened again; a service's is its own. */
static void log_do_not_block(const struct stat *st)
{
	const int flags = fcntl(log_fd, F_GETFL);

	if (flags < 0 || (flags & O_NONBLOCK))
		return;
	if (S_ISSOCK(st->st_mode)) {
		fcntl(log_fd, F_SETFL, flags | O_NONBLOCK);
		return;
	}
	if (!S_ISFIFO(st->st_mode) && !S_ISCHR(st->st_mode))
		return;
	owned_fd int fd = open("/proc/self/fd/2", O_WRONLY | O_NONBLOCK |
						  O_NOCTTY | O_CLOEXEC);

	if (fd >= 0)
		dup2(fd, log_fd);
	else if (S_ISFIFO(st->st_mode))
		fcntl(log_fd, F_SETFL, flags | O_NONBLOCK);
}

void log_open(void)
{
	struct stat st;

	if (log_fd != STDERR_FILENO || fstat(log_fd, &st) < 0)
		return;
	log_timed = !log_is_journal(&st);
	log_do_not_block(&st);
}

uint64_t log_take_dropped(void)
{
	const uint64_t dropped = log_dropped;

	log_dropped = 0;
	return dropped;
}

/* gmtime_r(3) would open /etc/localtime, which a worker may not. */
void log_time(char out[LOG_TIME_SIZE])
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	const unsigned of_day = (unsigned)((uint64_t)now.tv_sec % 86400);
	/* Days since 1 March of the year 0: leap days come last in a year, and
	 * 400 years have 146097 days. */
	const unsigned days = (unsigned)((uint64_t)now.tv_sec / 86400) + 719468;
	const unsigned of_era = days % 146097;
	const unsigned year = (of_era - of_era / 1460 + of_era / 36524 -
			       of_era / 146096) / 365;
	const unsigned of_year = of_era - (365 * year + year / 4 - year / 100);
	const unsigned month = (5 * of_year + 2) / 153; /* 0: March */

	snprintf(out, LOG_TIME_SIZE, "%04u-%02u-%02uT%02u:%02u:%02u.%06uZ",
		 (days / 146097 * 400 + year + (month >= 10)) % 10000,
		 (month < 10 ? month + 3 : month - 9) % 100,
		 (of_year - (153 * month + 2) / 5 + 1) % 100, of_day / 3600,
		 of_day / 60 % 60, of_day % 60,
		 (unsigned)((uint64_t)now.tv_nsec / 1000 % 1000000));
}

/* ---- lines ----------------------------------------------------------- */

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

/* There is no place to report that the log cannot be written; it is counted. A
 * stream that took a part of a line has lost the rest. */
static void log_put(const char *line, size_t size)
{
	if (write(log_fd, line, size) != (ssize_t)size)
		log_dropped++;
}

static void log_line(enum log_level level, const char *fmt, va_list args)
{
	char line[LOG_LINE_MAX], time[LOG_TIME_SIZE];
	int head;

	if (log_timed) {
		log_time(time);
		head = snprintf(line, sizeof(line), "%s %s terrarium %s[%d]: ",
				time, log_level_names[level], log_role,
				getpid());
	} else {
		head = snprintf(line, sizeof(line), "<%d>terrarium %s[%d]: ",
				log_syslog_level[level], log_role, getpid());
	}
	size_t used = (size_t)head;
	int body = vsnprintf(line + used, sizeof(line) - used - 1, fmt, args);
	size_t room = sizeof(line) - used - 2;

	if (body < 0)
		return;
	size_t size = (size_t)body < room ? (size_t)body : room;

	log_escape(line + used, size);
	line[used + size] = '\n';
	log_put(line, used + size + 1);
	/* A copy: the log itself has the line. */
	if (level == LOG_LEVEL_ERROR && log_errors_fd >= 0 &&
	    write(log_errors_fd, line, used + size + 1) < 0)
		log_dropped++;
}

void log_record(enum log_level level, const char *line, size_t size)
{
	char out[LOG_RECORD_MAX + 4];
	const int saved = errno;
	const size_t head = log_timed ? 0 : 3;

	if (level > log_threshold || size > LOG_RECORD_MAX)
		return;
	snprintf(out, sizeof(out), "<%d>", log_syslog_level[level]);
	memcpy(out + head, line, size);
	out[head + size] = '\n';
	log_put(out, head + size + 1);
	errno = saved;
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
