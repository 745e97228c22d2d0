/* turn - see turn.h, epoll(7). */
#include "accept_queue.h"

#include <errno.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "sandbox/base/io.h"
#include "sandbox/base/log.h"
#include "queue.h"
#include "fcgi/http/request.h"

#define TURN_LOOK_MS 1000 /* so often who waits sees whether its guest lives */

enum turn_event { TURN_COME, TURN_LEAVE };

static int turn_watch(int poller, int fd, uint32_t events,
		      enum turn_event tag)
{
	struct epoll_event event = {.events = events, .data.u32 = tag};

	return epoll_ctl(poller, EPOLL_CTL_ADD, fd, &event) < 0 ? -errno : 0;
}

int turn_open(struct turn *turn, int listener, int queue, int leave)
{
	owned_fd int poller = epoll_create1(EPOLL_CLOEXEC);
	owned_fd int baton = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);

	if (poller < 0 || baton < 0)
		return -errno;
	int rc = turn_watch(poller, listener, EPOLLIN | EPOLLET, TURN_COME);

	if (rc == 0)
		rc = turn_watch(poller, baton, EPOLLIN | EPOLLET, TURN_COME);
	if (rc == 0 && queue >= 0)
		rc = turn_watch(poller, queue, EPOLLIN | EPOLLET, TURN_COME);
	if (rc == 0) /* not an edge: all are to be told */
		rc = turn_watch(poller, leave, EPOLLIN, TURN_LEAVE);
	if (rc < 0)
		return rc;
	*turn = (struct turn){.poller = take_fd(&poller),
			      .baton = take_fd(&baton),
			      .listener = listener, .queue = queue};
	return 0;
}

void turn_close(struct turn *turn)
{
	base_release_fd(&turn->poller);
	base_release_fd(&turn->baton);
}

static bool turn_has_more(const struct turn *turn)
{
	struct pollfd polled[] = {{.fd = turn->listener, .events = POLLIN},
				  {.fd = turn->queue, .events = POLLIN}};

	/* A worker that was taken over may have shut the queue's socket: that is
	 * no call. */
	return poll(polled, ARRAY_LEN(polled), 0) > 0 &&
	       ((polled[0].revents & POLLIN) ||
		(polled[1].revents & (POLLIN | POLLHUP)) == POLLIN);
}

/* One write is one edge, whatever was written before; but somebody may have
 * filled it up. */
static void turn_pass_on(const struct turn *turn)
{
	uint64_t count = 1;

	if (!turn_has_more(turn) ||
	    write(turn->baton, &count, sizeof(count)) > 0)
		return;
	if (read(turn->baton, &count, sizeof(count)) > 0) {
		count = 1;
		/* Else who waits looks for itself, within TURN_LOOK_MS. */
		if (write(turn->baton, &count, sizeof(count)) < 0)
			log_warn("pass the turn on: %s", log_errno(errno));
	}
}

static int turn_wait(const struct turn *turn, int guest)
{
	struct epoll_event event;
	int n = epoll_wait(turn->poller, &event, 1, TURN_LOOK_MS);

	if (n < 0 && errno != EINTR)
		return -errno;
	if (n > 0 && event.data.u32 == TURN_LEAVE)
		return -ECANCELED;
	if (guest >= 0 && io_wait_readable(guest, 0) != 0) {
		turn_pass_on(turn);
		return -ECHILD;
	}
	return 0;
}

/* Those that had to wait have come before those that come now. */
static int turn_try(const struct turn *turn, unsigned timeout_ms,
		    struct turn_call *call)
{
	struct queue_call message;

	if (turn->queue >= 0 &&
	    queue_take(turn->queue, &message, &call->connection,
		       &call->head) == 1) {
		call->key = message.key;
		call->grant = message.grant;
		return 0;
	}
	call->head = -1;
	call->connection = request_accept(turn->listener, timeout_ms);
	return call->connection < 0 ? call->connection : 0;
}

int turn_take(const struct turn *turn, int guest, unsigned timeout_ms,
	      struct turn_call *call)
{
	call->waited = false;
	for (;;) {
		int rc = turn_try(turn, timeout_ms, call);

		if (rc >= 0) {
			turn_pass_on(turn);
			return rc;
		}
		if (rc == -EAGAIN) {
			call->waited = true;
			rc = turn_wait(turn, guest);
		}
		if (rc < 0 && rc != -ECONNABORTED && rc != -EINTR)
			return rc;
	}
}
