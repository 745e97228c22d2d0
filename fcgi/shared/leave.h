/*
 * leave - how the master makes a helper (status, queue, archive, log) leave
 * between two pieces of work, because another program has taken over.
 *
 * The signal waits while the helper works, so no request and no line is lost.
 * Then the helper exits with status 0, and the master starts another one.
 */
#ifndef TERRARIUM_LEAVE_H
#define TERRARIUM_LEAVE_H

#include <signal.h>

/* Until a helper calls leave_open() the signal ends it at once. By then it has
 * taken no work. */
#define LEAVE_SIGNAL SIGUSR2

/* In a helper: block the signal. Returns a descriptor that is readable once the
 * signal has come, or a negative errno value. */
int leave_open(void);

#endif
