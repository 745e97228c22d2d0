/* listen_queue - see listen_queue.h. */
#include "listen_queue.h"

#include <errno.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>

int listen_queue_open(void)
{
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK,
			NETLINK_SOCK_DIAG);

	return fd < 0 ? -errno : fd;
}

/* Find the attribute with the lengths in the answer of SIZE bytes. */
static int listen_queue_read(const char *answer, size_t size)
{
	const size_t head = NLMSG_SPACE(sizeof(struct unix_diag_msg));
	struct nlmsghdr message;

	if (size < head)
		return -EPROTO;
	memcpy(&message, answer, sizeof(message));
	if (message.nlmsg_type != SOCK_DIAG_BY_FAMILY ||
	    message.nlmsg_len > size)
		return -EPROTO;
	for (size_t at = head; at + RTA_LENGTH(0) <= message.nlmsg_len;) {
		struct rtattr attribute;
		struct unix_diag_rqlen length;

		memcpy(&attribute, answer + at, sizeof(attribute));
		if (attribute.rta_len < RTA_LENGTH(0) ||
		    attribute.rta_len > message.nlmsg_len - at)
			return -EPROTO;
		if (attribute.rta_type == UNIX_DIAG_RQLEN &&
		    attribute.rta_len >= RTA_LENGTH(sizeof(length))) {
			memcpy(&length, answer + at + RTA_LENGTH(0),
			       sizeof(length));
			return (int)(length.udiag_rqueue & 0x7fffffff);
		}
		at += RTA_ALIGN(attribute.rta_len);
	}
	return -ENODATA;
}

/* The kernel answers before send(2) returns. */
int listen_queue_length(int diag, int listener)
{
	struct {
		struct nlmsghdr head;
		struct unix_diag_req ask;
	} sent = {
		.head = {.nlmsg_len = sizeof(sent),
			 .nlmsg_type = SOCK_DIAG_BY_FAMILY,
			 .nlmsg_flags = NLM_F_REQUEST},
		.ask = {.sdiag_family = AF_UNIX,
			.udiag_states = 1u << 10, /* TCP_LISTEN */
			.udiag_show = UDIAG_SHOW_RQLEN,
			.udiag_cookie = {~0u, ~0u}}};
	char answer[1024];
	struct stat st;

	if (fstat(listener, &st) < 0)
		return -errno;
	sent.ask.udiag_ino = (uint32_t)st.st_ino;
	if (send(diag, &sent, sizeof(sent), 0) < 0)
		return -errno;
	ssize_t size = recv(diag, answer, sizeof(answer), 0);

	return size < 0 ? -errno : listen_queue_read(answer, (size_t)size);
}

int listen_queue_length_tcp(int listener)
{
	struct tcp_info info = {0};
	socklen_t size = sizeof(info);

	/* Of a listening socket this field has the queue's length. */
	return getsockopt(listener, IPPROTO_TCP, TCP_INFO, &info, &size) == 0 &&
			       info.tcpi_state == TCP_LISTEN
		       ? (int)info.tcpi_unacked
		       : 0;
}
