/* cast - see cast.h. */
#include "cast.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>

#include "io.h"

#define CAST_RETRY_MS 1
#define CAST_LOOK_MS 2000 /* for what a mold does at once */

/* A death, as it is told. */
struct cast_fate {
	int32_t code, status; /* si_code, si_status */
};

union cast_control {
	struct cmsghdr head;
	char room[CMSG_SPACE(CAST_FDS * sizeof(int))];
};

static int cast_send(int fd, const void *data, size_t size, const int *fds,
		     size_t count, int flags)
{
	union cast_control control = {
		.head = {.cmsg_len = CMSG_LEN(count * sizeof(int)),
			 .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS}};
	struct iovec part = {.iov_base = (void *)data, .iov_len = size};
	struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};

	if (count > 0) {
		memcpy(CMSG_DATA(&control.head), fds, count * sizeof(int));
		message.msg_control = &control;
		message.msg_controllen = CMSG_SPACE(count * sizeof(int));
	}
	return sendmsg(fd, &message, flags | MSG_NOSIGNAL) < 0 ? -errno : 0;
}

/* How many descriptors came; those that are too many were never made. */
static size_t cast_descriptors(struct msghdr *message, int *fds)
{
	const struct cmsghdr *head = CMSG_FIRSTHDR(message);

	if (!head || head->cmsg_level != SOL_SOCKET ||
	    head->cmsg_type != SCM_RIGHTS)
		return 0;
	size_t size = head->cmsg_len - CMSG_LEN(0);

	memcpy(fds, CMSG_DATA(head), size);
	return size / sizeof(int);
}

/* A message of SIZE bytes with COUNT descriptors, or none of either. 1, 0. */
static int cast_receive(int fd, void *data, size_t size, int *fds,
			size_t count, int flags)
{
	union cast_control control;
	struct iovec part = {.iov_base = data, .iov_len = size};
	struct msghdr message = {
		.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control,
		.msg_controllen = CMSG_LEN(count * sizeof(int))};
	int got[CAST_FDS];
	ssize_t n = recvmsg(fd, &message, flags | MSG_CMSG_CLOEXEC);

	if (n < 0)
		return errno == EAGAIN || errno == EINTR ? 0
		       : errno == ECONNRESET		 ? -EPIPE
							 : -errno;
	if (n == 0)
		return -EPIPE;
	size_t came = count > 0 ? cast_descriptors(&message, got) : 0;

	if (n == (ssize_t)size && came == count) {
		for (size_t i = 0; i < count; i++)
			fds[i] = got[i];
		return 1;
	}
	for (size_t i = 0; i < came; i++)
		base_release_fd(&got[i]);
	return 0;
}

/* ---- worker ---------------------------------------------------------- */

/* The kernel bounds what messages, and what descriptors, are on their way at
 * one time. */
static int cast_send_order(int mold, const struct cast_order *order,
			   int64_t end)
{
	for (;;) {
		int rc = cast_send(mold, &order->slot, sizeof(order->slot),
				   order->fds, CAST_FDS, MSG_DONTWAIT);

		if ((rc != -ETOOMANYREFS && rc != -EAGAIN && rc != -EINTR) ||
		    io_now_ms() > end)
			return rc;
		poll(NULL, 0, CAST_RETRY_MS);
	}
}

static int cast_born(int channel, int64_t end, pid_t *guest, int *pidfd)
{
	int64_t left = end - io_now_ms();
	int32_t pid;
	int rc = left > 0 ? io_wait_readable(channel, (int)left) : 0;

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

int cast_order(int mold, struct cast_order *order, int wait_ms, pid_t *guest,
	       int *pidfd, int *channel)
{
	int64_t end = io_now_ms() + wait_ms;
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
		return -errno;
	owned_fd int ours = pair[0];

	order->fds[CAST_CHANNEL] = pair[1];
	int rc = cast_send_order(mold, order, end);

	base_release_fd(&order->fds[CAST_CHANNEL]);
	if (rc == 0)
		rc = cast_born(ours, end, guest, pidfd);
	if (rc == 0)
		*channel = take_fd(&ours);
	return rc;
}

int cast_death(int channel, enum cast_question question, siginfo_t *info)
{
	const char byte = (char)question;
	struct cast_fate fate;
	ssize_t n;

	*info = (siginfo_t){0};
	if (send(channel, &byte, 1, MSG_NOSIGNAL) < 0)
		return -errno;
	if (question == CAST_LOOK &&
	    io_wait_readable(channel, CAST_LOOK_MS) == 0)
		return -ETIMEDOUT;
	do
		n = recv(channel, &fate, sizeof(fate), 0);
	while (n < 0 && errno == EINTR);
	if (n != (ssize_t)sizeof(fate))
		return n < 0 ? -errno : -EPIPE;
	info->si_code = fate.code;
	info->si_status = fate.status;
	return 0;
}

/* ---- mold ------------------------------------------------------------ */

int cast_take(int orders, struct cast_order *order)
{
	return cast_receive(orders, &order->slot, sizeof(order->slot),
			    order->fds, CAST_FDS, MSG_DONTWAIT);
}

void cast_release(struct cast_order *order)
{
	for (size_t i = 0; i < CAST_FDS; i++)
		base_release_fd(&order->fds[i]);
}

int cast_answer(int channel, pid_t guest, int pidfd)
{
	const int32_t pid = guest;

	return cast_send(channel, &pid, sizeof(pid), &pidfd, guest > 0,
			 MSG_DONTWAIT);
}

int cast_hear(int channel, enum cast_question *question)
{
	char byte = 0;
	int rc = cast_receive(channel, &byte, 1, NULL, 0, MSG_DONTWAIT);

	*question = byte == CAST_LOOK ? CAST_LOOK : CAST_BURY;
	return rc;
}

int cast_tell(int channel, const siginfo_t *info)
{
	const struct cast_fate fate = {info->si_code, info->si_status};

	return cast_send(channel, &fate, sizeof(fate), NULL, 0, MSG_DONTWAIT);
}
