/*
 * test_link - jobs and outcomes between the local command and its sandbox;
 * and files that are saved.
 */
#include "support.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "sandbox/cli/link.h"
#include "sandbox/cli/save.h"

#define TEXT(literal) {(char *)(uintptr_t)(literal), sizeof(literal) - 1}
#define WORD(literal) ((char *)(uintptr_t)(literal))

static const struct limits limits = {
	.displays = 2, .files_out = 2, .files_out_mb = 1};

static int memory(void)
{
	int fd = memfd_create("link", MFD_CLOEXEC);

	assert_true(fd >= 0);
	return fd;
}

static int from_start(int fd)
{
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	return fd;
}

static void assert_same(const struct bytes *is, const struct bytes *want)
{
	assert_int_equal(is->size, want->size);
	if (want->size)
		assert_memory_equal(is->data, want->data, want->size);
}

/* ---- jobs ------------------------------------------------------------ */

static struct job_env env[] = {{(char[]){"A=1=2"}}, {(char[]){"B="}}};
static struct job_file files[] = {
	{.name = (char[]){"d/x"}, .content = TEXT("a\0b")},
	{.name = (char[]){"empty"}}};
static const struct job job = {
	.task = JOB_PARSE, .value = JOB_VALUE_REPR, .merge_output = true,
	.code = TEXT("x = 1"), .call_main = true, .arguments = TEXT("{}"),
	.input = TEXT("line\n"), .files = files, .files_count = 2,
	.env = env, .env_count = 2, .timeout_ms = 5, .memory_mb = 6,
	.threads = 7, .note = TEXT("not sent")};

static void a_job_arrives_whole(void **state)
{
	owned_fd int fd = memory();
	struct job got;

	(void)state;
	assert_int_equal(link_send_job(fd, &job), 0);
	assert_int_equal(link_read_job(from_start(fd), &got), 0);
	assert_int_equal(got.task, job.task);
	assert_int_equal(got.value, job.value);
	assert_true(got.merge_output && got.call_main);
	assert_same(&got.code, &job.code);
	assert_same(&got.arguments, &job.arguments);
	assert_same(&got.input, &job.input);
	assert_int_equal(got.files_count, 2);
	assert_string_equal(got.files[0].name, "d/x");
	assert_same(&got.files[0].content, &files[0].content);
	assert_int_equal(got.env_count, 2);
	assert_string_equal(got.env[0].assignment, "A=1=2");
	assert_string_equal(got.env[1].assignment, "B=");
	assert_int_equal(got.timeout_ms, 5);
	assert_int_equal(got.memory_mb, 6);
	assert_int_equal(got.threads, 7);
	assert_null(got.note.data);
	job_free(&got);
}

static void cut_at_every_byte(int fd, int (*read_it)(int fd))
{
	struct stat st;

	assert_int_equal(fstat(fd, &st), 0);
	for (off_t size = st.st_size - 1; size >= 0; size--) {
		assert_int_equal(ftruncate(fd, size), 0);
		assert_int_equal(read_it(from_start(fd)), -EPIPE);
	}
}

static int read_job(int fd)
{
	struct job got;
	int rc = link_read_job(fd, &got);

	job_free(&got);
	return rc;
}

static void half_a_job_is_none(void **state)
{
	owned_fd int fd = memory();

	(void)state;
	assert_int_equal(link_send_job(fd, &job), 0);
	cut_at_every_byte(fd, read_job);
}

/* ---- outcomes -------------------------------------------------------- */

static struct outcome some_outcome(struct outcome_file made[2],
				   struct bytes display[1])
{
	for (int i = 0; i < 2; i++) {
		made[i].fd = memory();
		assert_int_equal(write(made[i].fd, "12345", 5), 5);
	}
	return (struct outcome){
		.verdict = OUTCOME_KILLED, .detail = 9, .phase = OUTCOME_RUN,
		.exit_code = 137, .error_type = WORD(""),
		.refused = WORD("fork"), .refused_file = true,
		.value = TEXT("1"), .value_present = true,
		.out = {TEXT("o\0"), 3}, .err = {{NULL, 0}, 4},
		.displays = display, .displays_count = 1,
		.displays_dropped = 5, .files = made, .files_count = 2,
		.files_dropped = 6, .runtime_ms = 7, .cpu_ms = 8,
		.memory_peak_kb = 9};
}

static void assert_outcome(const struct outcome *got,
			   const struct outcome *want)
{
	assert_int_equal(got->verdict, want->verdict);
	assert_int_equal(got->detail, want->detail);
	assert_int_equal(got->phase, want->phase);
	assert_int_equal(got->exit_code, want->exit_code);
	assert_string_equal(got->error_type, "");
	assert_null(got->error_message);
	assert_string_equal(got->refused, want->refused);
	assert_true(got->refused_file && got->value_present);
	assert_same(&got->value, &want->value);
	assert_same(&got->out.kept, &want->out.kept);
	assert_int_equal(got->out.dropped, 3);
	assert_int_equal(got->err.dropped, 4);
	assert_same(&got->displays[0], &want->displays[0]);
	assert_int_equal(got->displays_dropped, 5);
	assert_int_equal(got->files_dropped, 6);
	assert_int_equal(got->runtime_ms, 7);
	assert_int_equal(got->cpu_ms, 8);
	assert_int_equal(got->memory_peak_kb, 9);
}

static void close_files(struct outcome_file made[2])
{
	for (int i = 0; i < 2; i++)
		close(made[i].fd);
}

static void an_outcome_arrives_whole(void **state)
{
	struct outcome_file made[] = {{WORD("a"), 5, -1}, {WORD("b/c"), 3, -1}};
	struct bytes display[] = {TEXT("{}")};
	struct outcome outcome = some_outcome(made, display), got;
	owned_fd int fd = memory();
	char text[6] = "";

	(void)state;
	assert_int_equal(link_send_outcome(fd, &outcome), 0);
	assert_int_equal(link_read_outcome(from_start(fd), &limits, &got), 0);
	assert_outcome(&got, &outcome);
	assert_int_equal(got.files_count, 2);
	assert_string_equal(got.files[1].name, "b/c");
	assert_int_equal(got.files[1].size, 3);
	assert_int_equal(pread(got.files[1].fd, text, 6, 0), 3);
	assert_string_equal(text, "123");
	outcome_free(&got);
	close_files(made);
}

static int read_outcome(int fd)
{
	struct outcome got;
	int rc = link_read_outcome(fd, &limits, &got);

	outcome_free(&got);
	return rc;
}

static void half_an_outcome_is_none(void **state)
{
	struct outcome_file made[] = {{WORD("a"), 5, -1}, {WORD("b/c"), 3, -1}};
	struct bytes display[] = {TEXT("{}")};
	struct outcome outcome = some_outcome(made, display);
	owned_fd int fd = memory();
	int fds = support_count_fds();

	(void)state;
	assert_int_equal(link_send_outcome(fd, &outcome), 0);
	cut_at_every_byte(fd, read_outcome);
	assert_int_equal(support_count_fds(), fds);
	close_files(made);
}

static void an_outcome_keeps_to_the_limits(void **state)
{
	static const struct limits fewer[] = {
		{.displays = 0, .files_out = 2, .files_out_mb = 1},
		{.displays = 1, .files_out = 1, .files_out_mb = 1},
		{.displays = 1, .files_out = 2, .files_out_mb = 0},
	};
	struct outcome_file made[] = {{WORD("a"), 5, -1}, {WORD("b/c"), 3, -1}};
	struct bytes display[] = {TEXT("{}")};
	struct outcome outcome = some_outcome(made, display), got;
	owned_fd int fd = memory();

	(void)state;
	assert_int_equal(link_send_outcome(fd, &outcome), 0);
	for (size_t i = 0; i < ARRAY_LEN(fewer); i++) {
		assert_int_equal(link_read_outcome(from_start(fd), &fewer[i],
						   &got), -EMSGSIZE);
		outcome_free(&got);
	}
	close_files(made);
}

/* ---- files ----------------------------------------------------------- */

static const struct bytes content = TEXT("new");

static void names_lead_nowhere_else(void **state)
{
	static const char *const bad[] = {"", ".", "..", "../x", "a/../../x",
					  "/x", "a//x", "a/", "a/."};
	char *top = support_dir();
	owned_fd int dir = open(top, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(bad); i++)
		for (int force = 0; force < 2; force++)
			assert_true(save_bytes(dir, bad[i], &content,
					       force) < 0);
	support_remove(&top);
}

static void what_is_there_stays(void **state)
{
	char *top = support_dir();
	owned_fd int dir = open(top, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	(void)state;
	support_write(top, "old", "old");
	assert_int_equal(save_bytes(dir, "old", &content, false), -EEXIST);
	assert_string_equal(support_read(top, "old"), "old");
	assert_int_equal(save_bytes(dir, "old", &content, true), 0);
	assert_string_equal(support_read(top, "old"), "new");
	assert_int_equal(save_bytes(dir, "d/e/f", &content, false), 0);
	assert_string_equal(support_read(top, "d/e/f"), "new");
	assert_true(save_bytes(dir, "old/x", &content, true) < 0);
	assert_true(save_bytes(dir, "d", &content, true) < 0);
	support_remove(&top);
}

/* Only a descriptor that was closed tells: some file systems find no room
 * then. */
static int save_to_a_bad_disk(void *context)
{
	const int dir = *(const int *)context;
	owned_fd int from = memory();

	if (write(from, "new", 3) != 3 || refuse_call(SYS_close, EIO) < 0)
		return 1;
	int rc = save_file(dir, "file", from, 3, false);

	return rc != -EIO || faccessat(dir, "file", F_OK, 0) == 0;
}

static void a_file_that_cannot_be_closed_is_not_kept(void **state)
{
	char *top = support_dir();
	owned_fd int dir = open(top, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	(void)state;
	assert_int_equal(support_in_child(save_to_a_bad_disk, &dir), 0);
	support_remove(&top);
}

static void no_link_is_followed(void **state)
{
	char *top = support_dir(), *other = support_dir();
	owned_fd int dir = open(top, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	(void)state;
	support_write(other, "file", "old");
	assert_int_equal(symlinkat(other, dir, "dir"), 0);
	assert_int_equal(symlinkat(support_path(other, "file"), dir, "file"),
			 0);
	assert_true(save_bytes(dir, "dir/x", &content, true) < 0);
	assert_int_equal(save_bytes(dir, "file", &content, false), -EEXIST);
	assert_int_equal(save_bytes(dir, "file", &content, true), 0);
	assert_string_equal(support_read(other, "file"), "old");
	assert_string_equal(support_read(top, "file"), "new");
	support_remove(&top);
	support_remove(&other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_job_arrives_whole),
		cmocka_unit_test(half_a_job_is_none),
		cmocka_unit_test(an_outcome_arrives_whole),
		cmocka_unit_test(half_an_outcome_is_none),
		cmocka_unit_test(an_outcome_keeps_to_the_limits),
		cmocka_unit_test(names_lead_nowhere_else),
		cmocka_unit_test(what_is_there_stays),
		cmocka_unit_test(no_link_is_followed),
		cmocka_unit_test(a_file_that_cannot_be_closed_is_not_kept),
	};

	return cmocka_run_group_tests_name("link", tests, NULL, NULL);
}
