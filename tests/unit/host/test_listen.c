/*
 * test_listen - the server's unix sockets: their names, modes, groups, and
 * files that are there already.
 */
#include "tests/unit/support.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>

#include "fcgi/host/listen.h"

static char *dir;
static char error[LISTEN_ERROR_MAX];

static int make_dir(void **state)
{
	(void)state;
	dir = support_dir();
	memset(error, 0, sizeof(error));
	return 0;
}

static int remove_dir(void **state)
{
	(void)state;
	support_remove(&dir);
	return 0;
}

static int dial(const char *path)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK,
			0);

	assert_true(strlen(path) < sizeof(address.sun_path));
	strcpy(address.sun_path, path);
	if (connect(fd, (struct sockaddr *)&address, sizeof(address)) < 0) {
		int saved = -errno;

		close(fd);
		return saved;
	}
	return fd;
}

static void a_client_gets_through(void **state)
{
	const char *path = support_path(dir, "s");
	int fd = listen_unix(path, 0660, "", 8, error);
	struct stat st;

	(void)state;
	assert_true(fd >= 0);
	assert_string_equal(error, "");
	assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC);
	assert_true(fcntl(fd, F_GETFL) & O_NONBLOCK);
	assert_int_equal(accept(fd, NULL, NULL), -1);
	assert_int_equal(errno, EAGAIN);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0660);
	int client = dial(path);

	assert_true(client >= 0);
	int server = accept(fd, NULL, NULL);

	assert_true(server >= 0);
	close(client);
	close(server);
	close(fd);
}

static void the_mode_does_not_depend_on_the_umask(void **state)
{
	static const unsigned modes[] = {0600, 0660, 0666, 0000};
	mode_t before = umask(0);

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(modes); i++) {
		struct stat st;

		umask(i % 2 ? 0777 : 0);
		int fd = listen_unix(support_path(dir, "s"), modes[i], "", 1,
				     error);

		assert_int_equal(umask(0), i % 2 ? 0777 : 0);
		assert_true(fd >= 0);
		assert_int_equal(stat(support_path(dir, "s"), &st), 0);
		assert_int_equal(st.st_mode & 07777, modes[i]);
		close(fd);
	}
	umask(before);
}

static void a_dead_servers_socket_is_replaced(void **state)
{
	const char *path = support_path(dir, "s");

	(void)state;
	for (int i = 0; i < 3; i++) {
		int fd = listen_unix(path, 0600, "", 1, error);

		assert_true(fd >= 0);
		close(fd);
	}
}

static void a_living_servers_socket_is_not(void **state)
{
	char path[128];

	(void)state;
	snprintf(path, sizeof(path), "%s", support_path(dir, "s"));
	int fd = listen_unix(path, 0600, "", 1, error);

	assert_true(fd >= 0);
	assert_int_equal(listen_unix(path, 0600, "", 1, error), -EADDRINUSE);
	assert_non_null(strstr(error, path));
	assert_non_null(strstr(error, "does another server run?"));
	assert_true(dial(path) >= 0); /* it still serves */
	close(fd);
}

static int listen_once_more(void *context)
{
	alarm(5); /* dies of it when it waits */
	return listen_unix(context, 0600, "", 1, error) != -EADDRINUSE;
}

/* One that does not accept at the moment is alive as well. */
static void nor_that_of_one_whose_queue_is_full(void **state)
{
	char path[128];
	int fds[64], count = 0;

	(void)state;
	snprintf(path, sizeof(path), "%s", support_path(dir, "s"));
	int fd = listen_unix(path, 0600, "", 1, error);

	while (count < 64 && (fds[count] = dial(path)) >= 0)
		count++;
	assert_in_range(count, 1, 63);
	assert_int_equal(support_in_child(listen_once_more, path), 0);
	while (count > 0)
		close(fds[--count]);
	close(fd);
}

static void what_is_no_socket_stays(void **state)
{
	(void)state;
	support_write(dir, "s", "precious");
	assert_int_equal(listen_unix(support_path(dir, "s"), 0600, "", 1,
				     error), -EEXIST);
	assert_string_equal(support_read(dir, "s"), "precious");
	assert_int_equal(symlink("s", support_path(dir, "l")), 0);
	assert_int_equal(listen_unix(support_path(dir, "l"), 0600, "", 1,
				     error), -EEXIST);
}

static void a_name_may_be_so_long(void **state)
{
	char path[256];
	size_t most = sizeof(((struct sockaddr_un *)0)->sun_path) - 1;

	(void)state;
	memset(path, 'p', sizeof(path));
	memcpy(path, dir, strlen(dir));
	path[strlen(dir)] = '/';
	path[most] = '\0';
	int fd = listen_unix(path, 0600, "", 1, error);

	assert_true(fd >= 0);
	close(fd);
	path[most] = 'p';
	path[most + 1] = '\0';
	assert_int_equal(listen_unix(path, 0600, "", 1, error),
			 -ENAMETOOLONG);
	assert_non_null(strstr(error, "use this name"));
	path[250] = '\0';
	assert_true(listen_unix(path, 0600, "", 1, error) < 0);
	assert_true(strlen(error) < LISTEN_ERROR_MAX);
}

static void a_place_that_is_not_there(void **state)
{
	(void)state;
	assert_int_equal(listen_unix("/nowhere/at/all", 0600, "", 1, error),
			 -ENOENT);
	assert_non_null(strstr(error, "bind: its directory is missing"));
}

static void a_group_must_exist(void **state)
{
	(void)state;
	assert_int_equal(listen_unix(support_path(dir, "s"), 0600,
				     "no-such-group-here", 1, error),
			 -ENOENT);
	assert_non_null(strstr(error, "server.socket_group = no"));
}

static void a_group_gets_the_socket(void **state)
{
	const struct group *group = getgrnam("nogroup");
	struct stat st;

	(void)state;
	if (geteuid() != 0 || !group)
		support_skip("only root may give a file to group nogroup");
	int fd = listen_unix(support_path(dir, "s"), 0660, "nogroup", 1,
			     error);

	assert_true(fd >= 0);
	assert_int_equal(stat(support_path(dir, "s"), &st), 0);
	assert_int_equal(st.st_gid, group->gr_gid);
	assert_int_equal(st.st_mode & 07777, 0660);
	close(fd);
}

#define IN_DIR(test)                                                         \
	cmocka_unit_test_setup_teardown(test, make_dir, remove_dir)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_DIR(a_client_gets_through),
		IN_DIR(the_mode_does_not_depend_on_the_umask),
		IN_DIR(a_dead_servers_socket_is_replaced),
		IN_DIR(a_living_servers_socket_is_not),
		IN_DIR(nor_that_of_one_whose_queue_is_full),
		IN_DIR(what_is_no_socket_stays),
		IN_DIR(a_name_may_be_so_long),
		IN_DIR(a_place_that_is_not_there),
		IN_DIR(a_group_must_exist),
		IN_DIR(a_group_gets_the_socket),
	};

	return cmocka_run_group_tests_name("listen", tests, NULL, NULL);
}
