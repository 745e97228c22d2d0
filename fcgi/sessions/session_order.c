/* call - see call.h. */
#include "session_order.h"

#include <poll.h>
#include <string.h>
#include <sys/socket.h>

#include "sandbox/base/fdpass.h"

int call_send(int fd, const void *data, size_t size, int with)
{
	return pass_send(fd, data, size, &with, with >= 0, MSG_DONTWAIT);
}

int call_receive(int fd, void *data, size_t size, int *with)
{
	size_t count = 1;
	int got = -1;
	int rc = pass_receive(fd, data, size, &got, &count, MSG_DONTWAIT);

	if (rc <= 0)
		got = -1;
	if (with)
		*with = got;
	else
		base_release_fd(&got);
	return rc;
}

bool call_is_wanted(int channel)
{
	struct pollfd polled = {.fd = channel, .events = POLLRDHUP};

	return poll(&polled, 1, 0) == 0;
}

size_t call_name(const char *owner)
{
	return strcspn(owner, "|");
}

bool call_succeeds(const char *owner, const char *other)
{
	const size_t size = call_name(owner);

	return owner[size] == '|' && call_name(other) == size &&
	       memcmp(owner, other, size) == 0 &&
	       strcmp(owner + size, other + size) > 0;
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
