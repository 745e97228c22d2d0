/*
 * test_solver - a solver's job, and how its run is judged and shown.
 */
#include "tests/unit/support.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "sandbox/solver/lines.h"
#include "sandbox/solver/solver_job.h"
#include "sandbox/solver/solver_result.h"
#include "sandbox/solver/summary.h"
#include "sandbox/text/json.h"

static const struct limits limits = {.timeout_ms = 1000, .value_kb = 1};

static struct bytes text_bytes(const char *text)
{
	return (struct bytes){(char *)(uintptr_t)text, strlen(text)};
}

/* ---- lines ----------------------------------------------------------- */

static void assert_text(struct text *text, const char *want)
{
	text_add(text, "", 1);
	assert_int_equal(text->error, 0);
	assert_string_equal(text->data, want);
	text_free(text);
}

static void the_first_lines_are_kept(void **state)
{
	struct text many = {0}, text = {0};

	(void)state;
	lines_add_head(&text, NULL, 0, 0);
	assert_text(&text, "\"\"");
	lines_add_head(&text, "a\nb", 3, 0);
	assert_text(&text, "\"a\\nb\"");
	lines_add_head(&text, "ab", 2, 7);
	assert_text(&text, "\"ab\\n...[truncated 7 bytes]\"");
	for (int i = 0; i < LINES_HEAD_MAX; i++)
		text_add(&many, "\n", 1);
	lines_add_head(&text, many.data, many.size, 0);
	assert_null(memmem(text.data, text.size, "truncated", 9));
	text_free(&text);
	text_add(&many, "x", 1);
	lines_add_head(&text, many.data, many.size, 0);
	assert_non_null(memmem(text.data, text.size,
			       "...[truncated 1 lines]", 22));
	text_free(&text);
	text_free(&many);
}

static void a_digest_is_the_last_lines(void **state)
{
	static const struct {
		const char *from, *want;
	} rows[] = {
		{"", "\"\""}, {"\n \n\t\r\n", "\"\""}, {"a", "\"a\""},
		{" a \n\n  \n\tb\r\n", "\"a\\nb\""}, {"\xff", "\"\xef\xbf\xbd\""},
		{"1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n",
		 "\"2\\n3\\n4\\n5\\n6\\n7\\n8\\n9\\n10\\n11\\n12\\n13\""},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct text text = {0};

		lines_add_digest(&text, rows[i].from, strlen(rows[i].from));
		assert_text(&text, rows[i].want);
	}
}

/* Characters are counted, and none is cut in two. */
static void a_digest_is_short(void **state)
{
	struct text line = {0}, text = {0};

	(void)state;
	text_add(&line, "x", 1);
	for (int i = 0; i < LINES_DIGEST_CHARS; i++)
		text_add(&line, "\xc3\xa9", 2);
	lines_add_digest(&text, line.data, line.size);
	assert_int_equal(text.size, 2 + 2 * LINES_DIGEST_CHARS);
	assert_memory_equal(text.data + 1, line.data + 1, line.size - 1);
	text_free(&text);
	text_free(&line);
}

/* ---- jobs ------------------------------------------------------------ */

static int make_job(struct solver_job spec, const char *code,
		    const struct solver_limits *most, struct job *job,
		    struct refusal *why)
{
	spec.code = (struct bytes){strdup(code), strlen(code)};
	*job = (struct job){0};
	int rc = solver_job_make(&spec, most, job, why);

	assert_null(spec.code.data);
	return rc;
}

static void numbers_are_rounded(void **state)
{
	static const struct {
		const char *number;
		double per;
		unsigned seconds, workers;
	} rows[] = {
		{"0", 1000, 1, 1}, {"-0.0", 1000, 1, 1}, {"1", 1000, 1, 1},
		{"1000", 1000, 1, 8}, {"1000.5", 1000, 2, 8},
		{"-1e99", 1, 1, 1}, {"2", 1, 2, 2}, {"2.01", 1, 3, 2},
		{"7.999", 1, 8, 7}, {"1e-400", 1, 1, 1},
		{"1e400", 1000, 4000000, 8}, {"-1e400", 1000, 1, 1},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct json_span span = {rows[i].number,
					 strlen(rows[i].number)};

		assert_int_equal(solver_job_seconds(span, rows[i].per),
				 rows[i].seconds);
		assert_int_equal(solver_job_workers(span), rows[i].workers);
	}
}

static void a_job_keeps_to_the_limits(void **state)
{
	static const struct {
		unsigned workers, cores, threads, seconds, limit_ms;
		const char *variables[3];
		unsigned limit, wall_ms;
	} rows[] = {
		{0, 1, 32, 0, 400000,
		 {"SOLVER_WORKERS=1", "EXECUTOR_TIMEOUT_SECONDS=360",
		  "SOLVER_MAX_SECONDS=355"}, 1, 360000},
		{0, 2, 32, 11, 400000,
		 {"SOLVER_WORKERS=1", "EXECUTOR_TIMEOUT_SECONDS=11",
		  "SOLVER_MAX_SECONDS=6"}, 1, 11000},
		{0, 4, 32, 10, 30000,
		 {"SOLVER_WORKERS=3", "EXECUTOR_TIMEOUT_SECONDS=10",
		  "SOLVER_MAX_SECONDS=5"}, 3, 10000},
		{0, 64, 32, 1, 1500,
		 {"SOLVER_WORKERS=8", "EXECUTOR_TIMEOUT_SECONDS=1",
		  "SOLVER_MAX_SECONDS=5"}, 8, 1000},
		{5, 1, 32, 2, 1500,
		 {"SOLVER_WORKERS=5", "EXECUTOR_TIMEOUT_SECONDS=1",
		  "SOLVER_MAX_SECONDS=5"}, 5, 1500},
		{8, 64, 3, 4000000, 300,
		 {"SOLVER_WORKERS=3", "EXECUTOR_TIMEOUT_SECONDS=1",
		  "SOLVER_MAX_SECONDS=5"}, 3, 300},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct solver_limits most = {rows[i].limit_ms,
						   rows[i].threads,
						   rows[i].cores, 100};
		const struct solver_job spec = {.workers = rows[i].workers,
						.seconds = rows[i].seconds};
		struct refusal why;
		struct job job;

		assert_int_equal(make_job(spec, "x", &most, &job, &why), 0);
		assert_int_equal(job.env_count, 4);
		for (size_t v = 0; v < 3; v++)
			assert_string_equal(job.env[v].assignment,
					    rows[i].variables[v]);
		assert_string_equal(job.env[3].assignment,
				    "PYTHONUNBUFFERED=1");
		assert_int_equal(job.threads, rows[i].limit);
		assert_int_equal(job.timeout_ms, rows[i].wall_ms);
		job_free(&job);
	}
}

static void program_and_input_are_files(void **state)
{
	const struct solver_limits most = {1000, 8, 2, 5};
	struct solver_job spec = {.input = json_whole("[12]", 4)};
	struct refusal why = {0};
	struct job job;

	(void)state;
	assert_int_equal(make_job(spec, "x", &most, &job, &why), 0);
	assert_int_equal(job.files_count, 2);
	assert_string_equal(job.files[0].name, "input.json");
	assert_string_equal(job.files[0].content.data, "[12]");
	assert_string_equal(job.files[1].name, "solver_generated.py");
	assert_string_equal(job.files[1].content.data, "x");
	assert_string_equal(job.name.data, "solver_generated.py");
	job_free(&job);
	assert_int_equal(make_job(spec, "xy", &most, &job, &why), -EINVAL);
	assert_int_equal(why.status, 413);
	job_free(&job);
	spec.input = json_whole("[1234]", 6);
	assert_int_equal(make_job(spec, "x", &most, &job, &why), -EINVAL);
	assert_int_equal(why.status, 413);
	job_free(&job);
	spec.input = (struct json_span){0};
	assert_int_equal(make_job(spec, "x", &most, &job, &why), 0);
	assert_string_equal(job.files[0].content.data, "{}");
	job_free(&job);
	assert_int_equal(make_job(spec, " \n", &most, &job, &why), -EINVAL);
	assert_string_equal(why.message, "Missing python code.");
	job_free(&job);
}

static void modules_of_a_check_are_its_arguments(void **state)
{
	const struct solver_limits most = {1000, 8, 2, 5};
	struct solver_job spec = {.task = JOB_PARSE,
				  .allow = json_whole("[\"os\"]", 6)};
	struct refusal why = {0};
	struct job job;

	(void)state;
	assert_int_equal(make_job(spec, "x", &most, &job, &why), 0);
	assert_string_equal(job.arguments.data, "[\"os\"]");
	assert_int_equal(job.files_count, 0);
	job_free(&job);
}

static struct outcome check_outcome(const char *value)
{
	return (struct outcome){.value = text_bytes(value)};
}

/* A check that has sent no text of findings has found nothing good. */
static void a_check_fails_closed(void **state)
{
	static const struct {
		const char *value;
		enum job_task task;
		const char *want;
	} rows[] = {
		{"\"\"", JOB_PARSE, "{\"ok\":true}"},
		{"", JOB_COMPILE, "{\"ok\":true}"},
		{"\"a\"", JOB_PARSE, "{\"ok\":false,\"error\":\"a\"}"},
		{"", JOB_PARSE, "{\"ok\":false,"},
		{"[]", JOB_PARSE, "{\"ok\":false,"},
		{"null", JOB_PARSE, "{\"ok\":false,"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct outcome outcome = check_outcome(rows[i].value);
		const struct job job = {.task = rows[i].task};
		struct text text = {0};

		assert_int_equal(solver_result_add_check(&text, &job, &outcome,
							 &limits), 0);
		assert_memory_equal(text.data, rows[i].want,
				    strlen(rows[i].want));
		text_free(&text);
	}
}

/* ---- the summary ----------------------------------------------------- */

static void ids_are_compared_as_text(void **state)
{
	static const struct {
		const char *assignments, *schedule, *want;
	} rows[] = {
		{"[]", "[]", "[]"}, {"[{\"id\":1}]", "{}", "[\"1\"]"},
		{"[{\"id\":1}]", "[{\"assignmentId\":\"1\"}]", "[]"},
		{"[{\"id\":\"\\u0031\"}]", "[{\"assignmentId\":1}]", "[]"},
		{"[{\"id\":\"a\\u0000\"}]", "[{\"assignmentId\":\"a\"}]",
		 "[\"a\\u0000\"]"},
		{"[{\"id\":1.5},{\"id\":\"x\"}]", "[1,null,[]]",
		 "[\"1.5\",\"x\"]"},
		{"[{\"id\":null},{},1]", "[]", "[]"}, {"1", "\"a\"", "[]"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct bytes all = text_bytes(rows[i].assignments);
		const struct bytes some = text_bytes(rows[i].schedule);
		struct text text = {0};

		assert_int_equal(summary_add_unscheduled(
					 &text, json_whole(all.data, all.size),
					 json_whole(some.data, some.size)),
				 0);
		assert_text(&text, rows[i].want);
	}
}

/* ---- verdicts -------------------------------------------------------- */

#define SOLVED "{\"status\":\"optimal\",\"schedule\":[1]," \
	       "\"assignments\":[{\"id\":2}]}"

static const struct judged {
	const char *result;
	uint64_t marked;
	enum outcome_verdict outcome;
	enum outcome_phase came;
	int exit_code;
	enum solver_result_phase phase;
	enum solver_result_status status;
	bool ok;
} judged[] = {
	{SOLVED, 0, OUTCOME_OK, OUTCOME_FINISHED, 0, SOLVER_RESULT_RUN,
	 SOLVER_RESULT_OPTIMAL, true},
	{SOLVED, 1, OUTCOME_OK, OUTCOME_FINISHED, 0, SOLVER_RESULT_RUN,
	 SOLVER_RESULT_OPTIMAL, true},
	{SOLVED, 2, OUTCOME_OK, OUTCOME_FINISHED, 0, SOLVER_RESULT_PARSE,
	 SOLVER_RESULT_CRASHED, false},
	{"{\"status\":\"Feasible\",\"schedule\":[]}", 0, OUTCOME_OK,
	 OUTCOME_FINISHED, 0, SOLVER_RESULT_RUN, SOLVER_RESULT_INFEASIBLE,
	 false},
	{"{\"status\":\"Model_Invalid\"}", 0, OUTCOME_OK, OUTCOME_FINISHED, 0,
	 SOLVER_RESULT_RUN, SOLVER_RESULT_INFEASIBLE, false},
	{"{\"status\":\"unknown\",\"schedule\":[]}", 0, OUTCOME_OK,
	 OUTCOME_FINISHED, 0, SOLVER_RESULT_RUN, SOLVER_RESULT_UNKNOWN, false},
	{"{\"status\":\"crashed\",\"schedule\":[]}", 0, OUTCOME_OK,
	 OUTCOME_FINISHED, 0, SOLVER_RESULT_RUN, SOLVER_RESULT_UNKNOWN, false},
	{"[]", 0, OUTCOME_OK, OUTCOME_FINISHED, 0, SOLVER_RESULT_RUN,
	 SOLVER_RESULT_UNKNOWN, false},
	{"{", 0, OUTCOME_OK, OUTCOME_FINISHED, 0, SOLVER_RESULT_PARSE,
	 SOLVER_RESULT_CRASHED, false},
	{NULL, 0, OUTCOME_OK, OUTCOME_FINISHED, 0, SOLVER_RESULT_PARSE,
	 SOLVER_RESULT_CRASHED, false},
	{SOLVED, 0, OUTCOME_EXITED, OUTCOME_RUN, 0, SOLVER_RESULT_RUN,
	 SOLVER_RESULT_OPTIMAL, true},
	{SOLVED, 0, OUTCOME_EXITED, OUTCOME_RUN, 3, SOLVER_RESULT_RUN,
	 SOLVER_RESULT_OPTIMAL, false},
	{SOLVED, 0, OUTCOME_RAISED, OUTCOME_RUN, 1, SOLVER_RESULT_RUN,
	 SOLVER_RESULT_OPTIMAL, false},
	{NULL, 0, OUTCOME_RAISED, OUTCOME_RUN, 1, SOLVER_RESULT_PARSE,
	 SOLVER_RESULT_CRASHED, false},
	{NULL, 0, OUTCOME_RAISED, OUTCOME_COMPILE, 1, SOLVER_RESULT_COMPILE,
	 SOLVER_RESULT_CRASHED, false},
	{SOLVED, 0, OUTCOME_MEMORY, OUTCOME_RUN, 137, SOLVER_RESULT_RUN,
	 SOLVER_RESULT_OPTIMAL, false},
	{SOLVED, 2, OUTCOME_TIMEOUT, OUTCOME_RUN, 1, SOLVER_RESULT_RUN,
	 SOLVER_RESULT_OPTIMAL, true},
	{"{\"status\":\"\",\"schedule\":[1]}", 0, OUTCOME_TIMEOUT,
	 OUTCOME_RUN, 1, SOLVER_RESULT_RUN,
	 SOLVER_RESULT_TIMEOUT_WITH_SOLUTION, true},
	{"{\"schedule\":[1]}", 0, OUTCOME_TIMEOUT, OUTCOME_RUN, 1,
	 SOLVER_RESULT_RUN, SOLVER_RESULT_TIMEOUT, false},
	{"{", 0, OUTCOME_TIMEOUT, OUTCOME_RUN, 1, SOLVER_RESULT_RUN,
	 SOLVER_RESULT_TIMEOUT, false},
	{NULL, 0, OUTCOME_TIMEOUT, OUTCOME_RUN, 1, SOLVER_RESULT_RUN,
	 SOLVER_RESULT_TIMEOUT, false},
};

static const struct job no_job = {0};

static int result_file(const char *text, size_t size)
{
	int fd = memfd_create("result", MFD_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, size), (ssize_t)size);
	return fd;
}

static void each_run_has_its_verdict(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(judged); i++) {
		const struct judged *row = &judged[i];
		size_t size = row->result ? strlen(row->result) : 0;
		owned_fd int fd = result_file(row->result ? row->result : "",
					      size);
		struct outcome_file file = {
			(char *)(uintptr_t)"result.json", size, fd};
		const struct outcome outcome = {.verdict = row->outcome,
						.probe.phase = row->came,
						.exit_code = row->exit_code,
						.files = &file,
						.files_count = row->result !=
							       NULL,
						.probe.marked = row->marked};
		struct solver_result verdict;

		assert_int_equal(
			solver_result_make(&verdict, &no_job, &outcome,
					    &limits), 0);
		assert_int_equal(verdict.phase, row->phase);
		assert_int_equal(verdict.status, row->status);
		assert_int_equal(verdict.ok, row->ok);
		if (row->status == SOLVER_RESULT_OPTIMAL)
			assert_memory_equal(verdict.unscheduled.data,
					    "[\"2\"]", 5);
		solver_result_free(&verdict);
	}
}

static void a_result_has_a_largest_size(void **state)
{
	char text[1025];
	struct outcome_file file = {(char *)(uintptr_t)"result.json",
				    sizeof(text), -1};
	struct outcome outcome = {.files = &file, .files_count = 1};
	struct solver_result verdict;

	(void)state;
	memset(text, ' ', sizeof(text));
	memcpy(text, SOLVED, sizeof(SOLVED) - 1);
	owned_fd int fd = result_file(text, sizeof(text));

	file.fd = fd;
	assert_int_equal(solver_result_make(&verdict, &no_job, &outcome,
					    &limits), 0);
	assert_int_equal(verdict.phase, SOLVER_RESULT_PARSE);
	solver_result_free(&verdict);
	file.size = sizeof(text) - 1;
	assert_int_equal(solver_result_make(&verdict, &no_job, &outcome,
					    &limits), 0);
	assert_int_equal(verdict.phase, SOLVER_RESULT_RUN);
	solver_result_free(&verdict);
}

/* A file whose size differs from the announced one is refused. */
static void a_file_that_is_shorter_than_it_was_is_an_error(void **state)
{
	owned_fd int fd = result_file("{}", 2);
	struct outcome_file file = {(char *)(uintptr_t)"result.json", 3, fd};
	const struct outcome outcome = {.files = &file, .files_count = 1};
	struct solver_result verdict;

	(void)state;
	assert_int_equal(solver_result_make(&verdict, &no_job, &outcome,
					    &limits), -EIO);
	solver_result_free(&verdict);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_lines_are_kept),
		cmocka_unit_test(a_digest_is_the_last_lines),
		cmocka_unit_test(a_digest_is_short),
		cmocka_unit_test(numbers_are_rounded),
		cmocka_unit_test(a_job_keeps_to_the_limits),
		cmocka_unit_test(program_and_input_are_files),
		cmocka_unit_test(modules_of_a_check_are_its_arguments),
		cmocka_unit_test(a_check_fails_closed),
		cmocka_unit_test(ids_are_compared_as_text),
		cmocka_unit_test(each_run_has_its_verdict),
		cmocka_unit_test(a_result_has_a_largest_size),
		cmocka_unit_test(
			a_file_that_is_shorter_than_it_was_is_an_error),
	};

	return cmocka_run_group_tests_name("solver", tests, NULL, NULL);
}
