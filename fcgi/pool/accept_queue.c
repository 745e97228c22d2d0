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

#define ACCEPT_QUEUE_CHECK_MS 1000 /* between two checks of the guest */

enum accept_queue_event { ACCEPT_QUEUE_ARRIVED, ACCEPT_QUEUE_LEAVE };

static int accept_queue_watch(int poller, int fd, uint32_t events,
			      enum accept_queue_event tag)
{
	struct epoll_event event = {.events = events, .data.u32 = tag};

	return epoll_ctl(poller, EPOLL_CTL_ADD, fd, &event) < 0 ? -errno : 0;
}

int accept_queue_open(struct accept_queue *accept_queue,
		      const struct accept_queue_plan *plan)
{
	struct accept_queue made = {.count = 1 + plan->tcp,
				    .listeners = {plan->listener},
				    .allowed = plan->allowed,
				    .queue = plan->queue};
	owned_fd int poller = epoll_create1(EPOLL_CLOEXEC);
	owned_fd int wakeup = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);

	if (poller < 0 || wakeup < 0)
		return -errno;
	for (unsigned i = 0; i < plan->tcp; i++)
		made.listeners[1 + i] = plan->tcp_first + (int)i;
	int rc = accept_queue_watch(poller, wakeup, EPOLLIN | EPOLLET,
				    ACCEPT_QUEUE_ARRIVED);

	for (unsigned i = 0; rc == 0 && i < made.count; i++)
		rc = accept_queue_watch(poller, made.listeners[i],
					EPOLLIN | EPOLLET,
					ACCEPT_QUEUE_ARRIVED);
	if (rc == 0 && plan->queue >= 0)
		rc = accept_queue_watch(poller, plan->queue, EPOLLIN | EPOLLET,
					ACCEPT_QUEUE_ARRIVED);
	if (rc == 0) /* level-triggered: every worker must see it */
		rc = accept_queue_watch(poller, plan->leave, EPOLLIN,
					ACCEPT_QUEUE_LEAVE);
	if (rc < 0)
		return rc;
	made.poller = take_fd(&poller);
	made.wakeup = take_fd(&wakeup);
	*accept_queue = made;
	return 0;
}

void accept_queue_close(struct accept_queue *accept_queue)
{
	base_release_fd(&accept_queue->poller);
	base_release_fd(&accept_queue->wakeup);
}

void accept_queue_leave(struct accept_queue *accept_queue)
{
	accept_queue_close(accept_queue);
	for (unsigned i = 0; i < accept_queue->count; i++)
		base_release_fd(&accept_queue->listeners[i]);
	base_release_fd(&accept_queue->queue);
}

static bool accept_queue_has_more(const struct accept_queue *accept_queue)
{
	struct pollfd polled[ARRAY_LEN(accept_queue->listeners) + 1];
	const unsigned count = accept_queue->count;

	for (unsigned i = 0; i < count; i++)
		polled[i] = (struct pollfd){.fd = accept_queue->listeners[i],
					    .events = POLLIN};
	polled[count] = (struct pollfd){.fd = accept_queue->queue,
					.events = POLLIN};
	if (poll(polled, count + 1, 0) <= 0)
		return false;
	/* A stop shuts down internet sockets. Such a hang-up is no call. */
	for (unsigned i = 0; i <= count; i++)
		if ((polled[i].revents & (POLLIN | POLLHUP)) == POLLIN)
			return true;
	return false;
}

/* Each write is an edge of its own. It fails only if the counter is full: then
 * reset the counter first. */
static void accept_queue_wake_next(const struct accept_queue *accept_queue)
{
	uint64_t count = 1;

	if (!accept_queue_has_more(accept_queue) ||
	    write(accept_queue->wakeup, &count, sizeof(count)) > 0)
		return;
	if (read(accept_queue->wakeup, &count, sizeof(count)) > 0) {
		count = 1;
		/* On failure the waiting workers still check within
		 * ACCEPT_QUEUE_CHECK_MS. */
		if (write(accept_queue->wakeup, &count, sizeof(count)) < 0)
			log_warn("wake the next worker: %s", log_errno(errno));
	}
}

static int accept_queue_wait(const struct accept_queue *accept_queue, int guest)
{
	struct epoll_event event;
	int n = epoll_wait(accept_queue->poller, &event, 1,
			   ACCEPT_QUEUE_CHECK_MS);

	if (n < 0 && errno != EINTR)
		return -errno;
	if (n > 0 && event.data.u32 == ACCEPT_QUEUE_LEAVE)
		return -ECANCELED;
	if (guest >= 0 && io_wait_readable(guest, 0) != 0) {
		accept_queue_wake_next(accept_queue);
		return -ECHILD;
	}
	return 0;
}

/* May PEER connect? */
static bool accept_queue_admits(const struct accept_queue *accept_queue,
				const struct sockaddr_storage *peer)
{
	char text[ADDRESS_TEXT_MAX];

	if (address_is_in(accept_queue->allowed, peer))
		return true;
	address_print(peer, text);
	log_info("connection refused: address=%s is not in "
		 "server.allowed_clients",
		 text);
	return false;
}

/* Accept from one of the listeners. Each try begins at another one, so that
 * none waits for ever behind a busy one. */
static int accept_queue_accept(const struct accept_queue *accept_queue,
			       unsigned timeout_ms)
{
	const unsigned count = accept_queue->count;
	const unsigned first = count > 1 ? (unsigned)io_now_us() % count : 0;

	for (unsigned i = 0; i < count; i++) {
		const unsigned at = (first + i) % count;
		struct sockaddr_storage peer;
		owned_fd int fd = request_accept(accept_queue->listeners[at],
						 timeout_ms,
						 at > 0 ? &peer : NULL);

		if (fd == -EAGAIN)
			continue;
		if (fd < 0)
			return fd;
		if (at > 0 && !accept_queue_admits(accept_queue, &peer))
			return -EACCES;
		return take_fd(&fd);
	}
	return -EAGAIN;
}

/* Calls from the queue go first, because they arrived first. */
static int accept_queue_try(const struct accept_queue *accept_queue,
			    unsigned timeout_ms, struct accepted *accepted)
{
	struct queue_call message;

	if (accept_queue->queue >= 0 &&
	    queue_take(accept_queue->queue, &message, &accepted->connection,
		       &accepted->head) == 1) {
		accepted->key = message.key;
		accepted->grant = message.grant;
		return 0;
	}
	accepted->head = -1;
	accepted->connection = accept_queue_accept(accept_queue, timeout_ms);
	return accepted->connection < 0 ? accepted->connection : 0;
}

int accept_queue_take(const struct accept_queue *accept_queue, int guest,
		      unsigned timeout_ms, struct accepted *accepted)
{
	accepted->waited = false;
	for (;;) {
		int rc = accept_queue_try(accept_queue, timeout_ms, accepted);

		if (rc >= 0 || rc == -EACCES) {
			accept_queue_wake_next(accept_queue);
			return rc;
		}
		if (rc == -EAGAIN) {
			accepted->waited = true;
			rc = accept_queue_wait(accept_queue, guest);
		}
		if (rc < 0 && rc != -ECONNABORTED && rc != -EINTR)
			return rc;
	}
}
