/*
 * cgroup_host - which control groups this host has, and where.
 *
 * Version 2 is used if it has the controllers that are needed; otherwise
 * version 1 is used if it has them.
 */
#ifndef TERRARIUM_CGROUP_HOST_H
#define TERRARIUM_CGROUP_HOST_H

#include <sys/types.h>

#include "sandbox/base/base.h"

#define CGROUP_CONTROLLERS 3
#define CGROUP_PATH_MAX 512

enum { CG_MEMORY, CG_PIDS, CG_CPU };

enum cgroup_kind { CGROUP_NONE, CGROUP_V1, CGROUP_V2 };

/* A controller, and the names of its limit's file. To add a controller, give it
 * a row in cgroup_host.c and a value in cgroup_limit_value(). */
struct cgroup_controller {
	const char *name;
	const char *limit_v1, *limit_v2;
	bool needed; /* false: the host may lack it */
};

extern const struct cgroup_controller cgroup_controllers[CGROUP_CONTROLLERS];

struct cgroup_host {
	enum cgroup_kind kind;
	char why[CGROUP_PATH_MAX]; /* for CGROUP_NONE: the reason */
	/* The server's directory of each controller; "" if the host lacks the
	 * controller. Version 2 has one directory for all. */
	char dirs[CGROUP_CONTROLLERS][CGROUP_PATH_MAX];
	char base[CGROUP_PATH_MAX]; /* the memory group that we were given */
	/* Version 2: the controllers that cgroup_tree_make() has enabled for
	 * the children of BASE. */
	bool handed[CGROUP_CONTROLLERS];
	ino_t made[CGROUP_CONTROLLERS]; /* the directory made at each of DIRS */
};

/* The places to look at. NAME is that of the server's group. */
struct cgroup_paths {
	const char *sysfs, *proc, *name;
};

/* The places on a real host; tests have others. */
struct cgroup_paths cgroup_host_paths(const char *name);

/* Find out which control groups there are, without changing any. */
void cgroup_host_probe(struct cgroup_host *host,
		       const struct cgroup_paths *paths);

/* The memory in megabytes that all groups of HOST may use together, because a
 * group above them has a limit (a service's MemoryMax=); 0: no such limit. */
uint64_t cgroup_host_ceiling_mb(const struct cgroup_host *host);

/* PERCENT of the host's memory, or of that ceiling if it is lower, in
 * megabytes; 0: unknown. */
uint64_t cgroup_host_share_mb(const struct cgroup_host *host, unsigned percent);

/* Write A, B and C to OUT, of CGROUP_PATH_MAX bytes, as one path; B or C may be
 * "". 0 or -ENAMETOOLONG. */
int cgroup_host_join(char *out, const char *a, const char *b, const char *c);

/* Write the directory of slot SLOT below DIR to OUT, of CGROUP_PATH_MAX
 * bytes. */
void cgroup_host_slot_dir(const char *dir, unsigned slot, char *out);

/* The name of controller I's limit file. */
const char *cgroup_host_limit_file(enum cgroup_kind kind, size_t i);

#endif
