/*
 * box - the door of this room. A pool process and the fork server that it forks
 * prepare a box once, for all workers and guests that they will fork.
 */
#ifndef TERRARIUM_BOX_H
#define TERRARIUM_BOX_H

#include "sandbox/walls/cgroup.h"
#include "sandbox/base/aliases.h"
#include "sandbox/base/job.h"
#include "sandbox/base/limits.h"
#include "sandbox/walls/namespaces.h"
#include "sandbox/walls/syscalls.h"
#include "sandbox/prefork/prefault.h"

#define BOX_ERROR_MAX 1024

/* The orders for a box. Strings and the control groups' host are borrowed; ""
 * means none. No copy of a string is left when the box is prepared: once the
 * caller has released its own, the guests that it forks have none. */
struct box_plan {
	struct limits limits;
	unsigned slots;	     /* guests that may live at one time */
	const char *preload; /* modules to import, with blanks between them */
	const char *python_path;
	const char *skeleton;
	const char *cache_dir;
	const char *home_aliases; /* aliases.h */
	uid_t uid_base;
	unsigned sessions;    /* of the slots, the last ones; 0: none */
	bool packages; /* list the installed ones: box.packages */
	bool calls; /* a worker calls other processes: sessions, streams */
	unsigned session_copies; /* of a session's guest, besides itself */
	unsigned call_ms; /* of a session's longest call; 0: as LIMITS */
	bool landlock;	      /* use it, or fail */
	bool jit;	      /* guests may run code that they made */
	bool freeze;	      /* freeze the heap */
	bool layout;	      /* with FREEZE: group written blocks (layout.h) */
	bool random_hashes;   /* of texts in Python; false: seed 0 */
	bool installing;      /* packages: missing.py says it */
	const struct cgroup_host *cgroups; /* NULL: without */
};

/* A prepared box, read-only from then on. */
struct box {
	struct limits limits;
	struct identities who;
	struct syscalls_filter filter;	      /* of guests */
	struct syscalls_filter init_filter;
	struct syscalls_filter worker_filter;
	struct syscalls_filter session_filter; /* of guests with a session */
	struct syscalls_filter gate;	       /* in front of that one */
	struct syscalls_filter keeper_filter;
	struct limits session_limits; /* of a session's whole life */
	unsigned call_ms;	      /* of a session's longest call */
	struct cgroup_slot *groups; /* one for each slot */
	unsigned slots;
	int landlock_abi; /* 0: not used */
	bool jit;	  /* guests may run code that they made */
	unsigned cores;	       /* of the host, that are online */
	struct limits_base base; /* with the reserve of heap.h */
	struct job_file *skeleton;
	size_t skeleton_count;
	char home_aliases[ALIASES_TEXT_MAX + 1]; /* guests see the links */
	struct bytes packages; /* JSON text */
	struct bytes versions; /* of debian.h, until Python has started */
	const char *python; /* its version; static */
	struct prefault prefault; /* pages that every guest needs */
	struct prefault worker_prefault; /* pages that every worker needs; the
					  * pool process learns them */
	int proc; /* /proc, for a process to read about itself. It is closed
		   * before a process is forked that stays. Session keepers are
		   * the exception: they close it when their guest is armed. */
	int fork_server; /* a socket to it; -1: the caller forks guests */
	pid_t fork_server_pid;
};

/*
 * Call each once, in this order, in a process of one thread, which afterwards
 * only forks. A child of the process that called box_enter() may call
 * box_start_python(); only the child then has base, packages and prefault.
 * Each returns 0, or a negative errno value with a sentence in ERROR. Steps
 * that were done are not undone, so the process must exit then.
 *
 * box_enter(): enter the namespaces, build the root, compile the filters.
 * box_start_python(): start Python, import, seal the root, freeze.
 * box_prepare(): both, and close /proc.
 *
 * box_freeze(): instead of box_start_python(), in a process that forks only
 * workers.
 */
int box_enter(struct box *box, const struct box_plan *plan,
	      char error[BOX_ERROR_MAX]);
int box_start_python(struct box *box, const struct box_plan *plan,
		     char error[BOX_ERROR_MAX]);
int box_freeze(struct box *box, const struct box_plan *plan,
	       char error[BOX_ERROR_MAX]);
int box_prepare(struct box *box, const struct box_plan *plan,
		char error[BOX_ERROR_MAX]);

#endif
