/*
 * test_transfer - jobs and outcomes as they pass between two processes: whole,
 * and in every way that an enemy could send them.
 */
#include "tests/unit/support.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sandbox/base/io.h"
#include "sandbox/ipc/transfer.h"

static const struct limits limits = {
	.output_kb = 1, .value_kb = 1, .displays = 2, .displays_mb = 1,
	.files_out = 2, .files_out_mb = 1};

/* Bytes written to ENDS[1] are read from ENDS[0]. */
static int ends[2];

static int set_up(void **state)
{
	(void)state;
	return socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends);
}

static int tear_down(void **state)
{
	(void)state;
	close(ends[0]);
	close(ends[1]);
	return 0;
}

static struct transfer side(int fd)
{
	return (struct transfer){.fd = fd, .client = -1};
}

#define BYTES(text) {(char *)(text), sizeof(text) - 1}

static struct job_env env[] = {{(char *)"A=b=c"}, {(char *)"C="}};
static struct job_file files[] = {
	{.name = (char *)"a/b.txt", .content = BYTES("x\0y")},
	{.name = (char *)"c", .content = BYTES("")}};
static const struct job job = {
	.task = JOB_RUN,
	.value = JOB_VALUE_REPR,
	.merge_output = true,
	.displays = true,
	.forms = JOB_FORM_CHART | JOB_FORM_MAIN,
	.code = BYTES("print(1)"),
	.imported = true,
	.call_main = true,
	.arguments = BYTES("{}"),
	.input = BYTES("in\0put"),
	.files = files,
	.files_count = 2,
	.env = env,
	.env_count = 2,
	.timeout_ms = 7,
	.memory_mb = 8,
	.threads = 9,
	.probe = {.marker = BYTES("mark")}};

/* Bytes that the job holds besides its code. */
#define REST (2 + 6 + 4 + 5 + 2 + 7 + 3 + 1)

static bool same(const struct bytes *a, const struct bytes *b)
{
	return a->size == b->size && memcmp(a->data, b->data, a->size) == 0;
}

static int take_job(uint64_t bytes, size_t count, struct job *out)
{
	struct transfer in = side(ends[0]);

	return transfer_job_receive(
		&in, &(struct transfer_limits){bytes, count}, out);
}

static void put_job(const struct job *what)
{
	struct transfer out = side(ends[1]);

	assert_int_equal(transfer_job_send(&out, what), 0);
}

static void a_job_arrives_whole(void **state)
{
	(void)state;
	struct job got;

	put_job(&job);
	assert_int_equal(take_job(1000, 2, &got), 0);
	assert_int_equal(got.value, JOB_VALUE_REPR);
	assert_true(got.merge_output && got.call_main && got.displays);
	assert_int_equal(got.forms, JOB_FORM_CHART | JOB_FORM_MAIN);
	assert_true(got.imported);
	assert_int_equal(got.timeout_ms, 7);
	assert_int_equal(got.memory_mb, 8);
	assert_int_equal(got.threads, 9);
	assert_true(same(&got.probe.marker, &job.probe.marker));
	assert_true(same(&got.code, &job.code));
	assert_true(same(&got.arguments, &job.arguments));
	assert_true(same(&got.input, &job.input));
	assert_int_equal(got.env_count, 2);
	assert_string_equal(got.env[0].assignment, "A=b=c");
	assert_string_equal(got.env[1].assignment, "C=");
	assert_int_equal(got.files_count, 2);
	assert_string_equal(got.files[0].name, "a/b.txt");
	assert_true(same(&got.files[0].content, &files[0].content));
	assert_string_equal(got.files[1].name, "c");
	assert_int_equal(got.files[1].content.size, 0);
	job_free(&got);
}

static void a_job_that_is_too_large_is_refused(void **state)
{
	(void)state;
	size_t size = 8 + REST;
	struct job got;

	put_job(&job);
	assert_int_equal(take_job(size, 2, &got), 0);
	job_free(&got);
	put_job(&job);
	assert_int_equal(take_job(size - 1, 2, &got), -EPROTO);
	job_free(&got);
}

/* The check before sending gives the session keeper's verdict. */
static void a_job_is_checked_before_it_is_sent(void **state)
{
	static const uint64_t largest = 1u << 20;
	static char text[1u << 20];
	struct job large = job, got;
	struct transfer_limits most = {largest, 2};
	struct refusal why = {0};

	(void)state;
	large.code = (struct bytes){text, largest - REST};
	assert_int_equal(transfer_job_check(&large, &most, &why), 0);
	large.code.size++;
	assert_int_equal(transfer_job_check(&large, &most, &why), -EINVAL);
	assert_int_equal(why.status, 413);
	assert_string_equal(why.code, "too_large");
	assert_memory_equal(why.message, "files: ", 7);
	large.code.size = largest + 1;
	assert_int_equal(transfer_job_check(&large, &most, &why), -EINVAL);
	assert_memory_equal(why.message, "code: ", 6);
	most.files = 1;
	assert_int_equal(transfer_job_check(&job, &most, &why), -EINVAL);
	assert_string_equal(why.code, "too_many_files");
	put_job(&job);
	assert_int_equal(take_job(most.bytes, most.files, &got), -EPROTO);
	job_free(&got);
}

static void a_job_with_too_many_files_is_refused(void **state)
{
	(void)state;
	struct job got;

	put_job(&job);
	assert_int_equal(take_job(1000, 1, &got), -EPROTO);
	job_free(&got);
}

/* Bytes of a job or outcome that was sent. */
static size_t sent(char *all, size_t room)
{
	ssize_t size = read(ends[0], all, room);

	assert_in_range(size, 1, room - 1);
	return (size_t)size;
}

/* Send SIZE bytes of ALL to a stream that is new, and end it. */
static void send_again(void **state, const char *all, size_t size)
{
	tear_down(state);
	assert_int_equal(set_up(state), 0);
	assert_int_equal(write(ends[1], all, size), size);
	shutdown(ends[1], SHUT_WR);
}

/* No size that is announced is too large for the check. */
static void a_size_beyond_memory_is_refused(void **state)
{
	static const uint64_t sizes[] = {UINT64_MAX - 1, 1ull << 40, 1001};
	const struct job none = {0};
	char all[1024];
	struct job got;

	put_job(&none);
	size_t size = sent(all, sizeof(all));

	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		memcpy(all + size - 4 * sizeof(sizes[i]), &sizes[i],
		       sizeof(sizes[i]));
		send_again(state, all, size);
		assert_int_equal(take_job(1000, 2, &got), -EPROTO);
		job_free(&got);
	}
}

static void a_variable_without_a_value_is_refused(void **state)
{
	struct job_env bad[] = {{(char *)"A"}};
	const struct job odd = {.env = bad, .env_count = 1};
	struct job got;

	(void)state;
	put_job(&odd);
	assert_int_equal(take_job(1000, 1, &got), -EPROTO);
	job_free(&got);
}

static void a_text_with_a_nul_is_refused(void **state)
{
	struct job got;
	char all[1024];

	put_job(&job);
	size_t size = sent(all, sizeof(all));
	char *name = memmem(all, size, "a/b.txt", 7);

	assert_non_null(name);
	name[3] = '\0';
	send_again(state, all, size);
	assert_int_equal(take_job(1000, 2, &got), -EPROTO);
	job_free(&got);
}

static void names_that_lead_elsewhere_are_refused(void **state)
{
	static const char *const names[] = {"../x", "/x", "",
					    "a//b", ".", "a/.."};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		struct job_file file = {.name = (char *)names[i],
					.content = BYTES("x")};
		struct job odd = {.files = &file, .files_count = 1};
		struct job got;

		put_job(&odd);
		assert_int_equal(take_job(1000, 1, &got), -EPROTO);
		job_free(&got);
		tear_down(state);
		assert_int_equal(set_up(state), 0);
	}
}

static void a_job_that_breaks_off_is_an_error(void **state)
{
	char all[1024];
	struct job got;

	put_job(&job);
	size_t size = sent(all, sizeof(all));

	for (size_t n = 0; n < size; n++) {
		send_again(state, all, n);
		assert_int_equal(take_job(1000, 2, &got), -EPIPE);
		job_free(&got);
	}
}

static int memory_file(const char *text)
{
	int fd = memfd_create("test", MFD_CLOEXEC);

	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	return fd;
}

static struct outcome an_outcome(void)
{
	struct outcome outcome = {.verdict = OUTCOME_RAISED,
				  .detail = 3,
				  .exit_code = 4,
				  .error_type = strdup("E"),
				  .error_message = strdup("words"),
				  .refused = strdup("fork"),
				  .value_present = true,
				  .probe = {.phase = OUTCOME_RUN,
					    .refused_file = true,
					    .marked = 12},
				  .value = {strdup("12"), 2},
				  .out.kept = {strdup("out"), 3},
				  .order = {calloc(2, sizeof(uint32_t)), 2},
				  .out.dropped = 5,
				  .err.dropped = 6,
				  .displays_dropped = 7,
				  .files_dropped = 8,
				  .runtime_ms = 9,
				  .cpu_ms = 10,
				  .memory_peak_kb = 11};

	outcome.order.sizes[1] = 3;
	outcome.displays = calloc(2, sizeof(*outcome.displays));
	outcome.displays[0] = (struct bytes){strdup("{}"), 2};
	outcome.displays[1] = (struct bytes){strdup("{\"a\":1}"), 7};
	outcome.displays_count = 2;
	outcome.files = calloc(2, sizeof(*outcome.files));
	outcome.files[0] = (struct outcome_file){strdup("a/b"), 4,
						 memory_file("abcd")};
	/* It was cut since it was collected. */
	outcome.files[1] = (struct outcome_file){strdup("c"), 3,
						 memory_file("x")};
	outcome.files_count = 2;
	warnings_add(&outcome.warnings, "first", 5);
	warnings_add(&outcome.warnings, "second", 6);
	return outcome;
}

static void put_outcome(struct outcome *outcome)
{
	struct transfer out = side(ends[1]);

	assert_int_equal(transfer_outcome_send(&out, outcome), 0);
	outcome_free(outcome);
}

static int take_outcome(const struct limits *most, struct outcome *got)
{
	struct transfer in = side(ends[0]);

	return transfer_outcome_receive(&in, most, got);
}

static void an_outcome_arrives_whole(void **state)
{
	(void)state;
	struct outcome sent = an_outcome(), got;
	char text[8] = "";

	put_outcome(&sent);
	assert_int_equal(take_outcome(&limits, &got), 0);
	assert_int_equal(got.verdict, OUTCOME_RAISED);
	assert_int_equal(got.detail, 3);
	assert_int_equal(got.exit_code, 4);
	assert_int_equal(got.probe.phase, OUTCOME_RUN);
	assert_string_equal(got.error_type, "E");
	assert_string_equal(got.error_message, "words");
	assert_string_equal(got.refused, "fork");
	assert_true(got.probe.refused_file && got.value_present);
	assert_int_equal(got.probe.marked, 12);
	assert_memory_equal(got.value.data, "12", 2);
	assert_memory_equal(got.out.kept.data, "out", 3);
	assert_int_equal(got.order.count, 2);
	assert_int_equal(got.order.sizes[1], 3);
	assert_null(got.err.kept.data);
	assert_int_equal(got.out.dropped, 5);
	assert_int_equal(got.err.dropped, 6);
	assert_int_equal(got.displays_dropped, 7);
	assert_int_equal(got.files_dropped, 8);
	assert_int_equal(got.runtime_ms, 9);
	assert_int_equal(got.cpu_ms, 10);
	assert_int_equal(got.memory_peak_kb, 11);
	assert_int_equal(got.warnings.count, 2);
	assert_memory_equal(got.warnings.packed, "first\0second", 13);
	assert_int_equal(got.displays_count, 2);
	assert_memory_equal(got.displays[1].data, "{\"a\":1}", 7);
	assert_int_equal(got.files_count, 2);
	assert_string_equal(got.files[0].name, "a/b");
	assert_int_equal(pread(got.files[0].fd, text, 8, 0), 4);
	assert_memory_equal(text, "abcd", 4);
	assert_int_equal(pread(got.files[1].fd, text, 8, 0), 3);
	assert_memory_equal(text, "x\0\0", 3);
	outcome_free(&got);
}

/* A file that is a hole costs no more than that here. */
static void holes_stay_holes(void **state)
{
	enum { SIZE = 3 * 32768, AT = 70000 };
	static char text[SIZE], zero[SIZE];
	struct outcome sent = {0}, got;
	struct stat st;

	(void)state;
	sent.files = calloc(2, sizeof(*sent.files));
	sent.files_count = 2;
	for (unsigned i = 0; i < 2; i++)
		sent.files[i] = (struct outcome_file){
			strdup(i ? "b" : "a"), SIZE / 2u * (i + 1),
			memory_file("")};
	assert_int_equal(pwrite(sent.files[1].fd, "x", 1, AT), 1);
	put_outcome(&sent);
	assert_int_equal(take_outcome(&limits, &got), 0);
	assert_int_equal(pread(got.files[0].fd, text, SIZE, 0), SIZE / 2);
	assert_memory_equal(text, zero, SIZE / 2);
	assert_int_equal(pread(got.files[1].fd, text, SIZE, 0), SIZE);
	zero[AT] = 'x';
	assert_memory_equal(text, zero, SIZE);
	zero[AT] = '\0';
	assert_int_equal(fstat(got.files[0].fd, &st), 0);
	assert_true(st.st_blocks * 512 < SIZE / 2);
	assert_int_equal(fstat(got.files[1].fd, &st), 0);
	assert_true(st.st_blocks * 512 < SIZE);
	outcome_free(&got);
}

static void an_outcome_past_the_limits_is_refused(void **state)
{
	struct limits less[] = {limits, limits, limits, limits, limits, limits};

	less[0].displays = 1;
	less[1].files_out = 1;
	less[2].output_kb = 0;
	less[3].value_kb = 0;
	less[4].displays_mb = 0;
	less[5].files_out_mb = 0;
	for (size_t i = 0; i < ARRAY_LEN(less); i++) {
		struct outcome sent = an_outcome(), got;

		put_outcome(&sent);
		assert_int_equal(take_outcome(&less[i], &got), -EPROTO);
		outcome_free(&got);
		tear_down(state);
		assert_int_equal(set_up(state), 0);
	}
}

static void an_outcome_that_breaks_off_is_an_error(void **state)
{
	struct outcome whole = an_outcome(), got;
	char all[1024];

	put_outcome(&whole);
	size_t size = sent(all, sizeof(all));
	int fds = support_count_fds();

	for (size_t n = 0; n < size; n++) {
		send_again(state, all, n);
		assert_int_equal(take_outcome(&limits, &got), -EPIPE);
		outcome_free(&got);
	}
	assert_int_equal(support_count_fds(), fds);
}

/* Texts: missing and empty are two things. */
static void an_outcome_without_texts_arrives_as_one(void **state)
{
	struct outcome bare = {.error_type = strdup("")}, got;

	(void)state;
	put_outcome(&bare);
	assert_int_equal(take_outcome(&limits, &got), 0);
	assert_string_equal(got.error_type, "");
	assert_null(got.error_message);
	assert_null(got.refused);
	assert_null(got.value.data);
	assert_int_equal(got.displays_count + got.files_count, 0);
	outcome_free(&got);
}

static void a_verdict_that_there_is_not_is_refused(void **state)
{
	struct outcome odd[] = {{.verdict = OUTCOME_VERDICTS},
				{.probe.phase = OUTCOME_PHASES}};
	struct outcome got;

	for (size_t i = 0; i < ARRAY_LEN(odd); i++) {
		put_outcome(&odd[i]);
		assert_int_equal(take_outcome(&limits, &got), -EPROTO);
		outcome_free(&got);
		tear_down(state);
		assert_int_equal(set_up(state), 0);
	}
}

static void a_file_that_cannot_be_read_is_an_error(void **state)
{
	struct outcome outcome = an_outcome();
	struct transfer out = side(ends[1]);

	(void)state;
	assert_true(outcome.files_count > 0);
	close(outcome.files[0].fd);
	outcome.files[0].fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
	assert_int_equal(transfer_outcome_send(&out, &outcome), -EBADF);
	outcome_free(&outcome);
}

/* More than the socket holds: the sender waits for the receiver. */
static void a_sender_waits_for_room(void **state)
{
	static char text[4u << 20];
	const struct job large = {.code = {text, sizeof(text)}};
	struct job got;

	(void)state;
	pid_t pid = support_fork();

	if (pid == 0) {
		struct transfer out = side(ends[1]);

		_exit(transfer_job_send(&out, &large) != 0);
	}
	assert_int_equal(take_job(sizeof(text), 0, &got), 0);
	assert_true(same(&got.code, &large.code));
	job_free(&got);
	assert_int_equal(support_wait(pid), 0);
}

static void a_deadline_holds_for_each_message(void **state)
{
	struct transfer in = side(ends[0]);
	char byte;

	(void)state;
	transfer_begin(&in);
	assert_in_range(in.end - io_now_ms(), TRANSFER_MS - 1000, TRANSFER_MS);
	in.end = io_now_ms() + 20;
	assert_false(transfer_receive(&in, &byte, 1));
	assert_int_equal(in.error, -ETIMEDOUT);
	assert_int_equal(write(ends[1], "x", 1), 1);
	assert_false(transfer_receive(&in, &byte, 1)); /* it stays failed */
}

static void a_client_that_hangs_up_ends_the_wait(void **state)
{
	int client[2];

	(void)state;
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, client), 0);
	struct transfer in = {.fd = ends[0], .client = client[0]};

	assert_false(transfer_wait(&in, 20));
	assert_int_equal(in.error, -ETIMEDOUT);
	in.error = 0;
	close(client[1]);
	assert_false(transfer_wait(&in, -1));
	assert_int_equal(in.error, -ECANCELED);
	close(client[0]);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_job_arrives_whole),
		TEST(a_job_that_is_too_large_is_refused),
		TEST(a_job_with_too_many_files_is_refused),
		TEST(a_job_is_checked_before_it_is_sent),
		TEST(names_that_lead_elsewhere_are_refused),
		TEST(a_size_beyond_memory_is_refused),
		TEST(a_variable_without_a_value_is_refused),
		TEST(a_text_with_a_nul_is_refused),
		TEST(a_job_that_breaks_off_is_an_error),
		TEST(an_outcome_arrives_whole),
		TEST(holes_stay_holes),
		TEST(an_outcome_past_the_limits_is_refused),
		TEST(an_outcome_that_breaks_off_is_an_error),
		TEST(an_outcome_without_texts_arrives_as_one),
		TEST(a_verdict_that_there_is_not_is_refused),
		TEST(a_sender_waits_for_room),
		TEST(a_deadline_holds_for_each_message),
		TEST(a_file_that_cannot_be_read_is_an_error),
		TEST(a_client_that_hangs_up_ends_the_wait),
	};

	return cmocka_run_group_tests_name("transfer", tests, NULL, NULL);
}
