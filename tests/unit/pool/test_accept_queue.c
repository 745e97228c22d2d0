/*
 * test_accept_queue - which waiting process takes a connection. The processes
 * wait as workers do, at a socket of their own.
 */
#include "tests/unit/support.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fcgi/host/listen.h"
#include "fcgi/pool/accept_queue.h"
#include "sandbox/base/pidfd.h"

#define SOON_MS 500 /* less than a second, after which all look anyway */
#define WAITERS 4

static char *dir;
static struct accept_queue accept_queue;
/* A process that takes a connection writes its name to TAKEN. */
static int leave[2], taken[2];

static int open_turn(void **state)
{
	char error[LISTEN_ERROR_MAX];

	(void)state;
	dir = support_dir();
	if (pipe(leave) < 0 || pipe(taken) < 0)
		return -1;
	const struct accept_queue_plan plan = {
		.listener = listen_unix(support_path(dir, "s"), 0600, "", 64,
					error),
		.queue = -1, .leave = leave[0]};

	return accept_queue_open(&accept_queue, &plan);
}

static int close_turn(void **state)
{
	(void)state;
	close(accept_queue.listeners[0]);
	accept_queue_close(&accept_queue);
	for (int i = 0; i < 2; i++) {
		base_release_fd(&leave[i]);
		base_release_fd(&taken[i]);
	}
	support_remove(&dir);
	return 0;
}

static void dial(void)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	snprintf(address.sun_path, sizeof(address.sun_path), "%.100s",
		 support_path(dir, "s"));
	assert_int_equal(connect(fd, (struct sockaddr *)&address,
				 sizeof(address)), 0);
	close(fd);
}

/* Its exit status: 0, or the error. */
static int be_waiter(int guest, char name)
{
	struct accepted call = {0};

	close(leave[1]);
	int rc = accept_queue_take(&accept_queue, guest, 1000, &call);

	if (rc >= 0 && write(taken[1], &name, 1) == 1)
		return call.waited ? 0 : 99;
	return -rc;
}

/* It waits when it has gone to sleep: there is nothing else to sleep for. */
static bool sleeps(pid_t pid)
{
	char name[32];

	snprintf(name, sizeof(name), "%d/stat", pid);
	return strstr(support_read("/proc", name), ") S ") != NULL;
}

static pid_t start_waiter(int guest, char name)
{
	pid_t pid = support_fork();

	if (pid == 0)
		_exit(be_waiter(guest, name));
	for (int tries = 0; tries < 2000 && !sleeps(pid); tries++)
		poll(NULL, 0, 1);
	return pid;
}

/* The name of the process that took one; 0: none. */
static char who_took(void)
{
	struct pollfd polled = {.fd = taken[0], .events = POLLIN};
	char name = 0;

	if (poll(&polled, 1, SOON_MS) == 1)
		assert_int_equal(read(taken[0], &name, 1), 1);
	return name;
}

static void who_has_come_last_goes_first(void **state)
{
	pid_t waiters[WAITERS];

	(void)state;
	for (int i = 0; i < WAITERS; i++)
		waiters[i] = start_waiter(-1, (char)('a' + i));
	for (int i = WAITERS - 1; i >= 0; i--) {
		dial();
		assert_int_equal(who_took(), 'a' + i);
		assert_int_equal(support_wait(waiters[i]), 0);
	}
}

/* On one processor none of them can look before the last has come. */
static void none_waits_while_somebody_sleeps(void **state)
{
	pid_t waiters[WAITERS];
	cpu_set_t all, one;

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof(all), &all), 0);
	CPU_ZERO(&one);
	CPU_SET((unsigned)sched_getcpu(), &one);
	assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
	for (int i = 0; i < WAITERS; i++)
		waiters[i] = start_waiter(-1, 'x');
	for (int i = 0; i < WAITERS; i++)
		dial();
	for (int i = 0; i < WAITERS; i++)
		assert_int_equal(who_took(), 'x');
	for (int i = 0; i < WAITERS; i++)
		assert_int_equal(support_wait(waiters[i]), 0);
	assert_int_equal(sched_setaffinity(0, sizeof(all), &all), 0);
}

static void who_comes_late_need_not_wait(void **state)
{
	struct accepted call = {.waited = true};

	(void)state;
	dial();
	int rc = accept_queue_take(&accept_queue, -1, 1000, &call);

	assert_int_equal(rc, 0);
	assert_false(call.waited);
	close(call.connection);
}

static void all_are_told_to_leave(void **state)
{
	pid_t waiters[WAITERS];

	(void)state;
	for (int i = 0; i < WAITERS; i++)
		waiters[i] = start_waiter(-1, 'x');
	base_release_fd(&leave[1]);
	for (int i = 0; i < WAITERS; i++)
		assert_int_equal(support_wait(waiters[i]) >> 8, ECANCELED);
}

static int dead_guest(void)
{
	pid_t pid = support_fork();

	if (pid == 0)
		_exit(0);
	int fd = pidfd_of(pid);

	assert_int_equal(support_wait(pid), 0);
	return fd;
}

/* A process without a guest leaves the connection to one with a guest. */
static void a_dead_guests_worker_takes_nothing(void **state)
{
	owned_fd int guest = dead_guest();
	pid_t able = start_waiter(-1, 'a');
	pid_t bereft = start_waiter(guest, 'b');

	(void)state;
	dial();
	assert_int_equal(who_took(), 'a');
	assert_int_equal(support_wait(able), 0);
	assert_int_equal(support_wait(bereft) >> 8, ECHILD);
}

static void a_dead_guest_is_seen_soon(void **state)
{
	owned_fd int guest = dead_guest();
	pid_t bereft = start_waiter(guest, 'b');

	(void)state;
	assert_int_equal(support_wait(bereft) >> 8, ECHILD);
}

/* ---- internet -------------------------------------------------------- */

static struct address_networks allowed;

/* Listen on a free port of loopback beside the unix socket, for PEERS. Returns
 * the address. */
static struct sockaddr_in open_internet(const char *peers)
{
	struct address_listen at[ADDRESS_LISTEN_MAX];
	struct sockaddr_in address;
	socklen_t size = sizeof(address);
	char error[LISTEN_ERROR_MAX];

	assert_int_equal(address_read_listen("tcp://127.0.0.1:1", at), 1);
	memcpy(&address, &at[0].at.room, sizeof(address));
	address.sin_port = 0;
	memcpy(&at[0].at.room, &address, sizeof(address));
	const int fd = listen_tcp(at, 8, error);

	assert_true(fd >= 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &size),
			 0);
	assert_int_equal(address_read_networks(peers, &allowed), 0);
	const struct accept_queue_plan plan = {
		.listener = accept_queue.listeners[0], .tcp_first = fd,
		.tcp = 1, .allowed = &allowed, .queue = -1, .leave = leave[0]};

	accept_queue_close(&accept_queue);
	assert_int_equal(accept_queue_open(&accept_queue, &plan), 0);
	return address;
}

static int dial_internet(const struct sockaddr_in *address)
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (connect(fd, (const struct sockaddr *)address, sizeof(*address)) <
	    0) {
		close(fd);
		return -errno;
	}
	return fd;
}

static void both_sockets_are_served(void **state)
{
	const struct sockaddr_in address = open_internet("127.0.0.1");
	owned_fd int listener = accept_queue.listeners[1];
	pid_t waiters[WAITERS];

	(void)state;
	for (int i = 0; i < WAITERS; i++)
		waiters[i] = start_waiter(-1, 'x');
	for (int i = 0; i < WAITERS; i++) {
		owned_fd int fd = i % 2 ? dial_internet(&address) : -1;

		assert_true(i % 2 == 0 || fd >= 0);
		if (i % 2 == 0)
			dial();
		assert_int_equal(who_took(), 'x');
	}
	for (int i = 0; i < WAITERS; i++)
		assert_int_equal(support_wait(waiters[i]), 0);
}

/* And a connection behind it is not forgotten. */
static void a_peer_that_is_not_allowed_is_closed(void **state)
{
	const struct sockaddr_in address = open_internet("192.0.2.0/24");
	owned_fd int listener = accept_queue.listeners[1];
	owned_fd int fd = dial_internet(&address);
	struct pollfd polled = {.fd = fd, .events = POLLIN};
	struct accepted call;
	char byte;

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(accept_queue_take(&accept_queue, -1, 1000, &call),
			 -EACCES);
	assert_int_equal(poll(&polled, 1, SOON_MS), 1);
	assert_int_equal(read(fd, &byte, 1), 0);
	dial();
	assert_int_equal(accept_queue_take(&accept_queue, -1, 1000, &call), 0);
	close(call.connection);
}

/* A stop shuts an internet socket down. Workers that wait go on to wait. */
static void a_socket_that_was_shut_down_is_no_error(void **state)
{
	const struct sockaddr_in address = open_internet("127.0.0.1");
	owned_fd int listener = accept_queue.listeners[1];
	pid_t waiter = start_waiter(-1, 'x');

	(void)state;
	assert_int_equal(shutdown(listener, SHUT_RDWR), 0);
	assert_int_equal(dial_internet(&address), -ECONNREFUSED);
	assert_int_equal(who_took(), 0);
	dial();
	assert_int_equal(who_took(), 'x');
	assert_int_equal(support_wait(waiter), 0);
}

/* For the rest of a worker's life, while the others go on. */
static void it_is_left_without_a_socket(void **state)
{
	const int poller = accept_queue.poller;
	const int listener = accept_queue.listeners[0];
	pid_t other = start_waiter(-1, 'x');
	pid_t pid = support_fork();

	(void)state;
	if (pid == 0) {
		accept_queue_leave(&accept_queue);
		_exit(fcntl(poller, F_GETFD) < 0 &&
			      fcntl(listener, F_GETFD) < 0
			      ? 0 : 1);
	}
	assert_int_equal(support_wait(pid), 0);
	dial();
	assert_int_equal(who_took(), 'x');
	assert_int_equal(support_wait(other), 0);
}

#define AT_TURN(test)                                                        \
	cmocka_unit_test_setup_teardown(test, open_turn, close_turn)

int main(void)
{
	const struct CMUnitTest tests[] = {
		AT_TURN(who_has_come_last_goes_first),
		AT_TURN(none_waits_while_somebody_sleeps),
		AT_TURN(who_comes_late_need_not_wait),
		AT_TURN(all_are_told_to_leave),
		AT_TURN(a_dead_guests_worker_takes_nothing),
		AT_TURN(a_dead_guest_is_seen_soon),
		AT_TURN(it_is_left_without_a_socket),
		AT_TURN(both_sockets_are_served),
		AT_TURN(a_peer_that_is_not_allowed_is_closed),
		AT_TURN(a_socket_that_was_shut_down_is_no_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
