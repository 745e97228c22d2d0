/*
 * log - one line a fact, to standard error, by any process.
 *
 * A line is "<N>terrarium ROLE[PID]: sentence" (journald reads the <N>), at
 * most LOG_LINE_MAX bytes, written with one write(2), so that lines of
 * several processes never mix. Control bytes are escaped: nobody can forge a
 * line. No text of a client or a guest belongs here all the same.
 */
#ifndef TERRARIUM_LOG_H
#define TERRARIUM_LOG_H

#include "base.h"

#define LOG_LINE_MAX 1024

enum log_level { LOG_LEVEL_ERROR, LOG_LEVEL_WARN, LOG_LEVEL_INFO,
		 LOG_LEVEL_DEBUG, LOG_LEVELS };

/* The names of the levels, in order, for the option table. */
extern const char *const log_level_names[LOG_LEVELS + 1];

/* Lines above LEVEL are dropped from now on, in this process and its
 * children. The default is INFO. */
void log_set_level(enum log_level level);

/* ROLE is a string literal: "master", "pool process", "worker", ... */
void log_set_role(const char *role);

/* Where lines go; the descriptor stays the caller's. Default: 2. */
void log_set_fd(int fd);

void log_write(enum log_level level, const char *fmt, ...) PRINTF_LIKE(2, 3);

#define log_error(...) log_write(LOG_LEVEL_ERROR, __VA_ARGS__)
#define log_warn(...) log_write(LOG_LEVEL_WARN, __VA_ARGS__)
#define log_info(...) log_write(LOG_LEVEL_INFO, __VA_ARGS__)
#define log_debug(...) log_write(LOG_LEVEL_DEBUG, __VA_ARGS__)

/* The words for a negative errno value, as "Permission denied". */
const char *log_errno(int err);

/* Log an error and exit with status 1: start-up only. */
void die(const char *fmt, ...) PRINTF_LIKE(1, 2) NORETURN;

#endif
