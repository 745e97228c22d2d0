/*
 * fork_order - the messages by which a worker has its guest forked by somebody
 * else: the fork server, who has a warm Python mapped, which a worker has not.
 *
 *	worker                             fork server
 *	fork_order_place()   slot, descriptors   fork_order_take(), fork
 *	               pid, pidfd          fork_order_answer()
 *	fork_order_slow()    let others first    fork_order_hear()
 *	fork_order_death()   how did it die?     fork_order_hear()
 *	               exit status         fork_order_tell()
 *
 * Orders go over one socket of all workers; with each comes one end of a
 * channel of its own for the rest. The fork server is the guest's parent, but
 *who ordered a guest says when it is buried: until then its number stays its
 * own. When the channel hangs up the fork server buries it as soon as it is
 *dead. Errors are negative errno values; -EPIPE: there is nobody at the other
 *end.
 */
#ifndef TERRARIUM_CAST_H
#define TERRARIUM_CAST_H

#include <signal.h>
#include <sys/types.h>

#include "sandbox/walls/cgroup.h"
#include "wire.h"

/* What comes with an order, in this order. */
enum fork_order_fd {
	FORK_ORDER_CHANNEL,
	FORK_ORDER_INIT, /* pidfd of the init whose pid namespace the guest
			    enters */
	FORK_ORDER_HOME, /* the tmpfs, detached */
	FORK_ORDER_PIPES, /* the guest's ends, as enum wire_fd numbers them */
	FORK_ORDER_ENTRIES = FORK_ORDER_PIPES +
			     WIRE_FD_COUNT, /* of its control group */
	FORK_ORDER_FDS = FORK_ORDER_ENTRIES + CGROUP_CONTROLLERS
};

struct fork_order_place {
	pid_t fork_server; /* worker: its progress is waited for; 0: unknown */
	uint32_t slot;
	size_t entries; /* that there are */
	int fds[FORK_ORDER_FDS]; /* the taker's own, to be released */
};

/* Worker: what is asked about a guest. */
enum fork_order_question {
	FORK_ORDER_NOTHING = 0, /* yet */
	FORK_ORDER_SLOW = 's', /* let others go first; there is no answer */
	FORK_ORDER_LOOK = 'l', /* and let its number be; once */
	FORK_ORDER_BURY = 'b', /* and bury it: the last question */
};

/* Worker: order a guest over the socket MOLD. ORDER->fds[FORK_ORDER_CHANNEL] is
 * made here and sent; the others stay the caller's. On success *GUEST and
 * *PIDFD are of the guest, *CHANNEL is the caller's end. Gives up (-ETIMEDOUT)
 * when the fork server takes no order, or stands still, for STALL_MS. */
int fork_order_place(int fork_server, struct fork_order_place *order,
		     int stall_ms, pid_t *guest, int *pidfd, int *channel);

/* Worker: the guest's threads let others go first from here on, as long as
 * they live; those that it starts do too. Waits for nobody. */
int fork_order_slow(int channel);

/* Worker: how did the guest die, as waitid(2) would tell? It must be dead, or
 * be about to die. Waits for two seconds, FORK_ORDER_BURY for five: -ETIMEDOUT.
 */
int fork_order_death(int channel, enum fork_order_question question,
		     siginfo_t *info);

/* Fork server: the next order, without waiting. 1; 0: none, or a message that
 * is not one. */
int fork_order_take(int orders, struct fork_order_place *order);

/* Fork server: close what came with ORDER. */
void fork_order_release(struct fork_order_place *order);

/* Fork server: GUEST was forked, or is a negative errno value (PIDFD is -1
 * then). Does not wait, nor does fork_order_tell(): -EAGAIN, it does not
 * listen. */
int fork_order_answer(int channel, pid_t guest, int pidfd);

/* Fork server: the next question, without waiting. 1, 0: none. */
int fork_order_hear(int channel, enum fork_order_question *question);

/* Fork server: answer it. */
int fork_order_tell(int channel, const siginfo_t *info);

#endif
