/*
 * test_fdpass - descriptors that come along with messages: those that were
 * asked for, no others, and nothing kept of a malformed message.
 */
#include "tests/unit/support.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>

#include "sandbox/base/fdpass.h"

static int pair[2];

static int open_pair(void **state)
{
	(void)state;
	return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair);
}

static int close_pair(void **state)
{
	(void)state;
	fdpass_release(pair, ARRAY_LEN(pair));
	return 0;
}

/* The lowest number that is free: nothing leaks if it stays the same. */
static int lowest(void)
{
	int fd = dup(0);

	close(fd);
	return fd;
}

static void send_word(const char *word, size_t size, size_t count)
{
	int fds[FDPASS_FDS_MAX];

	for (size_t i = 0; i < FDPASS_FDS_MAX; i++)
		fds[i] = pair[0];
	assert_int_equal(fdpass_send(pair[0], word, size, fds, count, 0), 0);
}

/* The result; ROOM descriptors are taken, CAME have arrived. */
static int receive_word(size_t size, size_t room, size_t *came)
{
	char word[16];
	int fds[FDPASS_FDS_MAX];

	*came = room;
	int rc = fdpass_receive(pair[1], word, size, fds, came, MSG_DONTWAIT);

	if (rc <= 0)
		return rc;
	assert_memory_equal(word, "word", size);
	for (size_t i = 0; i < *came; i++)
		assert_int_equal(fcntl(fds[i], F_GETFD), FD_CLOEXEC);
	fdpass_release(fds, *came);
	return rc;
}

static void what_is_sent_comes(void **state)
{
	const int before = lowest();

	(void)state;
	for (size_t count = 0; count <= FDPASS_FDS_MAX; count++) {
		size_t came;

		send_word("word", 4, count);
		assert_int_equal(receive_word(4, count, &came), 1);
		assert_int_equal(came, count);
	}
	assert_int_equal(lowest(), before);
}

/* Nor are those kept that there was room for. */
static void too_many_are_never_made(void **state)
{
	const int before = lowest();
	size_t came;

	(void)state;
	send_word("word", 4, 3);
	assert_int_equal(receive_word(4, 1, &came), 0);
	send_word("word", 4, 3);
	assert_int_equal(receive_word(4, 0, &came), 0);
	assert_int_equal(lowest(), before);
}

static void of_another_size_nothing_is_kept(void **state)
{
	const int before = lowest();
	size_t came;

	(void)state;
	send_word("word", 4, 2);
	assert_int_equal(receive_word(3, 2, &came), 0); /* too long */
	send_word("word", 4, 2);
	assert_int_equal(receive_word(5, 2, &came), 0); /* too short */
	send_word("", 0, 1);
	assert_int_equal(receive_word(4, 1, &came), 0);
	assert_int_equal(lowest(), before);
}

static void nothing_there_and_nobody_there(void **state)
{
	size_t came;

	(void)state;
	assert_int_equal(receive_word(4, 1, &came), 0);
	base_release_fd(&pair[0]);
	assert_int_equal(receive_word(4, 1, &came), -EPIPE);
	assert_int_equal(fdpass_send(pair[1], "word", 4, NULL, 0, 0), -EPIPE);
}

static void more_than_one_message_takes_is_refused(void **state)
{
	size_t came = FDPASS_FDS_MAX + 1;
	char word[4];

	(void)state;
	assert_int_equal(
		fdpass_send(pair[0], "word", 4, pair, FDPASS_FDS_MAX + 1, 0),
		-EINVAL);
	assert_int_equal(fdpass_receive(pair[1], word, 4, pair, &came, 0),
			 -EINVAL);
}

#define WITH_PAIR(test)                                                      \
	cmocka_unit_test_setup_teardown(test, open_pair, close_pair)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_PAIR(what_is_sent_comes),
		WITH_PAIR(too_many_are_never_made),
		WITH_PAIR(of_another_size_nothing_is_kept),
		WITH_PAIR(nothing_there_and_nobody_there),
		WITH_PAIR(more_than_one_message_takes_is_refused),
	};

	return cmocka_run_group_tests_name("pass", tests, NULL, NULL);
}
