/*
 * kernel_calls - tries at the start each system call that the server needs.
 *
 * A service manager or a container can confine the server by a filter of its
 * own. A refused call would fail only when it is made, perhaps in the middle of
 * a request.
 */
#ifndef TERRARIUM_KERNEL_CALLS_H
#define TERRARIUM_KERNEL_CALLS_H

#include "sandbox/base/base.h"

#define KERNEL_CALLS_MAX 32
#define KERNEL_CALLS_WORDS_MAX 640

/* Results of a call besides errno values. */
enum {
	KERNEL_CALLS_UNTRIED = -1, /* a condition for the trial was missing */
	KERNEL_CALLS_KILLED = -2   /* the call killed its caller */
};

struct kernel_calls {
	int errors[KERNEL_CALLS_MAX]; /* 0: it works */
};

/* Try each call in a child, which ends with all that it changed. Waits at most
 * a minute. 0, or a negative errno value if the trial was impossible. */
int kernel_calls_try(struct kernel_calls *calls);

/* The number of calls that do not work, of those that are NEEDED or of the
 * others. WORDS lists them with the reason and the loss. */
unsigned kernel_calls_lacking(const struct kernel_calls *calls, bool needed,
			      char words[KERNEL_CALLS_WORDS_MAX]);

/* The number of calls that work, and of all calls. */
unsigned kernel_calls_working(const struct kernel_calls *calls);
unsigned kernel_calls_count(void);

/* The end of a sentence that lists calls which do not work. */
#define KERNEL_CALLS_REASON                                                  \
	"the likely reason is a filter of the service manager (systemd: "    \
	"SystemCallFilter=) or of a container"

#endif
