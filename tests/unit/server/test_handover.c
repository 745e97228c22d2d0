/*
 * test_handover - a master's state passes to another program by a file in
 * memory, and one of another format is refused.
 */
#include "tests/unit/support.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "fcgi/server/handover.h"

static struct handover *made(int kept_open)
{
	static char start[] = "start", present[] = "present text";
	struct handover *kept = handover_make();

	assert_non_null(kept);
	kept->setup = (struct setup_kept){
		.listener = kept_open, .status_listener = -1,
		.tcp = {-1, -1, -1, -1}, .claim = -1, .queue_in = -1,
		.queue_out = -1, .shares = -1, .archive_in = -1,
		.archive_out = -1, .log_in = -1, .log_started_with = -1};
	kept->generations.number = 7;
	snprintf(kept->program, sizeof(kept->program), "/there/it/is");
	kept->start = (struct bytes){start, strlen(start)};
	kept->present = (struct bytes){present, strlen(present)};
	return kept;
}

static bool closed_at_exec(int fd)
{
	return fcntl(fd, F_GETFD) & FD_CLOEXEC;
}

static void what_was_written_is_read(void **state)
{
	char error[HANDOVER_ERROR_MAX];
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	struct handover *kept = made(fd), *read;

	(void)state;
	assert_true(handover_write(kept) >= 0);
	handover_keep_open(kept);
	assert_true(!closed_at_exec(fd));
	assert_true(handover_read(&read, error) == 1);
	assert_true(closed_at_exec(fd));
	assert_true(getenv(HANDOVER_VARIABLE) == NULL);
	assert_int_equal(read->generations.number, 7);
	assert_int_equal(read->setup.listener, fd);
	assert_string_equal(read->program, "/there/it/is");
	assert_int_equal(read->start.size, 5);
	assert_string_equal(read->start.data, "start");
	assert_int_equal(read->present.size, 12);
	assert_string_equal(read->present.data, "present text");
	handover_free(&read);
	assert_true(read == NULL);
	free(kept);
	close(fd);
}

static void without_one_it_is_a_start(void **state)
{
	char error[HANDOVER_ERROR_MAX];
	struct handover *read;

	(void)state;
	unsetenv(HANDOVER_VARIABLE);
	assert_true(handover_read(&read, error) == 0);
	assert_true(read == NULL);
}

static void another_format_is_refused(void **state)
{
	static const uint64_t other = 1;
	char error[HANDOVER_ERROR_MAX] = "";
	struct handover *kept = made(-1), *read;
	int fd = handover_write(kept);

	(void)state;
	assert_true(fd >= 0);
	assert_true(pwrite(fd, &other, sizeof(other),
		     offsetof(struct handover, format)) == sizeof(other));
	assert_true(handover_read(&read, error) < 0 && read == NULL);
	assert_true(strstr(error, "restart the server"));
	free(kept);
}

static void a_short_one_and_a_wrong_number_are_refused(void **state)
{
	static const char *const numbers[] = {"", "-1", "x", "99999999999",
					      "1000000"};
	char error[HANDOVER_ERROR_MAX];
	struct handover *kept = made(-1), *read;
	int fd = handover_write(kept);

	(void)state;
	assert_true(ftruncate(fd, sizeof(*kept) + 3) == 0); /* within the texts */
	assert_true(handover_read(&read, error) < 0);
	for (size_t i = 0; i < ARRAY_LEN(numbers); i++) {
		setenv(HANDOVER_VARIABLE, numbers[i], 1);
		assert_true(handover_read(&read, error) < 0 && read == NULL);
	}
	free(kept);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_written_is_read),
		cmocka_unit_test(without_one_it_is_a_start),
		cmocka_unit_test(another_format_is_refused),
		cmocka_unit_test(a_short_one_and_a_wrong_number_are_refused),
	};

	return cmocka_run_group_tests_name("handover", tests, NULL, NULL);
}
