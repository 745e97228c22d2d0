/*
 * run_support - a prepared sandbox for tests, as root and unprivileged, and
 * workers in it. Only the sandbox room is linked: no FastCGI, no HTTP.
 *
 * The process that runs the tests is the pool process: it has left the host's
 * root. A test uses a guest in a worker, a child process, because one process
 * can have one guest only.
 */
#ifndef TERRARIUM_TEST_RUN_SUPPORT_H
#define TERRARIUM_TEST_RUN_SUPPORT_H

#include <stdatomic.h>
#include <stdio.h>

#include "sandbox/guest/run.h"
#include "tests/unit/support.h"

#define RUN_SLOTS 4

extern struct box run_box;
extern const char *run_why_not; /* NULL, or why there is no sandbox */
extern bool run_as_root;
extern int run_proc; /* the host's /proc, which is no longer to be seen */

/* A function that is called before the sandbox is prepared, or NULL; and its
 * return value. */
extern int (*run_before_prepare)(void);
extern int run_before;

/* The limits, and the plan, with which run_box was prepared. */
extern const struct limits run_limits;
extern struct box_plan run_plan;

/* Memory that workers share with the test. */
struct run_share {
	_Atomic pid_t guest, init; /* 0 until the guest is armed */
	_Atomic int stage;
};
extern struct run_share *run_share;

/* In a worker: print the condition that does not hold, and fail. */
#define RUN_CHECK(truth)                                                     \
	do {                                                                 \
		if (!(truth)) {                                              \
			fprintf(stderr, "# %s:%d: not so: %s\n", __FILE__,   \
				__LINE__, #truth);                           \
			return 1;                                            \
		}                                                            \
	} while (0)

#define RUN_NEEDS_BOX()                                                      \
	do {                                                                 \
		if (run_why_not)                                             \
			support_skip("%s", run_why_not);                     \
	} while (0)

/* Fork a worker that does ACT and exits with its return value. */
pid_t run_worker(int (*act)(void *context), void *context);

/* The same, and wait: it must have returned 0. */
void run_in_worker(int (*act)(void *context), void *context);

/* Worker: arm a guest and tell the test its pids. 0 or an exit status. */
int run_armed(struct run *run);

/* Wait for a worker's share: stage STAGE, within 10 s. */
void run_wait_stage(int stage);

/* Wait until process PID is dead (somebody may yet reap it), within 5 s. */
bool run_is_gone(pid_t pid);

/* Reap the orphans that workers left; all must die within 5 s. */
void run_no_child_left(void);

/* Lines of the mount table, read past the root that we have left. */
int run_count_mounts(void);

/* Run TESTS in a sandbox as root, if we are root, and then unprivileged.
 * Returns the exit status. */
int run_support_main(const char *name, const struct CMUnitTest *tests,
		     size_t count);

#endif
