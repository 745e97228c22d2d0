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
		{"a\n\n  \nb\n", "\"a\\nb\""}, {"\xff", "\"\xef\xbf\xbd\""},
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

/* ---- orders ---------------------------------------------------------- */

static int make_job(struct solver_job order, const char *code,
		    const struct solver_limits *most, struct job *job,
		    struct refusal *why)
{
	order.code = (struct bytes){strdup(code), strlen(code)};
	*job = (struct job){0};
	int rc = solver_job_make(&order, most, job, why);

	assert_null(order.code.data);
	return rc;
}

static void an_order_keeps_to_the_limits(void **state)
{
	static const struct {
		unsigned workers, cores, threads;
		uint64_t timeout_ms;
		const char *variable;
		unsigned limit, wall_ms;
	} rows[] = {
		{0, 1, 32, 0, "SOLVER_WORKERS=1", 1, 1000},
		{0, 2, 32, 0, "SOLVER_WORKERS=1", 1, 1000},
		{0, 4, 32, 1, "SOLVER_WORKERS=3", 3, 1},
		{0, 64, 32, 999, "SOLVER_WORKERS=8", 8, 999},
		{5, 1, 32, 1001, "SOLVER_WORKERS=5", 5, 1000},
		{8, 64, 3, UINT64_MAX, "SOLVER_WORKERS=3", 3, 1000},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct solver_limits most = {1000, rows[i].threads,
						   rows[i].cores, 100};
		const struct solver_job order = {
			.workers = rows[i].workers,
			.timeout_ms = rows[i].timeout_ms};
		struct refusal why;
		struct job job;

		assert_int_equal(make_job(order, "x", &most, &job, &why), 0);
		assert_int_equal(job.env_count, 1);
		assert_string_equal(job.env[0].assignment, rows[i].variable);
		assert_int_equal(job.threads, rows[i].limit);
		assert_int_equal(job.timeout_ms, rows[i].wall_ms);
		job_free(&job);
	}
}

static void an_input_is_a_file(void **state)
{
	const struct solver_limits most = {1000, 8, 2, 4};
	struct solver_job order = {.input = json_whole("[12]", 4)};
	struct refusal why = {0};
	struct job job;

	(void)state;
	assert_int_equal(make_job(order, "x", &most, &job, &why), 0);
	assert_string_equal(job.files[0].name, "input.json");
	assert_string_equal(job.files[0].content.data, "[12]");
	job_free(&job);
	order.input = json_whole("[123]", 5);
	assert_int_equal(make_job(order, "x", &most, &job, &why), -EINVAL);
	assert_int_equal(why.status, 413);
	job_free(&job);
	assert_int_equal(make_job(order, " \n", &most, &job, &why), -EINVAL);
	assert_string_equal(why.message, "Missing python code.");
	job_free(&job);
}

static void imports_are_allowed_by_name(void **state)
{
	static const struct {
		const char *value, *allow;
		int rc;
		const char *culprit;
	} rows[] = {
		{"[\"os\"]", "", 1, NULL},
		{"[\"os\"]", "[\"o\\u0073\"]", 1, NULL},
		{"[\"a\",\"b\"]", "[\"a\"]", 0, "b"},
		{"[\"\\u00fc\"]", "[\"\xc3\xbc\"]", 1, NULL},
		{"[]", "[]", 1, NULL}, {"[1]", "[]", 1, NULL},
		{"{}", "[]", 1, NULL}, {"", "[]", 1, NULL},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct bytes value = text_bytes(rows[i].value);
		const struct bytes allow = text_bytes(rows[i].allow);
		struct bytes culprit;

		assert_int_equal(solver_job_allowed(&value, &allow, &culprit),
				 rows[i].rc);
		assert_int_equal(culprit.data != NULL,
				 rows[i].culprit != NULL);
		if (culprit.data)
			assert_string_equal(culprit.data, rows[i].culprit);
		free(culprit.data);
	}
}

/* ---- verdicts -------------------------------------------------------- */

#define SOLVED "{\"status\":\"optimal\",\"schedule\":[1],\"assignments\":[1,2]}"

static const struct judged {
	const char *result;
	uint64_t marked;
	enum outcome_verdict outcome;
	enum outcome_phase came;
	int exit_code;
	enum solver_result_phase phase;
	enum solver_result_status status;
} judged[] = {
	{SOLVED, 0, OUTCOME_OK, OUTCOME_FINISHED, 0, SOLVER_RESULT_SERIALIZE,
	 SOLVER_RESULT_OPTIMAL},
	{SOLVED, 1, OUTCOME_OK, OUTCOME_FINISHED, 0, SOLVER_RESULT_SERIALIZE,
	 SOLVER_RESULT_OPTIMAL},
	{SOLVED, 2, OUTCOME_OK, OUTCOME_FINISHED, 0, SOLVER_RESULT_PARSE,
	 SOLVER_RESULT_CRASHED},
	{"{\"status\":\"Feasible\",\"schedule\":[]}", 0, OUTCOME_OK,
	 OUTCOME_FINISHED, 0, SOLVER_RESULT_SERIALIZE,
	 SOLVER_RESULT_INFEASIBLE},
	{"{\"status\":\"unknown\",\"schedule\":[]}", 0, OUTCOME_OK,
	 OUTCOME_FINISHED, 0, SOLVER_RESULT_SERIALIZE, SOLVER_RESULT_UNKNOWN},
	{"{\"status\":\"crashed\",\"schedule\":[]}", 0, OUTCOME_OK,
	 OUTCOME_FINISHED, 0, SOLVER_RESULT_PARSE, SOLVER_RESULT_CRASHED},
	{"{", 0, OUTCOME_OK, OUTCOME_FINISHED, 0, SOLVER_RESULT_PARSE,
	 SOLVER_RESULT_CRASHED},
	{NULL, 0, OUTCOME_OK, OUTCOME_FINISHED, 0, SOLVER_RESULT_PARSE,
	 SOLVER_RESULT_CRASHED},
	{SOLVED, 0, OUTCOME_EXITED, OUTCOME_RUN, 0, SOLVER_RESULT_SERIALIZE,
	 SOLVER_RESULT_OPTIMAL},
	{SOLVED, 0, OUTCOME_EXITED, OUTCOME_RUN, 3, SOLVER_RESULT_RUN,
	 SOLVER_RESULT_CRASHED},
	{SOLVED, 0, OUTCOME_RAISED, OUTCOME_RUN, 1, SOLVER_RESULT_RUN,
	 SOLVER_RESULT_CRASHED},
	{NULL, 0, OUTCOME_RAISED, OUTCOME_COMPILE, 1, SOLVER_RESULT_COMPILE,
	 SOLVER_RESULT_CRASHED},
	{SOLVED, 0, OUTCOME_MEMORY, OUTCOME_RUN, 137, SOLVER_RESULT_RUN,
	 SOLVER_RESULT_CRASHED},
	{SOLVED, 0, OUTCOME_TIMEOUT, OUTCOME_RUN, 1, SOLVER_RESULT_RUN,
	 SOLVER_RESULT_TIMEOUT_WITH_SOLUTION},
	{"{", 0, OUTCOME_TIMEOUT, OUTCOME_RUN, 1, SOLVER_RESULT_RUN,
	 SOLVER_RESULT_TIMEOUT},
	{NULL, 0, OUTCOME_TIMEOUT, OUTCOME_RUN, 1, SOLVER_RESULT_RUN,
	 SOLVER_RESULT_TIMEOUT},
};

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
			solver_result_make(&verdict, &outcome, &limits), 0);
		assert_int_equal(verdict.phase, row->phase);
		assert_int_equal(verdict.status, row->status);
		assert_int_equal(verdict.ok,
				 row->status <= SOLVER_RESULT_FEASIBLE);
		if (row->status == SOLVER_RESULT_OPTIMAL)
			assert_int_equal(verdict.unscheduled, 1);
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
	assert_int_equal(solver_result_make(&verdict, &outcome, &limits), 0);
	assert_int_equal(verdict.phase, SOLVER_RESULT_PARSE);
	solver_result_free(&verdict);
	file.size = sizeof(text) - 1;
	assert_int_equal(solver_result_make(&verdict, &outcome, &limits), 0);
	assert_int_equal(verdict.phase, SOLVER_RESULT_SERIALIZE);
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
	assert_int_equal(solver_result_make(&verdict, &outcome, &limits), -EIO);
	solver_result_free(&verdict);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_lines_are_kept),
		cmocka_unit_test(a_digest_is_the_last_lines),
		cmocka_unit_test(a_digest_is_short),
		cmocka_unit_test(an_order_keeps_to_the_limits),
		cmocka_unit_test(an_input_is_a_file),
		cmocka_unit_test(imports_are_allowed_by_name),
		cmocka_unit_test(each_run_has_its_verdict),
		cmocka_unit_test(a_result_has_a_largest_size),
		cmocka_unit_test(
			a_file_that_is_shorter_than_it_was_is_an_error),
	};

	return cmocka_run_group_tests_name("solver", tests, NULL, NULL);
}
