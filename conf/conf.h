/*
 * conf - the options: one table, from which they are read, checked, printed
 * and documented.
 */
#ifndef TERRARIUM_CONF_H
#define TERRARIUM_CONF_H

#include <stdio.h>

#include "sandbox/base/limits.h"
#include "sandbox/base/log.h"

#define CONF_TEXT_MAX (64 * 1024) /* longest configuration file, bytes */
#define CONF_ERROR_MAX 512

/* How much a wall that this host may lack is wanted. */
enum conf_want { CONF_REQUIRE, CONF_OPTIONAL, CONF_OFF };

struct conf {
	/* [server] */
	char *socket;
	char *status_socket;
	unsigned socket_mode;
	char *socket_group;
	unsigned backlog;
	char *pid_file;
	char *cache_dir;
	char *artifacts_dir;
	unsigned artifacts_keep;
	unsigned body_mb;
	unsigned header_timeout_ms;
	unsigned send_timeout_ms;
	/* [pool] */
	unsigned workers;
	unsigned armed;
	unsigned client_percent;
	unsigned client_waiting;
	unsigned generation_age_s;
	unsigned generation_forks;
	bool standby;
	unsigned start_stall_s;
	unsigned stop_timeout_s;
	/* [sessions] */
	struct conf_sessions {
		unsigned max; /* 0: there are none */
		unsigned per_client;
		unsigned idle_s;
		unsigned waiting;
		unsigned branches;
		bool snapshots;
	} sessions;
	/* [limits] */
	struct limits limits;
	/* [guest] */
	char *preload;
	char *python_path;
	char *skeleton;
	bool freeze;
	/* [walls] */
	enum conf_want cgroups;
	enum conf_want landlock;
	char *cgroup_name;
	unsigned memory_percent;
	unsigned uid_base;
	/* [log] */
	enum log_level log_level;
};

#define CONF_GENERATIONS_MAX 3

/* Generations that may live at a time, each with slots, control groups and
 * user ids for all workers: one that ends its requests, one that serves, and
 * with pool.standby one that stands by. */
unsigned conf_generations(const struct conf *conf);

/* Fill CONF with the defaults. Returns 0 or -ENOMEM. */
int conf_defaults(struct conf *conf);

/*
 * Read TEXT (SIZE bytes of a configuration file called NAME in messages) over
 * the defaults. Returns 0, or a negative errno value with a sentence in ERROR
 * that names the file, the line, the option and what it may be. CONF must
 * be released by conf_free() either way.
 */
int conf_parse(struct conf *conf, const char *name, const char *text,
	       size_t size, char error[CONF_ERROR_MAX]);

void conf_free(struct conf *conf);

/* Print all options with their sentences, ranges and CONF's values, as a
 * configuration file that conf_parse() reads back. */
void conf_print(const struct conf *conf, FILE *out);

#endif
