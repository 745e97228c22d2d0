/* notify - see notify.h, sd_notify(3), sd_watchdog_enabled(3). */
#include "notify.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>

#include "sandbox/base/io.h"
#include "service_variables.h"

#define NOTIFY_TEXT_MAX 400
/* The caller reports at most five times a second, so it could not keep a
 * shorter time for sure. */
#define NOTIFY_WATCHDOG_MIN_US 1000000
/* Time for the end of a stop: killing, and removing control groups. */
#define NOTIFY_STOP_MORE_S 15

static struct notify {
	struct sockaddr_un address;
	socklen_t size; /* 0: there is no service manager */
	int64_t watchdog_ms; /* between two reports; 0: none are wanted */
	int64_t watchdog_next;
} notify;

static int notify_take_socket(char error[NOTIFY_ERROR_MAX])
{
	char name[sizeof(notify.address.sun_path) + 1];
	int rc = service_variables_text("NOTIFY_SOCKET", name, sizeof(name));
	const size_t size = strlen(name);

	if (rc == -ENOENT)
		return 0;
	if (rc < 0 || size >= sizeof(notify.address.sun_path) || size < 2 ||
	    (name[0] != '/' && name[0] != '@')) {
		snprintf(error, NOTIFY_ERROR_MAX,
			 "NOTIFY_SOCKET must be an absolute path or an "
			 "abstract name (@NAME) of 2 to %zu bytes",
			 sizeof(notify.address.sun_path) - 1);
		return -EINVAL;
	}
	notify.address.sun_family = AF_UNIX;
	memcpy(notify.address.sun_path, name, size);
	if (name[0] == '@')
		notify.address.sun_path[0] = '\0';
	notify.size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) +
				  size);
	return 0;
}

static int notify_take_watchdog(char error[NOTIFY_ERROR_MAX])
{
	bool is_ours = false;
	uint64_t us = 0;
	int rc = service_variables_are_ours("WATCHDOG_PID", &is_ours);

	if (rc < 0) {
		snprintf(error, NOTIFY_ERROR_MAX,
			 "WATCHDOG_PID is not a process id");
		return rc;
	}
	rc = service_variables_number("WATCHDOG_USEC", &us);
	if (rc == -ENOENT)
		return 0;
	if (rc < 0 || us < NOTIFY_WATCHDOG_MIN_US || us > INT64_MAX) {
		snprintf(error, NOTIFY_ERROR_MAX,
			 "WATCHDOG_USEC must be a number of microseconds, %d "
			 "(1 s) or more",
			 NOTIFY_WATCHDOG_MIN_US);
		return -EINVAL;
	}
	if (is_ours)
		notify.watchdog_ms = (int64_t)(us / 2000);
	return 0;
}

int notify_init(char error[NOTIFY_ERROR_MAX])
{
	int rc = notify_take_socket(error);

	return rc < 0 ? rc : notify_take_watchdog(error);
}

int notify_hand_over(void)
{
	char name[sizeof(notify.address.sun_path) + 1] = "";
	char watchdog[24];
	int rc = 0;

	if (notify.size > 0) {
		memcpy(name, notify.address.sun_path,
		       notify.size - offsetof(struct sockaddr_un, sun_path));
		if (*name == '\0')
			*name = '@';
		rc = setenv("NOTIFY_SOCKET", name, 1);
	}
	if (rc == 0 && notify.watchdog_ms > 0) {
		snprintf(watchdog, sizeof(watchdog), "%lld",
			 (long long)notify.watchdog_ms * 2000);
		rc = setenv("WATCHDOG_USEC", watchdog, 1);
	}
	return rc < 0 ? -errno : 0;
}

void notify_take_back(void)
{
	unsetenv("NOTIFY_SOCKET");
	unsetenv("WATCHDOG_USEC");
}

void notify_send(const char *state)
{
	if (notify.size == 0)
		return;
	owned_fd int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return;
	/* Ignore a failure: if the service manager does not receive it, it does
	 * not wait for it. */
	(void)!sendto(fd, state, strlen(state), MSG_NOSIGNAL | MSG_DONTWAIT,
		      (const struct sockaddr *)&notify.address, notify.size);
}

void notify_status(const char *fmt, ...)
{
	char text[NOTIFY_TEXT_MAX] = "STATUS=";
	const size_t head = strlen(text);
	va_list args;

	va_start(args, fmt);
	vsnprintf(text + head, sizeof(text) - head, fmt, args);
	va_end(args);
	/* A line feed would begin another variable. */
	for (char *at = text; *at; at++)
		if ((unsigned char)*at < ' ')
			*at = ' ';
	notify_send(text);
}

void notify_reloading(void)
{
	char text[80];
	struct timespec now;

	/* systemd compares it with the time of its signal. */
	clock_gettime(CLOCK_MONOTONIC, &now);
	snprintf(text, sizeof(text), "RELOADING=1\nMONOTONIC_USEC=%lld",
		 (long long)now.tv_sec * 1000000 + now.tv_nsec / 1000);
	notify_send(text);
}

void notify_stopping(unsigned stop_s)
{
	char text[80];

	/* Otherwise the unit's TimeoutStopSec would have to follow
	 * pool.stop_timeout_s. */
	snprintf(text, sizeof(text), "STOPPING=1\nEXTEND_TIMEOUT_USEC=%llu",
		 ((unsigned long long)stop_s + NOTIFY_STOP_MORE_S) * 1000000);
	notify_send(text);
}

void notify_alive(void)
{
	const int64_t now = notify.watchdog_ms ? io_now_ms() : 0;

	if (notify.watchdog_ms == 0 || now < notify.watchdog_next)
		return;
	notify.watchdog_next = now + notify.watchdog_ms;
	notify_send("WATCHDOG=1");
}
