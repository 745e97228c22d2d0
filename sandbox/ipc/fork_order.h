/*
 * cast - the messages by which a worker has its guest forked by somebody
 * else: the mold, who has a warm Python mapped, which a worker has not.
 *
 *	worker                             mold
 *	cast_order()   slot, descriptors   cast_take(), fork
 *	               pid, pidfd          cast_answer()
 *	cast_slow()    let others first    cast_hear()
 *	cast_death()   how did it die?     cast_hear()
 *	               exit status         cast_tell()
 *
 * Orders go over one socket of all workers; with each comes one end of a
 * channel of its own for the rest. The mold is the guest's parent, but who
 * ordered a guest says when it is buried: until then its number stays its
 * own. When the channel hangs up the mold buries it as soon as it is dead.
 * Errors are negative errno values; -EPIPE: there is nobody at the other end.
 */
#ifndef TERRARIUM_CAST_H
#define TERRARIUM_CAST_H

#include <signal.h>
#include <sys/types.h>

#include "sandbox/walls/cgroup.h"
#include "wire.h"

/* What comes with an order, in this order. */
enum cast_fd {
	CAST_CHANNEL,
	CAST_INIT, /* pidfd of the init whose pid namespace the guest enters */
	CAST_HOME, /* the tmpfs, detached */
	CAST_PIPES, /* the guest's ends, as enum wire_fd numbers them */
	CAST_ENTRIES = CAST_PIPES + WIRE_FD_COUNT, /* of its control group */
	CAST_FDS = CAST_ENTRIES + CGROUP_CONTROLLERS
};

struct cast_order {
	pid_t mold; /* worker: its progress is waited for; 0: unknown */
	uint32_t slot;
	size_t entries; /* that there are */
	int fds[CAST_FDS]; /* the taker's own, to be released */
};

/* Worker: what is asked about a guest. */
enum cast_question {
	CAST_NOTHING = 0, /* yet */
	CAST_SLOW = 's', /* let others go first; there is no answer */
	CAST_LOOK = 'l', /* and let its number be; once */
	CAST_BURY = 'b', /* and bury it: the last question */
};

/* Worker: order a guest over the socket MOLD. ORDER->fds[CAST_CHANNEL] is made
 * here and sent; the others stay the caller's. On success *GUEST and *PIDFD
 * are of the guest, *CHANNEL is the caller's end. Gives up (-ETIMEDOUT) when
 * the mold takes no order, or stands still, for STALL_MS. */
int cast_order(int mold, struct cast_order *order, int stall_ms, pid_t *guest,
	       int *pidfd, int *channel);

/* Worker: the guest's threads let others go first from here on, as long as
 * they live; those that it starts do too. Waits for nobody. */
int cast_slow(int channel);

/* Worker: how did the guest die, as waitid(2) would tell? It must be dead, or
 * be about to die. Waits for two seconds, CAST_BURY for five: -ETIMEDOUT. */
int cast_death(int channel, enum cast_question question, siginfo_t *info);

/* Mold: the next order, without waiting. 1; 0: none, or a message that is not
 * one. */
int cast_take(int orders, struct cast_order *order);

/* Mold: close what came with ORDER. */
void cast_release(struct cast_order *order);

/* Mold: GUEST was forked, or is a negative errno value (PIDFD is -1 then).
 * Does not wait, nor does cast_tell(): -EAGAIN, it does not listen. */
int cast_answer(int channel, pid_t guest, int pidfd);

/* Mold: the next question, without waiting. 1, 0: none. */
int cast_hear(int channel, enum cast_question *question);

/* Mold: answer it. */
int cast_tell(int channel, const siginfo_t *info);

#endif
