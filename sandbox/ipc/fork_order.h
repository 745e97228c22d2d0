/*
 * fork_order - the messages by which a worker has the fork server fork its
 * guest. The fork server has a warm Python mapped, and a worker has none.
 *
 *	worker               message            fork server
 *	fork_order_send()    slot, descriptors  fork_order_receive(), fork
 *	                     pid, pidfd         fork_order_send_guest()
 *	fork_order_slow()    lower its share    fork_order_receive_question()
 *	fork_order_status()  exit status?       fork_order_receive_question()
 *	                     exit status        fork_order_send_status()
 *
 * Orders go over one socket of all workers. Each order brings one end of a
 * channel of its own for all that follows. The fork server is the guest's
 * parent, but reaps it only when the worker asks for it: until then the guest's
 * pid stays its own. When the channel hangs up, the fork server reaps the guest
 * as soon as it is dead. Errors are negative errno values; -EPIPE: the other
 * end is closed.
 */
#ifndef TERRARIUM_FORK_ORDER_H
#define TERRARIUM_FORK_ORDER_H

#include <signal.h>
#include <sys/types.h>

#include "sandbox/walls/cgroup.h"
#include "wire.h"

/* Descriptors of an order, in this order. */
enum fork_order_fd {
	FORK_ORDER_CHANNEL,
	FORK_ORDER_INIT, /* pidfd of the init of the guest's pid namespace */
	FORK_ORDER_HOME, /* the tmpfs, detached */
	FORK_ORDER_PIPES, /* the guest's ends, in the order of enum wire_fd */
	FORK_ORDER_ENTRIES = FORK_ORDER_PIPES +
			     WIRE_FD_COUNT, /* of its control group */
	FORK_ORDER_FDS = FORK_ORDER_ENTRIES + CGROUP_CONTROLLERS
};

struct fork_order {
	pid_t fork_server; /* worker: its progress extends the wait; 0:
			    * unknown */
	uint32_t slot;
	size_t entries; /* number of descriptors of the control group */
	int fds[FORK_ORDER_FDS]; /* of the receiver, to be released */
};

/* Worker: the questions about a guest. */
enum fork_order_question {
	FORK_ORDER_NOTHING = 0, /* not asked yet */
	FORK_ORDER_SLOW = 's', /* lower its processor share; no answer */
	FORK_ORDER_STATUS = 'l', /* its exit status, without reaping; once */
	FORK_ORDER_REAP = 'b', /* its exit status, then reap it; the last
			        * question */
};

/* Worker: send an order for a guest over the socket FORK_SERVER.
 * ORDER->fds[FORK_ORDER_CHANNEL] is made here; the other descriptors stay the
 * caller's. On success *GUEST and *PIDFD identify the guest, and *CHANNEL is
 * the caller's end. Returns -ETIMEDOUT when the fork server takes no order, or
 * makes no progress, for STALL_MS. */
int fork_order_send(int fork_server, struct fork_order *order, int stall_ms,
		    pid_t *guest, int *pidfd, int *channel);

/* Worker: lower the priority of the guest's threads for the rest of their
 * lives, and of all threads that they start. Does not wait. */
int fork_order_slow(int channel);

/* Worker: ask how the guest died, as waitid(2) would report it. The guest must
 * be dead or about to die. Waits two seconds, and five for FORK_ORDER_REAP:
 * -ETIMEDOUT. */
int fork_order_status(int channel, enum fork_order_question question,
		      siginfo_t *info);

/* Fork server: receive the next order, without waiting. 1; 0: none, or an
 * invalid message. */
int fork_order_receive(int orders, struct fork_order *order);

/* Fork server: close ORDER's descriptors. */
void fork_order_release(struct fork_order *order);

/* Fork server: report GUEST, or the negative errno value of a failed fork
 * (PIDFD is -1 then). Like fork_order_send_status() it does not wait; -EAGAIN:
 * the worker does not read. */
int fork_order_send_guest(int channel, pid_t guest, int pidfd);

/* Fork server: receive the next question, without waiting. 1, 0: none. */
int fork_order_receive_question(int channel,
				enum fork_order_question *question);

/* Fork server: answer a question. */
int fork_order_send_status(int channel, const siginfo_t *info);

#endif
