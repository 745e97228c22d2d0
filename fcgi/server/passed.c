/* passed - see passed.h. */
#include "passed.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "sandbox/base/log.h"
#include "service_variables.h"

#define PASSED_FIRST 3 /* descriptor */
#define PASSED_MAX 2
#define PASSED_NAMES_MAX 256

static int passed_refuse(char error[PASSED_ERROR_MAX], const char *why)
{
	snprintf(error, PASSED_ERROR_MAX, "socket activation: %s", why);
	return -EINVAL;
}

static bool passed_option_is(int fd, int option, int value)
{
	int found = -1;
	socklen_t size = sizeof(found);

	return getsockopt(fd, SOL_SOCKET, option, &found, &size) == 0 &&
	       found == value;
}

/* Is FD a unix stream socket that listens? */
static bool passed_listens(int fd)
{
	return passed_option_is(fd, SO_DOMAIN, AF_UNIX) &&
	       passed_option_is(fd, SO_TYPE, SOCK_STREAM) &&
	       passed_option_is(fd, SO_ACCEPTCONN, 1);
}

/* Returns the text of FD's address; "" if it has no path. */
static const char *passed_address(int fd, struct sockaddr_un *address)
{
	socklen_t size = sizeof(*address);

	*address = (struct sockaddr_un){0};
	if (getsockname(fd, (struct sockaddr *)address, &size) < 0)
		*address->sun_path = '\0';
	/* A path may fill all of sun_path. */
	address->sun_path[sizeof(address->sun_path) - 1] = '\0';
	return address->sun_path;
}

/* Check FD, which has the name NAME, and prepare it as listen_unix() does. */
static int passed_check(int fd, const char *name, const char *path,
			unsigned backlog, char error[PASSED_ERROR_MAX])
{
	struct sockaddr_un address;
	char why[PASSED_ERROR_MAX - 32];
	int flags = fcntl(fd, F_GETFL);

	if (flags < 0 || !passed_listens(fd)) {
		snprintf(why, sizeof(why),
			 "descriptor %d (%s) is not a unix stream socket that "
			 "listens",
			 fd, name);
		return passed_refuse(error, why);
	}
	if (strcmp(passed_address(fd, &address), path) != 0) {
		snprintf(why, sizeof(why),
			 "%s listens on \"%.108s\", but server.%s%s is %.108s",
			 name, address.sun_path, name,
			 strcmp(name, "status") == 0 ? "_socket" : "", path);
		return passed_refuse(error, why);
	}
	if (fcntl(fd, F_SETFD, FD_CLOEXEC) < 0 ||
	    fcntl(fd, F_SETFL, flags | O_NONBLOCK) < 0 ||
	    listen(fd, (int)backlog) < 0)
		return passed_refuse(error, log_errno(errno));
	return 0;
}

/* Take the descriptor FD with the NAME. */
static int passed_one(const struct conf *conf, int fd, const char *name,
		      struct passed *passed, char error[PASSED_ERROR_MAX])
{
	const struct {
		const char *name, *path;
		int *slot;
	} rows[] = {
		{"socket", conf->socket, &passed->socket},
		{"status", conf->status_socket, &passed->status},
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		if (strcmp(name, rows[i].name) != 0)
			continue;
		if (*rows[i].slot >= 0)
			return passed_refuse(error, "LISTEN_FDNAMES has a name "
						    "twice");
		*rows[i].slot = fd;
		return passed_check(fd, name, rows[i].path, conf->backlog,
				    error);
	}
	return passed_refuse(error, "LISTEN_FDNAMES may have the names "
				    "\"socket\" and \"status\" only "
				    "(FileDescriptorName= of the unit)");
}

static int passed_names(const struct conf *conf, unsigned count, char *names,
			struct passed *passed, char error[PASSED_ERROR_MAX])
{
	unsigned found = 0;
	int rc = 0;

	for (char *name; rc == 0 && (name = strsep(&names, ":")); found++) {
		if (found >= count)
			return passed_refuse(error, "LISTEN_FDNAMES has more "
						    "names than LISTEN_FDS");
		rc = passed_one(conf, PASSED_FIRST + (int)found, name, passed,
				error);
	}
	if (rc == 0 && found < count)
		return passed_refuse(error, "LISTEN_FDNAMES has fewer names "
					    "than LISTEN_FDS");
	return rc;
}

int passed_take(const struct conf *conf, struct passed *passed,
		char error[PASSED_ERROR_MAX])
{
	char names[PASSED_NAMES_MAX];
	bool is_ours = false;
	uint64_t count = 0;
	int of = service_variables_are_ours("LISTEN_PID", &is_ours);
	int rc = service_variables_number("LISTEN_FDS", &count);
	int named = service_variables_text("LISTEN_FDNAMES", names,
					   sizeof(names));

	*passed = (struct passed){.socket = -1, .status = -1};
	if (rc == -ENOENT || (of == 0 && !is_ours))
		return 0; /* meant for another process, or for none */
	if (of < 0)
		return passed_refuse(error, "LISTEN_PID is not a process id");
	if (rc < 0 || count > PASSED_MAX)
		return passed_refuse(error, "LISTEN_FDS must be 0, 1 or 2");
	if (count == 0)
		return 0;
	if (named < 0)
		return passed_refuse(error, "LISTEN_FDNAMES must name each "
					    "descriptor");
	return passed_names(conf, (unsigned)count, names, passed, error);
}
