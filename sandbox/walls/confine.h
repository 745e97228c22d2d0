/*
 * confine - the wall round those of our processes that read what enemies
 * wrote. Should one of them find a mistake in it, this is what it is left
 * with.
 */
#ifndef TERRARIUM_CONFINE_H
#define TERRARIUM_CONFINE_H

#include "sandbox/base/base.h"
#include "syscalls.h"

#define CONFINE_ERROR_MAX 128

struct confine_plan {
	const struct syscalls_filter *filter; /* of SYSCALLS_WORKER */
	int landlock_abi; /* 0: not used */
	int home;	  /* the one directory to be seen; -1: none */
};

/*
 * Confine the calling process for good to what serving requests takes: a few
 * capabilities, if it has them, no file but those below PLAN->home, the
 * system calls of the filter. Returns 0, or a negative errno value with the
 * step that failed in ERROR.
 */
int confine_process(const struct confine_plan *plan,
		    char error[CONFINE_ERROR_MAX]);

#endif
