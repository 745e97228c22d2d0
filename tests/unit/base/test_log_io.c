/*
 * test_log_io - lines of the log, and the loops around read and write.
 */
#include "tests/unit/support.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <sys/wait.h>

#include "sandbox/base/io.h"
#include "sandbox/base/log.h"

/* ---- log ------------------------------------------------------------- */

static int log_pipe[2];

static int log_to_pipe(void **state)
{
	(void)state;
	if (pipe2(log_pipe, O_CLOEXEC | O_NONBLOCK) < 0)
		return -1;
	log_set_fd(log_pipe[1]);
	log_set_role("test");
	log_set_level(LOG_LEVEL_INFO);
	return 0;
}

static int log_to_stderr(void **state)
{
	(void)state;
	log_set_fd(2);
	log_set_level(LOG_LEVEL_INFO);
	close(log_pipe[0]);
	close(log_pipe[1]);
	return 0;
}

/* The logged text, in static memory; "" when there is none. */
static const char *logged(void)
{
	static char text[4096];
	ssize_t n = read(log_pipe[0], text, sizeof(text) - 1);

	text[n > 0 ? n : 0] = '\0';
	return text;
}

static void a_line_says_who_and_how_bad(void **state)
{
	static const int numbers[] = {3, 4, 6, 7};
	char want[128];

	(void)state;
	log_set_level(LOG_LEVEL_DEBUG);
	for (int level = 0; level < LOG_LEVELS; level++) {
		log_write((enum log_level)level, "%s %d", "fact", 7);
		snprintf(want, sizeof(want),
			 "<%d>terrarium test[%d]: fact 7\n", numbers[level],
			 getpid());
		assert_string_equal(logged(), want);
	}
}

static void lines_above_the_level_are_dropped(void **state)
{
	(void)state;
	for (int limit = 0; limit < LOG_LEVELS; limit++) {
		log_set_level((enum log_level)limit);
		for (int level = 0; level < LOG_LEVELS; level++) {
			log_write((enum log_level)level, "x");
			assert_int_equal(*logged() != '\0', level <= limit);
		}
	}
}

static void a_record_is_whole_or_missing(void **state)
{
	static const char long_line[LOG_RECORD_MAX + 1] = {[0] = '{'};

	(void)state;
	log_take_dropped();
	log_record(LOG_LEVEL_INFO, "{}", 2);
	assert_string_equal(logged(), "<6>{}\n");
	log_record(LOG_LEVEL_DEBUG, "{}", 2);
	log_record(LOG_LEVEL_INFO, long_line, sizeof(long_line));
	assert_string_equal(logged(), "");
}

static void a_line_without_room_is_counted(void **state)
{
	char text[65536];
	uint64_t lost = 0;

	(void)state;
	log_take_dropped();
	for (int i = 0; i < 100000 && lost == 0; i++) {
		log_info("a fact");
		lost += log_take_dropped();
	}
	assert_int_equal(lost, 1);
	log_info("a fact");
	assert_int_equal(log_take_dropped(), 1);
	assert_int_equal(log_take_dropped(), 0);
	while (read(log_pipe[0], text, sizeof(text)) > 0)
		;
	log_info("a fact");
	assert_int_equal(log_take_dropped(), 0);
	logged();
}

static void the_time_is_a_calendars(void **state)
{
	char ours[LOG_TIME_SIZE], theirs[LOG_TIME_SIZE];
	time_t before, after;

	(void)state;
	do { /* until the second is the same before and behind it */
		before = time(NULL);
		log_time(ours);
		after = time(NULL);
	} while (before != after);
	strftime(theirs, sizeof(theirs), "%Y-%m-%dT%H:%M:%S.",
		 gmtime(&before));
	assert_memory_equal(ours, theirs, strlen(theirs));
	assert_int_equal(ours[strlen(ours) - 1], 'Z');
}

static void the_levels_have_names(void **state)
{
	(void)state;
	for (int level = 0; level < LOG_LEVELS; level++)
		assert_non_null(log_level_names[level]);
	assert_null(log_level_names[LOG_LEVELS]);
}

static void nobody_forges_a_line(void **state)
{
	char hostile[33];
	const char *text;

	(void)state;
	for (int i = 0; i < 31; i++)
		hostile[i] = (char)(i + 1);
	hostile[31] = 0x7f;
	hostile[32] = '\0';
	log_info("%s\xc3\xa4", hostile);
	text = strchr(logged(), ':');
	assert_non_null(text);
	for (int i = 0; i < 32; i++)
		assert_int_equal(text[2 + i], '?');
	assert_string_equal(text + 34, "\xc3\xa4\n");
}

/* At every length around the limit: one line, never longer. */
static void a_long_line_is_cut(void **state)
{
	char text[2 * LOG_LINE_MAX];

	(void)state;
	for (size_t size = LOG_LINE_MAX - 64; size < LOG_LINE_MAX + 64;
	     size++) {
		memset(text, 'a', size);
		text[size] = '\0';
		log_info("%s", text);
		const char *line = logged();
		size_t got = strlen(line);

		assert_true(got <= LOG_LINE_MAX);
		assert_int_equal(line[got - 1], '\n');
		assert_ptr_equal(strchr(line, '\n'), line + got - 1);
		assert_true(got == LOG_LINE_MAX - 1 ||
			    strlen(strchr(line, ':') + 2) == size + 1);
	}
}

static void logging_keeps_errno(void **state)
{
	(void)state;
	log_set_fd(-1); /* a write that fails */
	errno = EXDEV;
	log_info("x");
	assert_int_equal(errno, EXDEV);
}

static void errors_have_words(void **state)
{
	(void)state;
	assert_string_equal(log_errno(-EACCES), "Permission denied");
	assert_string_equal(log_errno(EACCES), "Permission denied");
	assert_string_equal(log_errno(-100000), "unknown error");
}

static int die_here(void *context)
{
	(void)context;
	die("cannot %s", "go on");
}

static void dying_says_why(void **state)
{
	(void)state;
	int status = support_in_child(die_here, NULL);

	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 1);
	assert_non_null(strstr(logged(), ": cannot go on\n"));
}

/* ---- io -------------------------------------------------------------- */

static int on_alarm_count;

static void on_alarm(int signal)
{
	(void)signal;
	on_alarm_count++;
}

/* Signals that interrupt a wait every 5 ms, until stopped. */
static void interrupt(int every_us)
{
	struct sigaction action = {.sa_handler = on_alarm};

	sigaction(SIGALRM, &action, NULL);
	ualarm((useconds_t)every_us, (useconds_t)every_us);
}

#define BIG 300000

static int write_slowly(void *context)
{
	const int *ends = context;
	char *data = malloc(BIG);

	if (!data)
		return 1;
	for (size_t i = 0; i < BIG; i++)
		data[i] = (char)(i % 251);
	for (size_t at = 0; at < BIG; at += BIG / 10) {
		usleep(10000);
		if (io_write_full(ends[1], data + at, BIG / 10) < 0)
			return 2;
	}
	return 0;
}

static void reading_goes_on_after_signals(void **state)
{
	int ends[2];
	owned_free char *data = malloc(BIG);

	(void)state;
	assert_non_null(data);
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	pid_t pid = support_fork();

	if (pid == 0)
		_exit(write_slowly(ends));
	close(ends[1]);
	interrupt(5000);
	int rc = io_read_full(ends[0], data, BIG);

	interrupt(0);
	assert_int_equal(rc, 0);
	assert_true(on_alarm_count > 0);
	for (size_t i = 0; i < BIG; i++)
		if (data[i] != (char)(i % 251))
			fail_msg("byte %zu differs", i);
	assert_int_equal(io_read_full(ends[0], data, 1), -EPIPE);
	close(ends[0]);
	assert_int_equal(support_wait(pid), 0);
}

static int read_slowly(void *context)
{
	const int *ends = context;
	char chunk[4096];
	size_t total = 0;

	close(ends[1]);
	for (ssize_t n; (n = read(ends[0], chunk, sizeof(chunk))) > 0;
	     usleep(1000))
		total += (size_t)n;
	return total != BIG;
}

static void writing_goes_on_after_signals(void **state)
{
	int ends[2];
	owned_free char *data = calloc(1, BIG);

	(void)state;
	assert_non_null(data);
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	pid_t pid = support_fork();

	if (pid == 0)
		_exit(read_slowly(ends));
	close(ends[0]);
	interrupt(5000);
	int rc = io_write_full(ends[1], data, BIG);

	interrupt(0);
	assert_int_equal(rc, 0);
	close(ends[1]);
	assert_int_equal(support_wait(pid), 0);
}

static void failures_are_negative_errno(void **state)
{
	struct bytes out;
	uint64_t number;
	char byte;

	(void)state;
	assert_int_equal(io_read_full(-1, &byte, 1), -EBADF);
	assert_int_equal(io_write_full(-1, &byte, 1), -EBADF);
	assert_int_equal(io_read_full(-1, &byte, 0), 0);
	assert_int_equal(io_write_full(-1, NULL, 0), 0);
	assert_int_equal(io_write_file(AT_FDCWD, "/nowhere/x", "y"), -ENOENT);
	assert_int_equal(io_read_file(AT_FDCWD, "/nowhere/x", 9, &out),
			 -ENOENT);
	assert_null(out.data);
	assert_int_equal(io_read_fd(-1, 9, &out), -EBADF);
	assert_null(out.data);
	assert_int_equal(io_read_number(-1, &number), -EBADF);
	assert_int_equal(io_set_nonblocking(-1, true), -EBADF);
}

/* Of every size around a limit and around the steps it grows by. */
static void a_file_is_read_up_to_its_limit(void **state)
{
	static const size_t limits[] = {0, 1, 4094, 4095, 4096, 4097, 8191,
					8192, 20000};
	owned_free char *text = malloc(20002);
	char *dir = support_dir();

	(void)state;
	assert_non_null(text);
	for (size_t i = 0; i < ARRAY_LEN(limits); i++)
		for (int past = -1; past <= 1; past++) {
			size_t size = limits[i] + (size_t)past;
			struct bytes out;

			if (limits[i] == 0 && past < 0)
				continue;
			memset(text, 'x', size);
			text[size] = '\0';
			support_write(dir, "f", text);
			int rc = io_read_file(AT_FDCWD,
					      support_path(dir, "f"),
					      limits[i], &out);

			assert_int_equal(rc, past > 0 ? -EFBIG : 0);
			if (rc < 0) {
				assert_null(out.data);
				continue;
			}
			assert_int_equal(out.size, size);
			assert_string_equal(out.data, text);
			free(out.data);
		}
	support_remove(&dir);
}

static void writing_makes_no_file(void **state)
{
	char *dir = support_dir();
	int fd = open(dir, O_PATH | O_CLOEXEC);

	(void)state;
	assert_int_equal(io_write_file(fd, "f", "x"), -ENOENT);
	support_write(dir, "f", "");
	assert_int_equal(io_write_file(fd, "f", "new"), 0);
	assert_string_equal(support_read(dir, "f"), "new");
	close(fd);
	support_remove(&dir);
}

static void a_number_is_read_from_the_start(void **state)
{
	static const struct {
		const char *text;
		int rc;
		uint64_t number;
	} cases[] = {
		{"0\n", 0, 0},
		{"42", 0, 42},
		{"18446744073709551615\n", 0, UINT64_MAX},
		{"18446744073709551616\n", -EINVAL, 0},
		{"max\n", -EINVAL, 0},
		{"", -EINVAL, 0},
	};
	char *dir = support_dir();

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		uint64_t number = 1;

		support_write(dir, "n", cases[i].text);
		int fd = open(support_path(dir, "n"), O_RDONLY | O_CLOEXEC);

		for (int again = 0; again < 2; again++) {
			assert_int_equal(io_read_number(fd, &number),
					 cases[i].rc);
			if (cases[i].rc == 0)
				assert_true(number == cases[i].number);
		}
		close(fd);
	}
	support_remove(&dir);
}

static void blocking_is_switched(void **state)
{
	int ends[2];
	char byte;

	(void)state;
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	assert_int_equal(io_set_nonblocking(ends[0], true), 0);
	assert_int_equal(io_read_full(ends[0], &byte, 1), -EAGAIN);
	assert_int_equal(io_set_nonblocking(ends[0], false), 0);
	assert_int_equal(fcntl(ends[0], F_GETFL) & O_NONBLOCK, 0);
	close(ends[0]);
	close(ends[1]);
}

/* Whole pages are released; a page with other data stays. */
static void whole_pages_are_given_back(void **state)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *data = mmap(NULL, 4 * page, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	(void)state;
	assert_ptr_not_equal(data, MAP_FAILED);
	memset(data, 'x', 4 * page);
	assert_ptr_equal(io_release_pages(data + 1, data + 2 * page - 1),
			 data + 1); /* none is whole */
	assert_ptr_equal(io_release_pages(data + 1, data + 3 * page + 1),
			 data + 3 * page);
	io_ask_huge_pages(data, data + 4 * page);
	for (size_t i = 0; i < 4 * page; i++)
		assert_int_equal(data[i], i < page || i >= 3 * page ? 'x' : 0);
	assert_ptr_equal(io_release_pages(data, data + page), data + page);
	assert_int_equal(data[0], 0);
	munmap(data, 4 * page);
}

static void waiting_ends_in_time(void **state)
{
	int ends[2];

	(void)state;
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	interrupt(2000);
	int64_t start = io_now_ms();

	assert_int_equal(io_wait_readable(ends[0], 50), 0);
	assert_true(io_now_ms() - start >= 50);
	interrupt(0);
	assert_int_equal(io_wait_readable(ends[0], 0), 0);
	assert_int_equal(io_wait_readable(ends[0], -5), 0);
	assert_int_equal(io_write_full(ends[1], "x", 1), 0);
	assert_int_equal(io_wait_readable(ends[0], 0), 1);
	close(ends[1]);
	assert_int_equal(io_wait_readable(ends[0], 1000), 1);
	close(ends[0]);
}

#define WITH_PIPE(test)                                                      \
	cmocka_unit_test_setup_teardown(test, log_to_pipe, log_to_stderr)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_PIPE(a_record_is_whole_or_missing),
		WITH_PIPE(a_line_without_room_is_counted),
		WITH_PIPE(the_time_is_a_calendars),
		WITH_PIPE(a_line_says_who_and_how_bad),
		WITH_PIPE(lines_above_the_level_are_dropped),
		cmocka_unit_test(the_levels_have_names),
		WITH_PIPE(nobody_forges_a_line),
		WITH_PIPE(a_long_line_is_cut),
		WITH_PIPE(logging_keeps_errno),
		cmocka_unit_test(errors_have_words),
		WITH_PIPE(dying_says_why),
		cmocka_unit_test(reading_goes_on_after_signals),
		cmocka_unit_test(writing_goes_on_after_signals),
		cmocka_unit_test(failures_are_negative_errno),
		cmocka_unit_test(a_file_is_read_up_to_its_limit),
		cmocka_unit_test(writing_makes_no_file),
		cmocka_unit_test(a_number_is_read_from_the_start),
		cmocka_unit_test(blocking_is_switched),
		cmocka_unit_test(whole_pages_are_given_back),
		cmocka_unit_test(waiting_ends_in_time),
	};

	return cmocka_run_group_tests_name("log_io", tests, NULL, NULL);
}
