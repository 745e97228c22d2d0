/* fork_order - see fork_order.h. */
#include "fork_order.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>

#include "sandbox/base/io.h"
#include "sandbox/base/fdpass.h"
#include "sandbox/base/stall.h"

#define FORK_ORDER_RETRY_MS 1
#define FORK_ORDER_STATUS_MS 2000 /* wait for a status */
#define FORK_ORDER_REAP_MS 5000 /* wait for a dead guest to be reaped */

/* A guest's status, as it is sent. */
struct fork_order_exit {
	int32_t code, status; /* si_code, si_status */
};

_Static_assert(FORK_ORDER_FDS <= FDPASS_FDS_MAX, "one message takes them all");

/* Read a message of SIZE bytes with COUNT descriptors. 1; 0: none, or one with
 * another number of descriptors, which are closed. */
static int fork_order_read(int fd, void *data, size_t size, int *fds,
			   size_t count, int flags)
{
	int got[FORK_ORDER_FDS];
	size_t came = count;
	int rc = fdpass_receive(fd, data, size, got, &came, flags);

	if (rc <= 0)
		return rc;
	if (came != count) {
		fdpass_release(got, came);
		return 0;
	}
	for (size_t i = 0; i < count; i++)
		fds[i] = got[i];
	return 1;
}

/* ---- worker ---------------------------------------------------------- */

/* Retry while the kernel's bounds on queued messages and on descriptors in
 * flight are reached. */
static int fork_order_post(int fork_server, const struct fork_order *order,
			   int stall_ms)
{
	struct stall stall = {0};

	for (;;) {
		int rc = fdpass_send(fork_server, &order->slot,
				     sizeof(order->slot), order->fds,
				     FORK_ORDER_ENTRIES + order->entries,
				     MSG_DONTWAIT);

		if ((rc != -ETOOMANYREFS && rc != -EAGAIN && rc != -EINTR) ||
		    stall_stands(&stall, stall_cpu_ns(order->fork_server),
				 io_now_ms(), stall_ms))
			return rc;
		poll(NULL, 0, FORK_ORDER_RETRY_MS);
	}
}

static int fork_order_read_guest(int channel, pid_t fork_server, int stall_ms,
				 pid_t *guest, int *pidfd)
{
	int32_t pid;
	int rc = stall_wait(channel, fork_server, stall_ms);

	if (rc <= 0)
		return rc < 0 ? rc : -ETIMEDOUT;
	/* After a failed fork the answer has no descriptor. */
	if (recv(channel, &pid, sizeof(pid), MSG_PEEK) == sizeof(pid) &&
	    pid < 0)
		return pid;
	rc = fork_order_read(channel, &pid, sizeof(pid), pidfd, 1, 0);
	if (rc <= 0)
		return rc < 0 ? rc : -EPROTO;
	*guest = pid;
	return 0;
}

int fork_order_send(int fork_server, struct fork_order *order, int stall_ms,
		    pid_t *guest, int *pidfd, int *channel)
{
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
		return -errno;
	owned_fd int ours = pair[0];

	order->fds[FORK_ORDER_CHANNEL] = pair[1];
	int rc = fork_order_post(fork_server, order, stall_ms);

	base_release_fd(&order->fds[FORK_ORDER_CHANNEL]);
	if (rc == 0)
		rc = fork_order_read_guest(ours, order->fork_server, stall_ms,
					   guest, pidfd);
	if (rc == 0)
		*channel = take_fd(&ours);
	return rc;
}

static int fork_order_ask(int channel, enum fork_order_question question)
{
	const char byte = (char)question;

	return send(channel, &byte, 1, MSG_NOSIGNAL | MSG_DONTWAIT) < 0
		       ? -errno : 0;
}

int fork_order_slow(int channel)
{
	return fork_order_ask(channel, FORK_ORDER_SLOW);
}

int fork_order_status(int channel, enum fork_order_question question,
		      siginfo_t *info)
{
	struct fork_order_exit fate;
	*info = (siginfo_t){0};
	int rc = fork_order_ask(channel, question);

	if (rc == 0)
		rc = io_wait_readable(channel, question == FORK_ORDER_STATUS
						       ? FORK_ORDER_STATUS_MS
						       : FORK_ORDER_REAP_MS);
	if (rc <= 0)
		return rc < 0 ? rc : -ETIMEDOUT;
	ssize_t n = recv(channel, &fate, sizeof(fate), 0);

	if (n != (ssize_t)sizeof(fate))
		return n < 0 ? -errno : -EPIPE;
	info->si_code = fate.code;
	info->si_status = fate.status;
	return 0;
}

/* ---- fork server ----------------------------------------------------- */

int fork_order_receive(int orders, struct fork_order *order)
{
	size_t came = FORK_ORDER_FDS;
	int rc = fdpass_receive(orders, &order->slot, sizeof(order->slot),
				order->fds, &came, MSG_DONTWAIT);

	if (rc <= 0)
		return rc;
	if (came < FORK_ORDER_ENTRIES) {
		fdpass_release(order->fds, came);
		return 0;
	}
	order->entries = came - FORK_ORDER_ENTRIES;
	return 1;
}

void fork_order_release(struct fork_order *order)
{
	fdpass_release(order->fds, FORK_ORDER_ENTRIES + order->entries);
}

int fork_order_send_guest(int channel, pid_t guest, int pidfd)
{
	const int32_t pid = guest;

	return fdpass_send(channel, &pid, sizeof(pid), &pidfd, guest > 0,
			   MSG_DONTWAIT);
}

int fork_order_receive_question(int channel, enum fork_order_question *question)
{
	char byte = 0;
	int rc = fork_order_read(channel, &byte, 1, NULL, 0, MSG_DONTWAIT);

	*question = byte == FORK_ORDER_STATUS ? FORK_ORDER_STATUS
		    : byte == FORK_ORDER_SLOW ? FORK_ORDER_SLOW
					      : FORK_ORDER_REAP;
	return rc;
}

int fork_order_send_status(int channel, const siginfo_t *info)
{
	const struct fork_order_exit fate = {info->si_code, info->si_status};

	return fdpass_send(channel, &fate, sizeof(fate), NULL, 0, MSG_DONTWAIT);
}
