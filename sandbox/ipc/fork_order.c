/* cast - see cast.h. */
#include "fork_order.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>

#include "sandbox/base/io.h"
#include "sandbox/base/fdpass.h"
#include "sandbox/base/stall.h"

#define CAST_RETRY_MS 1
#define CAST_LOOK_MS 2000 /* for what a mold does at once */
#define CAST_BURY_MS 5000 /* for the burial of what is dead already */

/* A death, as it is told. */
struct cast_fate {
	int32_t code, status; /* si_code, si_status */
};

_Static_assert(CAST_FDS <= PASS_FDS_MAX, "one message takes them all");

/* A message of SIZE bytes with COUNT descriptors, or none of either. 1, 0. */
static int cast_receive(int fd, void *data, size_t size, int *fds,
			size_t count, int flags)
{
	int got[CAST_FDS];
	size_t came = count;
	int rc = pass_receive(fd, data, size, got, &came, flags);

	if (rc <= 0)
		return rc;
	if (came != count) {
		pass_release(got, came);
		return 0;
	}
	for (size_t i = 0; i < count; i++)
		fds[i] = got[i];
	return 1;
}

/* ---- worker ---------------------------------------------------------- */

/* The kernel bounds what messages, and what descriptors, are on their way at
 * one time. */
static int cast_send_order(int mold, const struct cast_order *order,
			   int stall_ms)
{
	struct stall stall = {0};

	for (;;) {
		int rc = pass_send(mold, &order->slot, sizeof(order->slot),
				   order->fds, CAST_ENTRIES + order->entries,
				   MSG_DONTWAIT);

		if ((rc != -ETOOMANYREFS && rc != -EAGAIN && rc != -EINTR) ||
		    stall_stands(&stall, stall_cpu_ns(order->mold),
				 io_now_ms(), stall_ms))
			return rc;
		poll(NULL, 0, CAST_RETRY_MS);
	}
}

static int cast_born(int channel, pid_t mold, int stall_ms, pid_t *guest,
		     int *pidfd)
{
	int32_t pid;
	int rc = stall_wait(channel, mold, stall_ms);

	if (rc <= 0)
		return rc < 0 ? rc : -ETIMEDOUT;
	/* Who could not fork sends no descriptor. */
	if (recv(channel, &pid, sizeof(pid), MSG_PEEK) == sizeof(pid) &&
	    pid < 0)
		return pid;
	rc = cast_receive(channel, &pid, sizeof(pid), pidfd, 1, 0);
	if (rc <= 0)
		return rc < 0 ? rc : -EPROTO;
	*guest = pid;
	return 0;
}

int cast_order(int mold, struct cast_order *order, int stall_ms, pid_t *guest,
	       int *pidfd, int *channel)
{
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
		return -errno;
	owned_fd int ours = pair[0];

	order->fds[CAST_CHANNEL] = pair[1];
	int rc = cast_send_order(mold, order, stall_ms);

	base_release_fd(&order->fds[CAST_CHANNEL]);
	if (rc == 0)
		rc = cast_born(ours, order->mold, stall_ms, guest, pidfd);
	if (rc == 0)
		*channel = take_fd(&ours);
	return rc;
}

static int cast_ask(int channel, enum cast_question question)
{
	const char byte = (char)question;

	return send(channel, &byte, 1, MSG_NOSIGNAL | MSG_DONTWAIT) < 0
		       ? -errno : 0;
}

int cast_slow(int channel)
{
	return cast_ask(channel, CAST_SLOW);
}

int cast_death(int channel, enum cast_question question, siginfo_t *info)
{
	struct cast_fate fate;
	*info = (siginfo_t){0};
	int rc = cast_ask(channel, question);

	if (rc == 0)
		rc = io_wait_readable(channel, question == CAST_LOOK
						       ? CAST_LOOK_MS
						       : CAST_BURY_MS);
	if (rc <= 0)
		return rc < 0 ? rc : -ETIMEDOUT;
	ssize_t n = recv(channel, &fate, sizeof(fate), 0);

	if (n != (ssize_t)sizeof(fate))
		return n < 0 ? -errno : -EPIPE;
	info->si_code = fate.code;
	info->si_status = fate.status;
	return 0;
}

/* ---- mold ------------------------------------------------------------ */

int cast_take(int orders, struct cast_order *order)
{
	size_t came = CAST_FDS;
	int rc = pass_receive(orders, &order->slot, sizeof(order->slot),
			      order->fds, &came, MSG_DONTWAIT);

	if (rc <= 0)
		return rc;
	if (came < CAST_ENTRIES) {
		pass_release(order->fds, came);
		return 0;
	}
	order->entries = came - CAST_ENTRIES;
	return 1;
}

void cast_release(struct cast_order *order)
{
	pass_release(order->fds, CAST_ENTRIES + order->entries);
}

int cast_answer(int channel, pid_t guest, int pidfd)
{
	const int32_t pid = guest;

	return pass_send(channel, &pid, sizeof(pid), &pidfd, guest > 0,
			 MSG_DONTWAIT);
}

int cast_hear(int channel, enum cast_question *question)
{
	char byte = 0;
	int rc = cast_receive(channel, &byte, 1, NULL, 0, MSG_DONTWAIT);

	*question = byte == CAST_LOOK	? CAST_LOOK
		    : byte == CAST_SLOW ? CAST_SLOW : CAST_BURY;
	return rc;
}

int cast_tell(int channel, const siginfo_t *info)
{
	const struct cast_fate fate = {info->si_code, info->si_status};

	return pass_send(channel, &fate, sizeof(fate), NULL, 0, MSG_DONTWAIT);
}
