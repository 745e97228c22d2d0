/*
 * test_native - the native door: jobs that it makes, and refusals.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <string.h>

#include "fcgi/api/native.h"

static const struct door_limits pool = {
	.timeout_ms = 30000, .memory_mb = 512, .files = 4, .home_bytes = 10,
	.home_aliases = "/mnt/data:/home/other",
};

static int parse_for(const struct door_limits *limits, const char *body,
		     size_t size, struct job *job, struct refusal *why)
{
	*job = (struct job){ .body = { malloc(size + 1), size } };
	assert_non_null(job->body.data);
	memcpy(job->body.data, body, size);
	job->body.data[size] = '\0';
	return native_parse(limits, job, why);
}

static int parse(const char *body, struct job *job, struct refusal *why)
{
	return parse_for(&pool, body, strlen(body), job, why);
}

static void assert_bytes(struct bytes bytes, const char *text)
{
	assert_int_equal(bytes.size, strlen(text));
	assert_memory_equal(bytes.data, text, bytes.size);
}

static void forms_ask_for_results(void **state)
{
	struct refusal why = {0};
	struct job job = {0};

	(void)state;
	assert_int_equal(parse("{\"code\":\"1\",\"results\":false,\"forms\":"
			       "[\"chart\",\"png\",\"png\"]}", &job, &why), 0);
	assert_true(job.displays);
	assert_int_equal(job.forms, JOB_FORM_CHART | JOB_FORM_PNG |
				    JOB_FORM_DRAW);
	job_free(&job);
	assert_int_equal(parse("{\"code\":\"1\",\"results\":true}", &job,
			       &why), 0);
	assert_int_equal(job.forms, 0);
	job_free(&job);
}

static void everything_arrives(void **state)
{
	struct refusal why = { 0 };
	struct job job = { 0 };

	(void)state;
	assert_int_equal(parse(
		"{\"code\":\"print(\\\"\\u00e4\\\")\\n\",\"timeout_ms\":30000,"
		"\"memory_mb\":1,\"stdin\":\"a\\nb\",\"arguments\": {\"n\" : "
		"123456789012345678901234567890, \"f\":1.10} ,\"env\":{\"A\":"
		"\"1=2\",\"_b9\":\"\"},\"files\":[{\"filename\":\"d/\xc3\xa4"
		".txt\",\"b64_data\":\"AAEC\",\"mode\":[1]},{\"b64_data\":\"\","
		"\"filename\":\"..x\"}],\"session\":null,\"other\":[{}]}",
		&job, &why), 0);
	assert_int_equal(why.status, 0);
	assert_bytes(job.code, "print(\"\xc3\xa4\")\n");
	assert_bytes(job.input, "a\nb");
	assert_true(job.call_main);
	assert_bytes(job.arguments, "{\"n\" : 123456789012345678901234567890,"
				    " \"f\":1.10}");
	assert_int_equal(job.timeout_ms, 30000);
	assert_int_equal(job.memory_mb, 1);
	assert_int_equal(job.env_count, 2);
	assert_string_equal(job.env[0].assignment, "A=1=2");
	assert_string_equal(job.env[1].assignment, "_b9=");
	assert_int_equal(job.files_count, 2);
	assert_string_equal(job.files[0].name, "d/\xc3\xa4.txt");
	assert_int_equal(job.files[0].content.size, 3);
	assert_memory_equal(job.files[0].content.data, "\0\1\2", 3);
	assert_string_equal(job.files[1].name, "..x");
	assert_int_equal(job.files[1].content.size, 0);
	job_free(&job);
}

static void aliases_of_home_are_removed(void **state)
{
	struct refusal why = { 0 };
	struct job job = { 0 };

	(void)state;
	assert_int_equal(parse("{\"code\":\"1\",\"files\":["
			       "{\"filename\":\"/mnt/data/d/a\",\"b64_data\":"
			       "\"\"},{\"filename\":\"\\/home\\/user\\/b\","
			       "\"b64_data\":\"\"}]}", &job, &why), 0);
	assert_string_equal(job.files[0].name, "d/a");
	assert_string_equal(job.files[1].name, "b");
	job_free(&job);
}

/* Whatever is large: nothing is held twice. */
static void all_lies_in_the_body(void **state)
{
	char body[] =
		"{\"files\":[{\"b64_data\":\"QUJ\\u0044\",\"filename\":"
		"\"\\u00e4/b\"},{\"filename\":\"c\",\"b64_data\":\"\\/"
		"+\\/+\"}],\"env\":{\"A\\u0042\" : \"\\ud83d\\ude00\\n\","
		"\"C\":\"\"},\"stdin\":\"\\\"\\t\\\"\",\"code\":\"a\\nb\","
		"\"arguments\":{\"x\":[1,2]}}";
	struct refusal why = { 0 };
	struct job job = { 0 };

	(void)state;
	assert_int_equal(parse(body, &job, &why), 0);
	assert_string_equal(job.files[0].name, "\xc3\xa4/b");
	assert_bytes(job.files[0].content, "ABC");
	assert_bytes(job.files[1].content, "\xff\xef\xfe");
	assert_string_equal(job.env[0].assignment,
			    "AB=\xf0\x9f\x98\x80\n");
	assert_string_equal(job.env[1].assignment, "C=");
	assert_string_equal(job.input.data, "\"\t\"");
	assert_string_equal(job.code.data, "a\nb");
	assert_string_equal(job.arguments.data, "{\"x\":[1,2]}");
	for (size_t i = 0; i < 2; i++)
		assert_true(job_holds(&job, job.files[i].name) &&
			    job_holds(&job, job.files[i].content.data) &&
			    job_holds(&job, job.env[i].assignment));
	assert_true(job_holds(&job, job.input.data) &&
		    job_holds(&job, job.code.data) &&
		    job_holds(&job, job.arguments.data));
	job_free(&job);
	*strstr(body, "QUJ") = '!';
	assert_int_equal(parse(body, &job, &why), -EINVAL);
	assert_string_equal(why.message,
			    "files[0]: b64_data is not standard base64");
	job_free(&job);
}

static void null_is_absent(void **state)
{
	struct refusal why = { 0 };
	struct job job = { 0 };

	(void)state;
	assert_int_equal(parse(
		"{\"code\":\"1\",\"timeout_ms\":null,\"memory_mb\":null,"
		"\"stdin\":null,\"arguments\":null,\"env\":null,\"files\":null,"
		"\"session\":null}", &job, &why), 0);
	assert_false(job.call_main);
	assert_null(job.arguments.data);
	assert_int_equal(job.timeout_ms, 0);
	assert_int_equal(job.memory_mb, 0);
	assert_int_equal(job.files_count, 0);
	job_free(&job);
	assert_int_equal(parse("{\"code\":\"1\",\"arguments\":{}}", &job, &why),
			 0);
	assert_true(job.call_main);
	job_free(&job);
}

struct refused {
	const char *body;
	int status;
	const char *code;
	const char *words; /* part of the message */
};

#define WITH(more) "{\"code\":\"1\"," more "}"
#define FILES(list) WITH("\"files\":[" list "]")
#define A_FILE(name) "{\"filename\":\"" name "\",\"b64_data\":\"\"}"
#define DATA(b64) "{\"filename\":\"a\",\"b64_data\":\"" b64 "\"}"
#define X64 "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
#define X256 X64 X64 X64 X64

static const struct refused refused_rows[] = {
	{ "", 400, "empty_body", "empty" },
	{ "{", 400, "bad_json", "byte 1" },
	{ "[]", 400, "want_object", "object" },
	{ "\"code\"", 400, "want_object", "object" },
	{ "null", 400, "want_object", "object" },
	{ " 7", 400, "want_object", "object" },
	{ "{\"code\":\"1\",\"code\":\"2\"}", 400, "duplicate_key", "\"code\"" },
	{ "{}", 200, "parsing", "no code provided" },
	{ "{\"code\":\"\"}", 200, "parsing", "no code provided" },
	{ "{\"code\":\" \\t\\r\\n\\f\\u000b\"}", 200, "parsing", "no code" },
	{ "{\"Code\":\"1\"}", 200, "parsing", "no code provided" },
	{ "{\"code\":null}", 400, "bad_type", "code must be a string" },
	{ "{\"code\":1}", 400, "bad_type", "code must be a string" },
	{ "{\"code\":[]}", 400, "bad_type", "code must be a string" },
	{ "{\"c\\u006fde\":{}}", 400, "bad_type", "code must be a string" },
	{ "{\"files\":{}}", 400, "bad_type", "files must be an array" },
	{ WITH("\"files\":\"\""), 400, "bad_type", "files must be an array" },
	{ WITH("\"stdin\":1"), 400, "bad_type", "stdin must be a string" },
	{ WITH("\"arguments\":[]"), 400, "bad_type",
	  "arguments must be an object" },
	{ WITH("\"forms\":\"png\""), 400, "bad_type",
	  "forms must be an array" },
	{ WITH("\"forms\":[]"), 400, "bad_form",
	  "forms must name at least one form" },
	{ WITH("\"forms\":[\"png\",1]"), 400, "bad_type",
	  "forms[1] must be a string" },
	{ WITH("\"forms\":[\"gif\"]"), 400, "bad_form",
	  "forms[0] must be one of text, html, markdown, svg, png, jpeg, "
	  "pdf, latex, json, javascript, data, chart, other" },
	{ WITH("\"env\":[]"), 400, "bad_type", "env must be an object" },
	{ WITH("\"timeout_ms\":\"5\""), 400, "bad_type",
	  "timeout_ms must be an integer" },
	{ WITH("\"timeout_ms\":true"), 400, "bad_type", "an integer" },
	{ WITH("\"timeout_ms\":0.5"), 400, "bad_type", "an integer" },
	{ WITH("\"timeout_ms\":1e2"), 400, "bad_type", "an integer" },
	{ WITH("\"timeout_ms\":1.0"), 400, "bad_type", "an integer" },
	{ WITH("\"timeout_ms\":0"), 400, "limit_out_of_range",
	  "timeout_ms must be 1 to 30000" },
	{ WITH("\"timeout_ms\":-1"), 400, "limit_out_of_range", "30000" },
	{ WITH("\"timeout_ms\":-0"), 400, "limit_out_of_range", "30000" },
	{ WITH("\"timeout_ms\":30001"), 400, "limit_out_of_range", "30000" },
	{ WITH("\"timeout_ms\":4294967297"), 400, "limit_out_of_range", "30" },
	{ WITH("\"timeout_ms\":" "99999999999999999999999999999999"), 400,
	  "limit_out_of_range", "30000" },
	{ WITH("\"memory_mb\":0"), 400, "limit_out_of_range",
	  "memory_mb must be 1 to 512" },
	{ WITH("\"memory_mb\":513"), 400, "limit_out_of_range", "512" },
	{ WITH("\"memory_mb\":false"), 400, "bad_type", "memory_mb" },
	{ WITH("\"session\":\"s\""), 403, "sessions_off", "switched off" },
	{ WITH("\"session\":1"), 400, "bad_type", "session must be a string" },
	{ WITH("\"env\":{\"A\":1}"), 400, "bad_type",
	  "env.A must be a string" },
	{ WITH("\"env\":{\"A\":null}"), 400, "bad_type", "env.A" },
	{ WITH("\"env\":{\"\":\"\"}"), 400, "bad_env", "\"\"" },
	{ WITH("\"env\":{\"9A\":\"\"}"), 400, "bad_env", "9A" },
	{ WITH("\"env\":{\"A=B\":\"\"}"), 400, "bad_env", "A=B" },
	{ WITH("\"env\":{\"A\\n\":\"\"}"), 400, "bad_env", "A\\x0a" },
	{ WITH("\"env\":{\"\xc3\xa4\":\"\"}"), 400, "bad_env", "\\xc3\\xa4" },
	{ WITH("\"env\":{\"PYTHONPATH\":\"\"}"), 400, "bad_env", "PYTHONPATH" },
	{ WITH("\"env\":{\"PYTHON\":\"\"}"), 400, "bad_env", "PYTHON" },
	{ WITH("\"env\":{\"L\\u0044_PRELOAD\":\"\"}"), 400, "bad_env",
	  "LD_PRELOAD" },
	{ WITH("\"env\":{\"MALLOC_ARENA_MAX\":\"\"}"), 400, "bad_env",
	  "MALLOC_ARENA_MAX" },
	{ WITH("\"env\":{\"GLIBC_TUNABLES\":\"\"}"), 400, "bad_env", "GLIBC" },
	{ WITH("\"env\":{\"LOCPATH\":\"\"}"), 400, "bad_env", "LOCPATH" },
	{ WITH("\"env\":{\"GCONV_PATH\":\"\"}"), 400, "bad_env", "GCONV_PATH" },
	{ FILES("1"), 400, "bad_type", "files[0] must be an object" },
	{ FILES(A_FILE("a") ",null"), 400, "bad_type", "files[1] must be" },
	{ FILES("{\"filename\":1,\"b64_data\":\"\"}"), 400, "bad_type",
	  "files[0].filename must be a string" },
	{ FILES(A_FILE("a") ",{\"filename\":\"b\",\"b64_data\":null}"), 400,
	  "bad_type", "files[1].b64_data must be a string" },
	{ FILES("{\"b64_data\":\"\"}"), 200, "parsing",
	  "files[0]: filename is missing" },
	{ FILES(A_FILE("a") ",{\"filename\":\"b\"}"), 200, "parsing",
	  "files[1]: b64_data is missing" },
	{ FILES(A_FILE("")), 200, "parsing", "files[0]: filename is empty" },
	{ FILES(A_FILE("/etc/../passwd")), 200, "parsing", "'..'" },
	{ FILES(A_FILE("a") "," A_FILE("b") "," A_FILE("../x")), 200, "parsing",
	  "files[2]: filename may not contain '..'" },
	{ FILES(A_FILE("a/../../x")), 200, "parsing", "'..'" },
	{ FILES(A_FILE("a/..")), 200, "parsing", "'..'" },
	{ FILES(A_FILE("..")), 200, "parsing", "'..'" },
	{ FILES(A_FILE("\\u002e\\u002e/x")), 200, "parsing", "'..'" },
	{ FILES(A_FILE(".")), 200, "parsing", "'.' as a component" },
	{ FILES(A_FILE("./..")), 200, "parsing", "'..'" },
	{ FILES(A_FILE("/./")), 200, "parsing", "is empty" },
	{ FILES(A_FILE("a//b")), 200, "parsing", "empty component" },
	{ FILES(A_FILE("a/")), 200, "parsing", "empty component" },
	{ FILES(A_FILE("a\\u0000.py")), 400, "bad_json", "u0000" },
	{ FILES(A_FILE(X256)), 200, "parsing", "255 bytes" },
	{ FILES(A_FILE("a/" X256)), 200, "parsing", "255 bytes" },
	{ FILES(A_FILE(X256 X256 X256 X256 "x")), 200, "parsing",
	  "longer than 1024 bytes" },
	{ FILES(A_FILE("1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/17")), 200,
	  "parsing", "16 components" },
	{ FILES(A_FILE("a") "," A_FILE("/a") "," A_FILE("a/b")), 200, "parsing",
	  "files[2]: filename clashes with files[1]'s" },
	{ FILES(A_FILE("a") "," A_FILE("a/b")), 200, "parsing",
	  "files[1]: filename clashes with files[0]'s" },
	{ FILES(A_FILE("a/b") "," A_FILE("a")), 200, "parsing",
	  "files[1]: filename clashes with files[0]'s" },
	{ FILES(A_FILE("a/b/c") "," A_FILE("a!") "," A_FILE("a")), 200,
	  "parsing", "files[2]: filename clashes with files[0]'s" },
	{ FILES(DATA("A")), 200, "parsing", "files[0]: b64_data is not" },
	{ FILES(DATA("QQ===")), 200, "parsing", "base64" },
	{ FILES(DATA("QR==")), 200, "parsing", "base64" },
	{ FILES(DATA("QQ==\\u00a0")), 200, "parsing", "base64" },
	{ FILES(DATA("_-8=")), 200, "parsing", "base64" },
	{ FILES(DATA("AAAAAAAAAAAAAAA=")), 413, "file_too_large",
	  "more than 10 bytes" },
	{ FILES(DATA("AAAAAAAAAAA=") ",{\"filename\":\"b\",\"b64_data\":"
		"\"AAAA\"}"), 413, "file_too_large", "files[1]" },
	{ FILES(A_FILE("1") "," A_FILE("2") "," A_FILE("3") "," A_FILE("4") ","
		A_FILE("5")), 413, "too_many_files", "more than 4" },
};

static void mistakes_are_named(void **state)
{
	struct refusal why = { 0 };
	struct job job = { 0 };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(refused_rows); i++) {
		const struct refused *row = &refused_rows[i];

		if (parse(row->body, &job, &why) != -EINVAL)
			fail_msg("row %zu was accepted: %s", i, row->body);
		if (why.status != row->status ||
		    strcmp(why.code, row->code) != 0 ||
		    !strstr(why.message, row->words))
			fail_msg("row %zu, %s: %d %s: %s", i, row->body,
				 why.status, why.code, why.message);
		job_free(&job);
	}
}

/* Odd requests that are allowed. */
static void odd_requests_pass(void **state)
{
	static const char *const rows[] = {
		"{\"code\":\"#\",\"\":1,\"__proto__\":[[[[]]]]}",
		WITH("\"env\":{\"PATH\":\"\",\"LD\":\"\",\"PYTHO\":\"\","
		     "\"LOCPATH2\":\"\",\"python\":\"\"}"),
		FILES(A_FILE("~/.x") "," A_FILE("a\\\\b") "," A_FILE("%2e%2e")
		      "," A_FILE("-rf\\n ")),
		FILES(A_FILE("a") "," A_FILE("a!") "," A_FILE("A") ","
		      A_FILE("ab/c")),
		FILES(A_FILE("1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16")),
		FILES(DATA("AAAAAAAAAAAAAA==")),
		FILES("{\"filename\":\"a\",\"b64_data\":\"\\u0041\\/8=\"}"),
	};
	struct refusal why = { 0 };
	struct job job = { 0 };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		if (parse(rows[i], &job, &why))
			fail_msg("row %zu, %s: %s", i, rows[i], why.message);
		job_free(&job);
	}
}

static void every_cut_is_answered(void **state)
{
	static const char body[] =
		WITH("\"env\":{\"A\":\"1\"},\"files\":[" A_FILE("x")
		     "],\"timeout_ms\":5,\"arguments\":{\"a\":[1]}");
	struct refusal why = { 0 };
	struct job job = { 0 };

	(void)state;
	for (size_t cut = 0; cut < sizeof(body) - 1; cut++) {
		assert_int_equal(parse_for(&pool, body, cut, &job, &why),
				 -EINVAL);
		assert_int_equal(why.status, 400);
		job_free(&job);
	}
}

static void a_session_arrives(void **state)
{
	struct door_limits on = pool;
	struct refusal why = { 0 };
	struct job job = { 0 };
	static const char body[] = "{\"code\":\"1\",\"session\":\"a/b\"}";
	static const char both[] = "{\"memory_mb\":1,\"code\":\"1\","
				   "\"session\":\"a\"}";

	(void)state;
	on.sessions = true;
	assert_int_equal(parse_for(&on, body, sizeof(body) - 1, &job, &why),
			 0);
	assert_bytes(job.session, "a/b");
	job_free(&job);
	assert_int_equal(parse_for(&on, both, sizeof(both) - 1, &job, &why),
			 -EINVAL);
	assert_int_equal(why.status, 400);
	assert_string_equal(why.code, "limit_out_of_range");
	job_free(&job);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(forms_ask_for_results),
		cmocka_unit_test(everything_arrives),
		cmocka_unit_test(aliases_of_home_are_removed),
		cmocka_unit_test(all_lies_in_the_body),
		cmocka_unit_test(null_is_absent),
		cmocka_unit_test(mistakes_are_named),
		cmocka_unit_test(odd_requests_pass),
		cmocka_unit_test(every_cut_is_answered),
		cmocka_unit_test(a_session_arrives),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
