/*
 * confine - the walls around our own processes that read untrusted input:
 * workers, session keepers, the queue and the archive process.
 *
 * If such input exploits a mistake in one of them, the process has no more
 * rights than these.
 */
#ifndef TERRARIUM_CONFINE_H
#define TERRARIUM_CONFINE_H

#include "sandbox/base/base.h"
#include "syscalls.h"

#define CONFINE_ERROR_MAX 128

struct confine_plan {
	const struct syscalls_filter *filter; /* of SYSCALLS_WORKER */
	int landlock_abi; /* 0: not used */
	int home;	  /* the only visible directory; -1: none */
	bool keeps;	  /* it may also remove and rename files there */
};

/*
 * Confine the calling process, irrevocably. It keeps a few capabilities if it
 * has them, the files below PLAN->home, and the system calls of the filter.
 * Returns 0, or a negative errno value with the failed step in ERROR.
 */
int confine_process(const struct confine_plan *plan,
		    char error[CONFINE_ERROR_MAX]);

#endif
