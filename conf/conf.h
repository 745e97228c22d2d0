/*
 * conf - the configuration. One table describes the options; by it they are
 * read, checked, printed and documented.
 */
#ifndef TERRARIUM_CONF_H
#define TERRARIUM_CONF_H

#include <stdio.h>

#include "sandbox/base/job.h"
#include "sandbox/base/limits.h"
#include "sandbox/base/log.h"

#define CONF_TEXT_MAX (64 * 1024) /* longest configuration file, bytes */
#define CONF_ERROR_MAX 512
#define CONF_SESSION_MB 7 /* of a small session, measured */

/* Whether a wall is required that some hosts do not have. */
enum conf_want { CONF_REQUIRE, CONF_OPTIONAL, CONF_OFF };

/* The seed of Python's hashes of texts. */
enum conf_hash_seed { CONF_HASH_SEED_0, CONF_HASH_SEED_RANDOM };

struct conf {
	/* [server] */
	char *socket;
	char *status_socket;
	char *streams_socket;
	char *listen;
	char *allowed_clients;
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
		bool small; /* MAX was "auto": it counts small ones */
		unsigned per_client; /* 0: as many as MAX */
		unsigned idle_s;
		unsigned evict_after_s;
		unsigned waiting;
		unsigned branches;
		bool snapshots;
	} sessions;
	/* [limits] */
	struct limits limits;
	/* [doors] */
	struct conf_doors {
		unsigned code_interpreter_timeout_ms;
	} doors;
	/* [piston] */
	bool piston_strict;
	/* [snekbox] */
	bool snekbox_strict;
	bool snekbox_colors;
	/* [guest] */
	char *preload;
	char *python_path;
	char *skeleton;
	char *home_aliases;
	bool freeze;
	bool layout;
	enum conf_hash_seed hash_seed;
	bool installing;
	/* [walls] */
	enum conf_want cgroups;
	enum conf_want landlock;
	bool jit;
	char *cgroup_name;
	unsigned memory_percent;
	unsigned uid_base;
	/* [log] */
	enum log_level log_level;
	bool access_log;
	unsigned slow_after_ms; /* 0: never */
	char *log_file, *log_syslog; /* empty: standard error */
	bool client_names;
};

#define CONF_GENERATIONS_MAX 3

/* Generations that may live at a time: one that finishes its requests, one that
 * serves, and with pool.standby one that stands by. Each has slots, control
 * groups and user ids for all workers. */
unsigned conf_generations(const struct conf *conf);

/* The longest time, in ms, that a call of a session may run: the pool's limit,
 * or that of a door that has its own. */
unsigned conf_call_ms(const struct conf *conf);

/* Fill CONF with the defaults. Returns 0 or -ENOMEM. */
int conf_defaults(struct conf *conf);

/*
 * Read TEXT, which is SIZE bytes of the file NAME, over the defaults. Returns
 * 0, or a negative errno value with a sentence in ERROR that names the file,
 * the line, the option and its allowed values. CONF must be released by
 * conf_free() in either case.
 */
int conf_parse(struct conf *conf, const char *name, const char *text,
	       size_t size, char error[CONF_ERROR_MAX]);

/* Read the file PATH and check it. On success TEXT, which is the file's, and
 * CONF are the caller's. On failure ERROR has a sentence, and neither is. */
int conf_read(const char *path, struct bytes *text, struct conf *conf,
	      char error[CONF_ERROR_MAX]);

/* Write to TEXT the names of the options that differ between A and B and that
 * only a restart changes. False: there are none. */
bool conf_fixed_differ(const struct conf *a, const struct conf *b,
		       char text[CONF_ERROR_MAX]);

void conf_free(struct conf *conf);

/* Print all options with their sentences, ranges and CONF's values, as a
 * configuration file that conf_parse() reads back. */
void conf_print(const struct conf *conf, FILE *out);

#endif
