/* accept_queue - see accept_queue.h, epoll(7). */
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

#define ACCEPT_QUEUE_LOOK_MS \
	1000 /* so often who waits sees whether its guest lives */

enum accept_queue_event { ACCEPT_QUEUE_COME, ACCEPT_QUEUE_LEAVE };

static int accept_queue_watch(int poller, int fd, uint32_t events,
			      enum accept_queue_event tag)
{
	struct epoll_event event = {.events = events, .data.u32 = tag};

	return epoll_ctl(poller, EPOLL_CTL_ADD, fd, &event) < 0 ? -errno : 0;
}

int accept_queue_open(struct accept_queue *accept_queue, int listener,
		      int queue, int leave)
{
	owned_fd int poller = epoll_create1(EPOLL_CLOEXEC);
	owned_fd int wakeup = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);

	if (poller < 0 || wakeup < 0)
		return -errno;
	int rc = accept_queue_watch(poller, listener, EPOLLIN | EPOLLET,
				    ACCEPT_QUEUE_COME);

	if (rc == 0)
		rc = accept_queue_watch(poller, wakeup, EPOLLIN | EPOLLET,
					ACCEPT_QUEUE_COME);
	if (rc == 0 && queue >= 0)
		rc = accept_queue_watch(poller, queue, EPOLLIN | EPOLLET,
					ACCEPT_QUEUE_COME);
	if (rc == 0) /* not an edge: all are to be told */
		rc = accept_queue_watch(poller, leave, EPOLLIN,
					ACCEPT_QUEUE_LEAVE);
	if (rc < 0)
		return rc;
	*accept_queue = (struct accept_queue){.poller = take_fd(&poller),
					      .wakeup = take_fd(&wakeup),
					      .listener = listener,
					      .queue = queue};
	return 0;
}

void accept_queue_close(struct accept_queue *accept_queue)
{
	base_release_fd(&accept_queue->poller);
	base_release_fd(&accept_queue->wakeup);
}

static bool accept_queue_has_more(const struct accept_queue *accept_queue)
{
	struct pollfd polled[] = {
		{.fd = accept_queue->listener, .events = POLLIN},
		{.fd = accept_queue->queue, .events = POLLIN}};

	/* A worker that was taken over may have shut the queue's socket: that is
	 * no call. */
	return poll(polled, ARRAY_LEN(polled), 0) > 0 &&
	       ((polled[0].revents & POLLIN) ||
		(polled[1].revents & (POLLIN | POLLHUP)) == POLLIN);
}

/* One write is one edge, whatever was written before; but somebody may have
 * filled it up. */
static void accept_queue_pass_on(const struct accept_queue *accept_queue)
{
	uint64_t count = 1;

	if (!accept_queue_has_more(accept_queue) ||
	    write(accept_queue->wakeup, &count, sizeof(count)) > 0)
		return;
	if (read(accept_queue->wakeup, &count, sizeof(count)) > 0) {
		count = 1;
		/* Else who waits looks for itself, within ACCEPT_QUEUE_LOOK_MS.
		 */
		if (write(accept_queue->wakeup, &count, sizeof(count)) < 0)
			log_warn("pass the turn on: %s", log_errno(errno));
	}
}

static int accept_queue_wait(const struct accept_queue *accept_queue, int guest)
{
	struct epoll_event event;
	int n = epoll_wait(accept_queue->poller, &event, 1,
			   ACCEPT_QUEUE_LOOK_MS);

	if (n < 0 && errno != EINTR)
		return -errno;
	if (n > 0 && event.data.u32 == ACCEPT_QUEUE_LEAVE)
		return -ECANCELED;
	if (guest >= 0 && io_wait_readable(guest, 0) != 0) {
		accept_queue_pass_on(accept_queue);
		return -ECHILD;
	}
	return 0;
}

/* Those that had to wait have come before those that come now. */
static int accept_queue_try(const struct accept_queue *accept_queue,
			    unsigned timeout_ms, struct accepted *call)
{
	struct queue_call message;

	if (accept_queue->queue >= 0 &&
	    queue_take(accept_queue->queue, &message, &call->connection,
		       &call->head) == 1) {
		call->key = message.key;
		call->grant = message.grant;
		return 0;
	}
	call->head = -1;
	call->connection = request_accept(accept_queue->listener, timeout_ms);
	return call->connection < 0 ? call->connection : 0;
}

int accept_queue_take(const struct accept_queue *accept_queue, int guest,
		      unsigned timeout_ms, struct accepted *call)
{
	call->waited = false;
	for (;;) {
		int rc = accept_queue_try(accept_queue, timeout_ms, call);

		if (rc >= 0) {
			accept_queue_pass_on(accept_queue);
			return rc;
		}
		if (rc == -EAGAIN) {
			call->waited = true;
			rc = accept_queue_wait(accept_queue, guest);
		}
		if (rc < 0 && rc != -ECONNABORTED && rc != -EINTR)
			return rc;
	}
}
