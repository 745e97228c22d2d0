/* call - see call.h. */
#include "call.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

union call_control {
	struct cmsghdr head;
	char room[CMSG_SPACE(sizeof(int))];
};

int call_send(int fd, const void *data, size_t size, int with)
{
	union call_control control = {
		.head = {.cmsg_len = CMSG_LEN(sizeof(int)),
			 .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS}};
	struct iovec part = {.iov_base = (void *)data, .iov_len = size};
	struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};

	if (with >= 0) {
		memcpy(CMSG_DATA(&control.head), &with, sizeof(with));
		message.msg_control = &control;
		message.msg_controllen = sizeof(control.room);
	}
	ssize_t n = with < 0 ? send(fd, data, size, MSG_NOSIGNAL | MSG_DONTWAIT)
			     : sendmsg(fd, &message,
				       MSG_NOSIGNAL | MSG_DONTWAIT);

	return n < 0 ? -errno : 0;
}

static int call_descriptor(struct msghdr *message)
{
	const struct cmsghdr *head = CMSG_FIRSTHDR(message);
	int fd;

	if (!head || head->cmsg_level != SOL_SOCKET ||
	    head->cmsg_type != SCM_RIGHTS ||
	    head->cmsg_len != CMSG_LEN(sizeof(int)))
		return -1;
	memcpy(&fd, CMSG_DATA(head), sizeof(fd));
	return fd;
}

int call_receive(int fd, void *data, size_t size, int *with)
{
	union call_control control;
	struct iovec part = {.iov_base = data, .iov_len = size};
	/* Room for one descriptor: behind it, CMSG_SPACE() has some that the
	 * kernel would put a second one into. */
	struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1,
				 .msg_control = &control,
				 .msg_controllen = CMSG_LEN(sizeof(int))};
	ssize_t n = recvmsg(fd, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);

	if (with)
		*with = -1;
	if (n < 0)
		return errno == EAGAIN || errno == EINTR ? 0
		       : errno == ECONNRESET		 ? -EPIPE
							 : -errno;
	owned_fd int got = call_descriptor(&message);

	if (n == 0 && got < 0)
		return -EPIPE;
	if (n != (ssize_t)size || message.msg_flags & MSG_TRUNC)
		return 0;
	if (with)
		*with = take_fd(&got);
	return 1;
}

static bool call_is_name(const char *text, size_t room)
{
	return memchr(text, '\0', room) != NULL && *text;
}

bool call_is_sane(const struct call_order *order)
{
	if (order->kind >= CALL_KINDS ||
	    !memchr(order->owner, '\0', sizeof(order->owner)) ||
	    !call_is_name(order->id, sizeof(order->id)))
		return false;
	return order->kind != CALL_FORK ||
	       call_is_name(order->other, sizeof(order->other));
}
