/* session_order - see session_order.h. */
#include "session_order.h"

#include <poll.h>
#include <string.h>
#include <sys/socket.h>

#include "sandbox/base/fdpass.h"

int session_order_send(int fd, const void *data, size_t size, int with)
{
	return fdpass_send(fd, data, size, &with, with >= 0, MSG_DONTWAIT);
}

int session_order_receive(int fd, void *data, size_t size, int *with)
{
	size_t count = 1;
	int got = -1;
	int rc = fdpass_receive(fd, data, size, &got, &count, MSG_DONTWAIT);

	if (rc <= 0)
		got = -1;
	if (with)
		*with = got;
	else
		base_release_fd(&got);
	return rc;
}

int session_order_give(int fd, const struct session_order *order, int with)
{
	const size_t size = offsetof(struct session_order, note) +
			    strlen(order->note);

	return session_order_send(fd, order, size, with);
}

int session_order_take(int fd, struct session_order *order, int *with)
{
	size_t count = 1;
	int rc = fdpass_receive_most(fd, order,
				     offsetof(struct session_order, note),
				     sizeof(*order), with, &count,
				     MSG_DONTWAIT);

	if (rc <= 0 || count == 0)
		*with = -1;
	return rc;
}

bool session_order_is_wanted(int channel)
{
	struct pollfd polled = {.fd = channel, .events = POLLRDHUP};

	return poll(&polled, 1, 0) == 0;
}

size_t session_order_name(const char *owner)
{
	return strcspn(owner, "|");
}

bool session_order_succeeds(const char *owner, const char *other)
{
	const size_t size = session_order_name(owner);

	return owner[size] == '|' && session_order_name(other) == size &&
	       memcmp(owner, other, size) == 0 &&
	       strcmp(owner + size, other + size) > 0;
}

static bool session_order_is_name(const char *text, size_t room)
{
	return memchr(text, '\0', room) != NULL && *text;
}

bool session_order_is_sane(const struct session_order *order)
{
	if (order->kind >= SESSION_ORDER_KINDS ||
	    !memchr(order->owner, '\0', sizeof(order->owner)) ||
	    !session_order_is_name(order->id, sizeof(order->id)) ||
	    !memchr(order->note, '\0', sizeof(order->note)))
		return false;
	return order->kind != SESSION_ORDER_FORK ||
	       session_order_is_name(order->other, sizeof(order->other));
}
