/*
 * cgroup_tree - what the three parts of cgroup.h share: cgroup_probe.c finds
 * out what there is, cgroup_tree.c makes groups and takes them away, cgroup.c
 * uses one.
 */
#ifndef TERRARIUM_CGROUP_TREE_H
#define TERRARIUM_CGROUP_TREE_H

#include "cgroup.h"

enum { CG_MEMORY, CG_PIDS, CG_CPU };

/*
 * The controllers, and what their files are called. To add one, give it a
 * row, and a value in cgroup_value(). A controller that is not needed may be
 * missing on a host.
 */
struct cgroup_row {
	const char *name;
	const char *limit_v1, *limit_v2;
	bool needed;
};

extern const struct cgroup_row cgroup_rows[CGROUP_CONTROLLERS];

/* A, B and C as one path; B or C may be "". */
int cgroup_join(char *out, const char *a, const char *b, const char *c);

/* The group of SLOT below DIR. */
void cgroup_slot_dir(const char *dir, unsigned slot, char *out);

/* The limit file of controller I. */
const char *cgroup_limit_file(enum cgroup_kind kind, size_t i);

/* What goes into it; tmpfs pages count as the guest's memory, so its home is
 * added. */
void cgroup_value(enum cgroup_kind kind, size_t i, const struct limits *limits,
		  unsigned memory_mb, char out[64]);

#endif
