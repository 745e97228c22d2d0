/*
 * kernel_calls - does this kernel, and whatever confines us in turn, let us
 * make the system calls that the server needs later in its life?
 *
 * A service manager can have a filter of system calls in force. A call that it
 * refuses fails only where it is made, which may be in the middle of a
 * request; so each is tried when the server starts.
 */
#ifndef TERRARIUM_KERNEL_CALLS_H
#define TERRARIUM_KERNEL_CALLS_H

#include "sandbox/base/base.h"

#define KERNEL_CALLS_MAX 32
#define KERNEL_CALLS_WORDS_MAX 640

/* Why a call cannot be made, besides an errno value. */
enum {
	KERNEL_CALLS_UNTRIED = -1, /* what it needs could not be had */
	KERNEL_CALLS_KILLED = -2   /* it kills its caller */
};

struct kernel_calls {
	int errors[KERNEL_CALLS_MAX]; /* 0: it works */
};

/* Try each call in a child, which is gone afterwards with all it did. 0; or a
 * negative errno value if that was impossible. Waits for at most a minute. */
int kernel_calls_try(struct kernel_calls *calls);

/* How many calls that are NEEDED, or not, do not work. Says in WORDS which,
 * why, and what is lost without them. */
unsigned kernel_calls_lacking(const struct kernel_calls *calls, bool needed,
			      char words[KERNEL_CALLS_WORDS_MAX]);

/* How many work, and how many there are. */
unsigned kernel_calls_working(const struct kernel_calls *calls);
unsigned kernel_calls_count(void);

/* The end of a sentence that says which do not work. */
#define KERNEL_CALLS_REASON                                                  \
	"the likely reason is a filter of the service manager (systemd: "    \
	"SystemCallFilter=) or of a container"

#endif
