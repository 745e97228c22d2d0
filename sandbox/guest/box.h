/*
 * box - the door of this room. What is prepared once, by a pool process and the
 * fork server that it forks, for all workers and guests that will be forked of
 * them.
 */
#ifndef TERRARIUM_SANDBOX_H
#define TERRARIUM_SANDBOX_H

#include "sandbox/walls/cgroup.h"
#include "sandbox/base/job.h"
#include "sandbox/base/limits.h"
#include "sandbox/walls/namespaces.h"
#include "sandbox/walls/syscalls.h"
#include "sandbox/prefork/prefault.h"

#define BOX_ERROR_MAX 1024

/* What is wanted. Strings are borrowed, "" means none, and so is the host: no
 * copy of them is left when all is prepared, so that who lets go of them has
 * none to fork guests with. */
struct box_plan {
	struct limits limits;
	unsigned slots;	     /* guests that may live at one time */
	const char *preload; /* modules to import, between blanks */
	const char *python_path;
	const char *skeleton;
	const char *cache_dir;
	uid_t uid_base;
	unsigned sessions;    /* of the slots, the last ones; 0: none */
	unsigned session_copies; /* of a session's guest, besides itself */
	bool landlock;	      /* use it (or fail) */
	bool freeze;	      /* freeze the heap */
	const struct cgroup_host *cgroups; /* NULL: without */
};

/* What there is, read-only from then on. */
struct box {
	struct limits limits;
	struct identities who;
	struct syscalls_filter filter;	      /* of guests */
	struct syscalls_filter init_filter;
	struct syscalls_filter worker_filter;
	struct syscalls_filter session_filter; /* with sessions: of guests */
	struct syscalls_filter gate;	       /* and in front of it */
	struct syscalls_filter keeper_filter;
	struct limits session_limits; /* of a session's whole life */
	struct cgroup_slot *groups; /* one for each slot */
	unsigned slots;
	int landlock_abi; /* 0: not used */
	unsigned cores;	       /* of the host that we may use */
	unsigned long base_kb; /* address space before any program, malloc's
				* reserve (heap.h) included */
	struct job_file *skeleton;
	size_t skeleton_count;
	struct bytes packages; /* JSON text */
	struct prefault prefault; /* pages that every guest needs */
	struct prefault
		worker_prefault; /* and every worker; its parent learns them */
	int proc; /* /proc, where a process can look at itself; to be closed
		   * before anybody is forked who stays, but for session
		   * keepers: they close it when their guest is armed */
	int fork_server; /* socket to who forks guests for us; -1: we do */
	pid_t fork_server_pid;
};

/*
 * To be called once each, in this order, by a process of one thread, which
 * afterwards only forks; or the second by a child of who called the first,
 * who then has all but base_kb, packages and warm. Each returns 0, or a
 * negative errno value with a sentence in ERROR; what was begun is not undone,
 * so the process must exit.
 *
 * box_enter(): enter the namespaces, build the root, compile the filters.
 * box_start_python(): start Python, import, seal the root, freeze; with FREEZE
 * let a child start and import first (write_tracer.h).
 * box_prepare(): both, and close /proc.
 *
 * box_freeze(): instead of the second, for who only forks workers.
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
