/* listen - see listen.h, unix(7), tcp(7). */
#include "listen.h"

#include <errno.h>
#include <grp.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "sandbox/base/log.h"

static int listen_address(const char *path, struct sockaddr_un *address)
{
	*address = (struct sockaddr_un){.sun_family = AF_UNIX};
	if (strlen(path) >= sizeof(address->sun_path))
		return -ENAMETOOLONG;
	memcpy(address->sun_path, path, strlen(path) + 1);
	return 0;
}

/* Remove the socket file of a server that was killed. The connect() does not
 * block, because the queue of a running server may be full. */
static int listen_clear(const struct sockaddr_un *address)
{
	owned_fd int fd = socket(AF_UNIX,
				 SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK,
				 0);
	struct stat st;

	if (fd < 0)
		return -errno;
	if (lstat(address->sun_path, &st) < 0)
		return errno == ENOENT ? 0 : -errno;
	if (!S_ISSOCK(st.st_mode))
		return -EEXIST;
	if (connect(fd, (const struct sockaddr *)address,
		    sizeof(*address)) == 0 || errno != ECONNREFUSED)
		return -EADDRINUSE;
	return unlink(address->sun_path) < 0 ? -errno : 0;
}

static int listen_group(const char *path, const char *name)
{
	const struct group *group = *name ? getgrnam(name) : NULL;

	if (!*name)
		return 0;
	if (!group)
		return -ENOENT;
	return chown(path, (uid_t)-1, group->gr_gid) < 0 ? -errno : 0;
}

static int listen_open(const struct sockaddr_un *address, unsigned mode,
		       const char *group, unsigned backlog, const char **step)
{
	owned_fd int fd = socket(AF_UNIX,
				 SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK,
				 0);

	*step = "make a socket";
	if (fd < 0)
		return -errno;
	*step = "bind";
	mode_t before = umask(0177);
	int rc = bind(fd, (const struct sockaddr *)address, sizeof(*address));

	umask(before);
	if (rc < 0) {
		if (errno == ENOENT)
			*step = "bind: its directory is missing";
		return -errno;
	}
	*step = "give it to the group";
	rc = listen_group(address->sun_path, group);
	if (rc < 0)
		return rc;
	*step = "set its mode";
	if (chmod(address->sun_path, mode) < 0)
		return -errno;
	*step = "listen";
	if (listen(fd, (int)backlog) < 0)
		return -errno;
	return take_fd(&fd);
}

int listen_unix(const char *path, unsigned mode, const char *group,
		unsigned backlog, char error[LISTEN_ERROR_MAX])
{
	struct sockaddr_un address;
	const char *step = "use this name";
	int rc = listen_address(path, &address);

	if (*group && !getgrnam(group)) {
		snprintf(error, LISTEN_ERROR_MAX,
			 "server.socket_group = %.100s: there is no such group",
			 group);
		return -ENOENT;
	}
	if (rc == 0) {
		step = "remove the old socket (does another server run?)";
		rc = listen_clear(&address);
	}
	if (rc == 0)
		rc = listen_open(&address, mode, group, backlog, &step);
	if (rc < 0)
		snprintf(error, LISTEN_ERROR_MAX, "socket %.120s: %s: %s",
			 path, step, log_errno(rc));
	return rc;
}

/* ---- internet -------------------------------------------------------- */

/* Connections inherit these. An answer's last piece must not wait for the
 * peer's acknowledgement of the one before it, and a peer that vanished without
 * a word is noticed. An address of IPv6 stands for IPv6 alone. */
static const struct {
	int level, name;
} listen_tcp_options[] = {
	{SOL_SOCKET, SO_REUSEADDR},
	{SOL_SOCKET, SO_KEEPALIVE},
	{IPPROTO_TCP, TCP_NODELAY},
	{IPPROTO_IPV6, IPV6_V6ONLY},
};

static int listen_tcp_bind(const struct address_listen *at)
{
	const int on = 1, family = at->at.any.sa_family;
	owned_fd int fd = socket(family,
				 SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	for (size_t i = 0; fd >= 0 && i < ARRAY_LEN(listen_tcp_options); i++) {
		const int level = listen_tcp_options[i].level;

		if ((level != IPPROTO_IPV6 || family == AF_INET6) &&
		    setsockopt(fd, level, listen_tcp_options[i].name, &on,
			       sizeof(on)) < 0)
			return -errno;
	}
	if (fd < 0 || bind(fd, &at->at.any, at->size) < 0)
		return -errno;
	return take_fd(&fd);
}

int listen_tcp(const struct address_listen *at, unsigned backlog,
	       char error[LISTEN_ERROR_MAX])
{
	owned_fd int fd = listen_tcp_bind(at);
	int rc = fd;

	if (fd >= 0 && listen(fd, (int)backlog) < 0)
		rc = -errno;
	if (rc >= 0)
		return take_fd(&fd);
	snprintf(error, LISTEN_ERROR_MAX, "server.listen %s: %s", at->text,
		 log_errno(rc));
	return rc;
}

int listen_tcp_try(const struct address_listen *at)
{
	owned_fd int fd = listen_tcp_bind(at);

	return fd < 0 ? fd : 0;
}
