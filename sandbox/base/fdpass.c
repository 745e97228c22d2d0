/* fdpass - see fdpass.h. */
#include "fdpass.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

union fdpass_control {
	struct cmsghdr head;
	char room[CMSG_SPACE(FDPASS_FDS_MAX * sizeof(int))];
};

int fdpass_send(int fd, const void *data, size_t size, const int *fds,
		size_t count, int flags)
{
	union fdpass_control control = {
		.head = {.cmsg_len = CMSG_LEN(count * sizeof(int)),
			 .cmsg_level = SOL_SOCKET,
			 .cmsg_type = SCM_RIGHTS}};
	struct iovec part = {.iov_base = (void *)data, .iov_len = size};
	struct msghdr message = {
		.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control,
		.msg_controllen = CMSG_SPACE(count * sizeof(int))};

	if (count > FDPASS_FDS_MAX)
		return -EINVAL;
	flags |= MSG_NOSIGNAL;
	if (count == 0)
		return send(fd, data, size, flags) < 0 ? -errno : 0;
	memcpy(CMSG_DATA(&control.head), fds, count * sizeof(int));
	return sendmsg(fd, &message, flags) < 0 ? -errno : 0;
}

/* Copy the received descriptors to FDS and return their number. The kernel does
 * not make descriptors that exceed the control buffer. */
static size_t fdpass_descriptors(struct msghdr *message, int *fds)
{
	const struct cmsghdr *head = CMSG_FIRSTHDR(message);

	if (!head || head->cmsg_level != SOL_SOCKET ||
	    head->cmsg_type != SCM_RIGHTS)
		return 0;
	size_t size = head->cmsg_len - CMSG_LEN(0);

	memcpy(fds, CMSG_DATA(head), size);
	return size / sizeof(int);
}

int fdpass_receive_most(int fd, void *data, size_t least, size_t size,
			int *fds, size_t *count, int flags)
{
	union fdpass_control control;
	struct iovec part = {.iov_base = data, .iov_len = size};
	/* CMSG_LEN(), because CMSG_SPACE() may have room for one more
	 * descriptor, which the kernel would make. */
	struct msghdr message = {
		.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control,
		.msg_controllen = CMSG_LEN(*count * sizeof(int))};

	if (*count > FDPASS_FDS_MAX)
		return -EINVAL;
	ssize_t n = recvmsg(fd, &message, flags | MSG_CMSG_CLOEXEC);

	if (n < 0)
		return errno == EAGAIN || errno == EINTR ? 0
		       : errno == ECONNRESET		 ? -EPIPE
							 : -errno;
	*count = fdpass_descriptors(&message, fds);
	if (n == 0 && *count == 0)
		return -EPIPE;
	if (n >= (ssize_t)least &&
	    !(message.msg_flags & (MSG_TRUNC | MSG_CTRUNC))) {
		memset((char *)data + n, 0, size - (size_t)n);
		return 1;
	}
	fdpass_release(fds, *count);
	return 0;
}

int fdpass_receive(int fd, void *data, size_t size, int *fds, size_t *count,
		   int flags)
{
	return fdpass_receive_most(fd, data, size, size, fds, count, flags);
}

void fdpass_release(int *fds, size_t count)
{
	for (size_t i = 0; i < count; i++)
		base_release_fd(&fds[i]);
}
