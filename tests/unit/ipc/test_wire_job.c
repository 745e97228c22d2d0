/*
 * test_wire_job - jobs on the pipe to a guest: they arrive as they were sent,
 * and half of one is none.
 */
#include "tests/unit/support.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "sandbox/base/io.h"
#include "sandbox/ipc/wire.h"

static struct job_env some_env[] = {{(char[]){"A=1"}}, {(char[]){"B="}},
				    {(char[]){"C=x=y z"}}};

#define TEXT(literal) {(char *)(uintptr_t)(literal), sizeof(literal) - 1}

static const struct job jobs[] = {
	{.code = TEXT("1+1")},
	{.code = TEXT("a\0b\xff\n"), .input = TEXT("not in it")},
	{.code = TEXT("x"), .arguments = TEXT("{\"n\": 1}"),
	 .imported = true, .call_main = true},
	{.code = TEXT("x"), .env = some_env, .env_count = 1},
	{.code = TEXT("x"), .arguments = TEXT("{}"), .call_main = true,
	 .env = some_env, .env_count = 3},
	{.code = {NULL, 0}},
	{.code = TEXT("x"), .name = TEXT("report.py"), .displays = true,
	 .forms = JOB_FORM_DATA | JOB_FORM_DRAW,
	 .args = TEXT("a\0\0c d\0")},
	{.code = TEXT("x"), .task = JOB_PARSE, .value = JOB_VALUE_STRICT,
	 .merge_output = true},
};

struct received {
	struct job job;
	struct bytes env;
};

static int receive(const char *data, size_t size, struct received *out)
{
	owned_fd int fd = memfd_create("job", MFD_CLOEXEC);

	*out = (struct received){0};
	assert_int_equal(io_write_full(fd, data, size), 0);
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	return wire_read_job(fd, &out->job, &out->env);
}

static void received_free(struct received *received)
{
	job_free(&received->job);
	free(received->env.data);
}

static void assert_same(const struct bytes *is, const struct bytes *want)
{
	assert_int_equal(is->size, want->size);
	assert_int_equal(is->data[is->size], 0);
	if (want->size)
		assert_memory_equal(is->data, want->data, want->size);
}

static void assert_env(const struct bytes *env, const struct job *job)
{
	size_t at = 0;

	for (size_t i = 0; i < job->env_count; i++) {
		assert_string_equal(env->data + at, job->env[i].assignment);
		at += strlen(job->env[i].assignment) + 1;
	}
	assert_int_equal(env->size, at);
}

static void a_job_arrives_as_it_was_sent(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(jobs); i++) {
		struct bytes packed;
		struct received got;

		assert_int_equal(wire_pack_job(&jobs[i], &packed), 0);
		assert_int_equal(receive(packed.data, packed.size, &got), 0);
		assert_int_equal(got.job.imported, jobs[i].imported);
		assert_int_equal(got.job.call_main, jobs[i].call_main);
		assert_int_equal(got.job.task, jobs[i].task);
		assert_int_equal(got.job.value, jobs[i].value);
		assert_int_equal(got.job.merge_output, jobs[i].merge_output);
		assert_int_equal(got.job.displays, jobs[i].displays);
		assert_int_equal(got.job.forms, jobs[i].forms);
		assert_same(&got.job.name, &jobs[i].name);
		assert_same(&got.job.args, &jobs[i].args);
		assert_same(&got.job.code, &jobs[i].code);
		assert_same(&got.job.arguments, &jobs[i].arguments);
		assert_env(&got.env, &jobs[i]);
		received_free(&got);
		free(packed.data);
	}
}

#define LARGE (300u << 10) /* more than is sent at once */

static void assert_feed(const struct job *job, const char *env)
{
	owned_free char *sent = malloc(3 * LARGE);
	struct wire_feed feed;
	struct received got;
	size_t size = 0;

	assert_int_equal(wire_feed_job(job, &feed), 0);
	assert_ptr_equal(feed.parts[1].data, job->args.data);
	assert_ptr_equal(feed.parts[2].data, job->code.data);
	assert_ptr_equal(feed.parts[3].data, job->arguments.data);
	assert_true(!env || feed.parts[4].data == env);
	assert_ptr_equal(feed.parts[5].data, job->input.data);
	for (size_t i = 0; i < WIRE_PARTS - 1; i++) {
		if (feed.parts[i].size)
			memcpy(sent + size, feed.parts[i].data,
			       feed.parts[i].size);
		size += feed.parts[i].size;
	}
	assert_int_equal(receive(sent, size, &got), 0);
	assert_same(&got.job.code, &job->code);
	assert_same(&got.job.name, &job->name);
	assert_same(&got.job.args, &job->args);
	assert_same(&got.job.arguments, &job->arguments);
	assert_env(&got.env, job);
	received_free(&got);
	free(feed.own);
}

/* Its parts are sent from where they lie. */
static void a_large_job_is_not_copied(void **state)
{
	static char together[] = "A=1\0B=\0C=xyz";
	struct job_env one[] = {{together}, {together + 4}, {together + 7}};
	struct job_env apart[] = {{together + 7}, {together}};
	owned_free char *text = malloc(LARGE);
	struct job job = {.code = {text, LARGE}, .input = {text, 5}};

	(void)state;
	assert_non_null(text);
	memset(text, 'x', LARGE);
	assert_feed(&job, NULL);
	job.env = one;
	job.env_count = ARRAY_LEN(one);
	assert_feed(&job, together);
	job.env = apart;
	job.env_count = ARRAY_LEN(apart);
	assert_feed(&job, NULL);
	job.code.size = 10;
	job.arguments = (struct bytes){text, LARGE};
	assert_feed(&job, NULL);
}

static void half_a_job_is_no_job(void **state)
{
	struct bytes packed;

	(void)state;
	assert_int_equal(wire_pack_job(&jobs[4], &packed), 0);
	for (size_t size = 0; size < packed.size; size++) {
		struct received got;

		assert_int_equal(receive(packed.data, size, &got), -EPIPE);
		received_free(&got);
	}
	free(packed.data);
}

/* Refused by its size alone: there are no such bytes. */
static void a_job_past_its_size_is_not_packed(void **state)
{
	const struct bytes huge = {NULL, (1u << 30) + 1};
	const struct job too_much[] = {{.code = huge}, {.arguments = huge}};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(too_much); i++) {
		struct bytes packed = {0};

		assert_int_equal(wire_pack_job(&too_much[i], &packed),
				 -EMSGSIZE);
		assert_null(packed.data);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_job_arrives_as_it_was_sent),
		cmocka_unit_test(a_large_job_is_not_copied),
		cmocka_unit_test(half_a_job_is_no_job),
		cmocka_unit_test(a_job_past_its_size_is_not_packed),
	};

	return cmocka_run_group_tests_name("wire_job", tests, NULL, NULL);
}
