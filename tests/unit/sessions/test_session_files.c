/*
 * test_session_files - the result of calls for files as it passes: a session
 * keeper that was taken over sends a worker what it likes.
 */
#include "tests/unit/support.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "fcgi/sessions/session_files.h"

static struct transfer ends[2];

static int connect_ends(void **state)
{
	int pair[2];

	(void)state;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0,
		       pair) < 0)
		return -1;
	for (size_t i = 0; i < ARRAY_LEN(ends); i++)
		ends[i] = (struct transfer){.fd = pair[i], .client = -1};
	return 0;
}

static int close_ends(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(ends); i++)
		base_release_fd(&ends[i].fd);
	return 0;
}

static void a_result_passes_whole(void **state)
{
	owned_fd int fd = memfd_create("file", MFD_CLOEXEC);
	struct outcome_file file = {(char *)(uintptr_t)"a/b", 3, fd};
	struct home_files_entry entry = {
		.name = (char *)(uintptr_t)"x",
		.target = (char *)(uintptr_t)"/y", .size = 7, .modified = -5,
		.mode = 0644};
	const struct session_files sent = {
		.result = SESSION_FILES_MISSING, .which = 2, .failed = 3,
		.list = {&entry, 1, true},
		.got = {.files = &file, .files_count = 1}};
	struct session_files got;
	char text[4] = "";

	(void)state;
	assert_int_equal(write(fd, "123", 3), 3);
	assert_int_equal(session_files_send(&ends[0], &sent), 0);
	assert_int_equal(session_files_receive(&ends[1], 100, &got), 0);
	assert_int_equal(got.result, SESSION_FILES_MISSING);
	assert_int_equal(got.which, 2);
	assert_int_equal(got.failed, 3);
	assert_int_equal(got.list.count, 1);
	assert_true(got.list.cut);
	assert_string_equal(got.list.entries[0].name, "x");
	assert_string_equal(got.list.entries[0].target, "/y");
	assert_int_equal(got.list.entries[0].size, 7);
	assert_int_equal(got.list.entries[0].modified, -5);
	assert_int_equal(got.got.files_count, 1);
	assert_int_equal(pread(got.got.files[0].fd, text, 3, 0), 3);
	assert_string_equal(text, "123");
	session_files_free(&got);
}

/* Send the numbers of a head, then BYTES of a row. */
static int receive(const uint32_t head[5], const void *rest, size_t size)
{
	struct session_files got;

	transfer_begin(&ends[0]);
	transfer_send(&ends[0], head, 5 * sizeof(*head));
	transfer_send(&ends[0], rest, size);
	transfer_flush(&ends[0]);
	shutdown(ends[0].fd, SHUT_WR);
	int rc = session_files_receive(&ends[1], 100, &got);

	session_files_free(&got);
	return rc;
}

static void an_unknown_result_is_refused(void **state)
{
	const uint32_t head[5] = {SESSION_FILES_RESULTS};

	(void)state;
	assert_int_equal(receive(head, NULL, 0), -EPROTO);
}

static void a_list_that_is_too_long_is_refused(void **state)
{
	const uint32_t head[5] = {[3] = SESSION_FILES_LISTED + 1};

	(void)state;
	assert_int_equal(receive(head, NULL, 0), -EPROTO);
}

static void a_name_that_is_too_long_is_refused(void **state)
{
	const uint32_t head[5] = {[3] = 1};
	const uint64_t row[4] = {1, 1, 0, UINT64_MAX - 1};

	(void)state;
	assert_int_equal(receive(head, row, sizeof(row)), -EPROTO);
}

static void a_target_that_is_too_long_is_refused(void **state)
{
	const uint32_t head[5] = {[3] = 1};
	const uint64_t row[6] = {1, 1, 0, 8, UINT64_MAX, HOME_TARGET_MAX + 1};

	(void)state;
	assert_int_equal(receive(head, row, sizeof(row)), -EPROTO);
}

static void an_entry_without_a_name_is_refused(void **state)
{
	const uint32_t head[5] = {[3] = 1};
	const uint64_t row[4] = {1, 1, 0, UINT64_MAX}; /* no data */

	(void)state;
	assert_int_equal(receive(head, row, sizeof(row)), -EPROTO);
}

static void a_result_that_breaks_off_is_an_error(void **state)
{
	const uint32_t head[5] = {[3] = 2};
	const uint64_t row[3] = {1, 1, 0};

	(void)state;
	assert_int_equal(receive(head, row, sizeof(row)), -EPIPE);
}

static void more_bytes_than_are_wanted_are_refused(void **state)
{
	owned_fd int fd = memfd_create("file", MFD_CLOEXEC);
	struct outcome_file file = {(char *)(uintptr_t)"a", 3 << 20, fd};
	const struct session_files sent = {
		.got = {.files = &file, .files_count = 1}};
	struct session_files got;

	(void)state;
	const pid_t child = fork(); /* it is more than the socket holds */

	if (child == 0) {
		base_release_fd(&ends[1].fd);
		session_files_send(&ends[0], &sent);
		_exit(0);
	}
	assert_int_equal(session_files_receive(&ends[1], 1 << 20, &got),
			 -EPROTO);
	session_files_free(&got);
	base_release_fd(&ends[1].fd);
	assert_int_equal(waitpid(child, NULL, 0), child);
}

#define WITH_ENDS(test)                                                      \
	cmocka_unit_test_setup_teardown(test, connect_ends, close_ends)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_ENDS(a_result_passes_whole),
		WITH_ENDS(an_unknown_result_is_refused),
		WITH_ENDS(a_list_that_is_too_long_is_refused),
		WITH_ENDS(a_name_that_is_too_long_is_refused),
		WITH_ENDS(a_target_that_is_too_long_is_refused),
		WITH_ENDS(an_entry_without_a_name_is_refused),
		WITH_ENDS(a_result_that_breaks_off_is_an_error),
		WITH_ENDS(more_bytes_than_are_wanted_are_refused),
	};

	return cmocka_run_group_tests_name("session_files", tests, NULL, NULL);
}
