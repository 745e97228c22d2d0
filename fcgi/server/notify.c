/* notify - see notify.h. */
#include "notify.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "sandbox/base/base.h"

void notify_send(const char *state)
{
	const char *path = getenv("NOTIFY_SOCKET");
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	size_t size = path ? strlen(path) : 0;

	if (size == 0 || size >= sizeof(address.sun_path))
		return;
	memcpy(address.sun_path, path, size);
	if (path[0] == '@') /* an abstract name */
		address.sun_path[0] = '\0';
	owned_fd int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return;
	/* Ignore a failure: if systemd does not receive it, it does not wait
	 * for it. */
	(void)!sendto(fd, state, strlen(state),
		       MSG_NOSIGNAL | MSG_DONTWAIT,
		      (const struct sockaddr *)&address,
		      (socklen_t)(offsetof(struct sockaddr_un, sun_path) +
				  size));
}
