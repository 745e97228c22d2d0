/*
 * log - log lines to standard error, from any process.
 *
 * A line is "<N>terrarium ROLE[PID]: TEXT", of at most LOG_LINE_MAX bytes.
 * journald reads the <N>. After log_open() lines for other readers begin with
 * "TIME LEVEL " instead. One write(2) writes a line, so that lines of several
 * processes do not mix. Control bytes are replaced, so that no text can forge a
 * line. Nevertheless a line should hold no text of a client or a guest.
 */
#ifndef TERRARIUM_LOG_H
#define TERRARIUM_LOG_H

#include "base.h"

/* The device and inode of a reader that adds times: systemd.exec(5). */
#define LOG_STREAM "JOURNAL_STREAM"
#define LOG_LINE_MAX 1024

enum log_level { LOG_LEVEL_ERROR, LOG_LEVEL_WARN, LOG_LEVEL_INFO,
		 LOG_LEVEL_DEBUG, LOG_LEVELS };

/* The names of the levels, in their order, for the option table. */
extern const char *const log_level_names[LOG_LEVELS + 1];

/* Drop lines above LEVEL, in this process and its later children. The default
 * is INFO. */
void log_set_level(enum log_level level);

/* Set the process's role in its lines. ROLE is a string literal: "master",
 * "pool", "worker" and so on. */
void log_set_role(const char *role);

/* Find out where standard error leads, for this process and its later children.
 * A pipe or socket without room no longer blocks: the line is dropped and
 * counted. */
void log_open(void);

/* Lines that this process could not write since the last call. */
uint64_t log_take_dropped(void);

#define LOG_TIME_SIZE 28

/* The present time as "2026-01-31T23:59:59.999999Z", NUL terminated. */
void log_time(char out[LOG_TIME_SIZE]);

#define LOG_RECORD_MAX 2048

/* Write the SIZE bytes of LINE, which has no line end, as one line of LEVEL. It
 * has no role; journald still gets its level. A line longer than LOG_RECORD_MAX
 * is not written. */
void log_record(enum log_level level, const char *line, size_t size);

/* Write lines to FD, which stays the caller's. The default is 2. */
void log_set_fd(int fd);

/* Write this process's errors to FD as well; -1: no longer. */
void log_set_errors_fd(int fd);

/* Write a line. errno stays as it is. */
void log_write(enum log_level level, const char *fmt, ...) PRINTF_LIKE(2, 3);

#define log_error(...) log_write(LOG_LEVEL_ERROR, __VA_ARGS__)
#define log_warn(...) log_write(LOG_LEVEL_WARN, __VA_ARGS__)
#define log_info(...) log_write(LOG_LEVEL_INFO, __VA_ARGS__)
#define log_debug(...) log_write(LOG_LEVEL_DEBUG, __VA_ARGS__)

/* The text of a negative errno value, such as "Permission denied". */
const char *log_errno(int err);

/* Log an error and exit with status 1; for the start only. */
void die(const char *fmt, ...) PRINTF_LIKE(1, 2) NORETURN;

#endif
