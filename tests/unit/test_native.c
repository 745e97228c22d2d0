/*
 * test_native - the native door: what becomes a job, what is refused and how,
 * and what is answered.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "../../sandbox/text/json.h"
#include "../../fcgi/native.h"
#include "../../sandbox/text/text.h"

static const struct door_limits pool = {
	.timeout_ms = 30000, .memory_mb = 512, .files = 4, .home_bytes = 10,
};

static const struct limits run_limits = {
	.timeout_ms = 30000, .memory_mb = 512, .flood_mb = 64,
};

static int parse(const char *body, struct job *job, struct refusal *why)
{
	size_t size = strlen(body);
	owned_free char *copy = malloc(size ? size : 1);

	memcpy(copy, body, size);
	return native_parse(copy, size, &pool, job, why);
}

static void assert_bytes(struct bytes bytes, const char *text)
{
	assert_int_equal(bytes.size, strlen(text));
	assert_memory_equal(bytes.data, text, bytes.size);
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
	{ FILES(A_FILE("/etc/passwd")), 200, "parsing", "absolute" },
	{ FILES(A_FILE("a") "," A_FILE("b") "," A_FILE("../x")), 200, "parsing",
	  "files[2]: filename may not contain '..'" },
	{ FILES(A_FILE("a/../../x")), 200, "parsing", "'..'" },
	{ FILES(A_FILE("a/..")), 200, "parsing", "'..'" },
	{ FILES(A_FILE("..")), 200, "parsing", "'..'" },
	{ FILES(A_FILE("\\u002e\\u002e/x")), 200, "parsing", "'..'" },
	{ FILES(A_FILE(".")), 200, "parsing", "'.' as a component" },
	{ FILES(A_FILE("./a")), 200, "parsing", "'.' as a component" },
	{ FILES(A_FILE("a//b")), 200, "parsing", "empty component" },
	{ FILES(A_FILE("a/")), 200, "parsing", "empty component" },
	{ FILES(A_FILE("a\\u0000.py")), 400, "bad_json", "u0000" },
	{ FILES(A_FILE(X256)), 200, "parsing", "255 bytes" },
	{ FILES(A_FILE("a/" X256)), 200, "parsing", "255 bytes" },
	{ FILES(A_FILE(X256 X256 X256 X256 "x")), 200, "parsing",
	  "longer than 1024 bytes" },
	{ FILES(A_FILE("1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/17")), 200,
	  "parsing", "16 components" },
	{ FILES(A_FILE("a") "," A_FILE("b") "," A_FILE("a")), 200, "parsing",
	  "files[2]: filename is the same as files[0]'s" },
	{ FILES(A_FILE("a") "," A_FILE("a/b")), 200, "parsing",
	  "files[1]: filename clashes with files[0]'s" },
	{ FILES(A_FILE("a/b") "," A_FILE("a")), 200, "parsing",
	  "files[1]: filename clashes with files[0]'s" },
	{ FILES(A_FILE("a/b/c") "," A_FILE("a!") "," A_FILE("a")), 200,
	  "parsing", "files[2]: filename clashes with files[0]'s" },
	{ FILES(DATA("A")), 200, "parsing", "files[0]: b64_data is not" },
	{ FILES(DATA("QQ")), 200, "parsing", "base64" },
	{ FILES(DATA("QR==")), 200, "parsing", "base64" },
	{ FILES(DATA("QQ==\\n")), 200, "parsing", "base64" },
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

/* What looks odd and is allowed. */
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
		owned_free char *copy = malloc(cut ? cut : 1);

		memcpy(copy, body, cut);
		assert_int_equal(native_parse(copy, cut, &pool, &job, &why),
				 -EINVAL);
		assert_int_equal(why.status, 400);
		job_free(&job);
	}
}

/* The body of REPLY as text; its files are not read. Checks that it is one
 * line of JSON. */
static char *body_of(const struct reply *reply)
{
	const struct json_limits limits = { .depth = 9, .nul = true };
	struct text text = { 0 };
	struct refusal why = { 0 };

	assert_int_equal(reply->error, 0);
	for (size_t i = 0; i < reply->parts_count; i++)
		text_add(&text, reply->parts[i].text, reply->parts[i].fd < 0
					? reply->parts[i].size : 0);
	text_add(&text, "", 1);
	if (json_check(text.data, text.size - 1, &limits, &why))
		fail_msg("%s: %s", why.message, text.data);
	assert_ptr_equal(strchr(text.data, '\n'), text.data + text.size - 2);
	return text.data;
}

static void render(const struct outcome *outcome, struct reply *reply)
{
	const struct door_answer answer = { .outcome = outcome,
					    .limits = &run_limits,
					    .id = "id1" };

	native_render(&answer, reply);
}

static void assert_rendered(const struct outcome *outcome, const char *want)
{
	owned_free char *body = NULL;
	struct reply reply;

	reply_init(&reply);
	render(outcome, &reply);
	body = body_of(&reply);
	assert_string_equal(body, want);
	assert_int_equal(reply.status, 200);
	assert_string_equal(reply.id, "id1");
	assert_string_equal(reply.content_type, "application/json");
	reply_free(&reply);
}

#define BYTES(s) { (char *)(uintptr_t)(s), sizeof(s) - 1 }
#define USAGE "\"usage\":{\"cpu_ms\":2,\"memory_peak_kb\":3,\"queue_ms\":4," \
	      "\"armed\":true},\"id\":\"id1\"}\n"

static struct outcome plain(enum outcome_verdict verdict)
{
	return (struct outcome){
		.verdict = verdict, .runtime_ms = 1, .cpu_ms = 2,
		.memory_peak_kb = 3, .queue_ms = 4, .armed = true,
	};
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
	assert_int_equal(native_parse(body, sizeof(body) - 1, &on, &job, &why),
			 0);
	assert_bytes(job.session, "a/b");
	job_free(&job);
	assert_int_equal(native_parse(both, sizeof(both) - 1, &on, &job, &why),
			 -EINVAL);
	assert_int_equal(why.status, 400);
	assert_string_equal(why.code, "limit_out_of_range");
	job_free(&job);
}

static void what_became_of_a_session_is_rendered(void **state)
{
	const struct door_session session = { "ended", "it is \"gone\"" };
	struct outcome outcome = plain(OUTCOME_OK);
	struct door_answer answer = { .outcome = &outcome, .id = "id1",
				      .limits = &run_limits,
				      .session = &session };
	struct reply reply;

	(void)state;
	reply_init(&reply);
	native_render(&answer, &reply);
	owned_free char *good = body_of(&reply);

	assert_non_null(strstr(good, ",\"session\":{\"state\":\"ended\"},"
				     "\"id\""));
	reply_free(&reply);
	outcome.verdict = OUTCOME_TIMEOUT;
	reply_init(&reply);
	native_render(&answer, &reply);
	owned_free char *bad = body_of(&reply);

	assert_non_null(strstr(bad, ",\"session\":{\"state\":\"ended\","
				    "\"message\":\"it is \\\"gone\\\"\"}"));
	reply_free(&reply);
}

static void success_is_rendered(void **state)
{
	struct outcome outcome = plain(OUTCOME_OK);
	struct bytes displays[] = { BYTES("{\"text/plain\":\"a\"}"),
				    BYTES("{\"image/png\":\"\"}") };

	(void)state;
	assert_rendered(&outcome,
			"{\"output_files\":[],\"success\":true,\"std_out\":\"\""
			",\"std_err\":\"\",\"code_runtime\":1," USAGE);
	outcome.value = (struct bytes)BYTES("2");
	assert_rendered(&outcome,
			"{\"output_files\":[],\"final_expression\":2,"
			"\"success\":true,\"std_out\":\"\",\"std_err\":\"\","
			"\"code_runtime\":1," USAGE);
	outcome.displays = displays;
	outcome.displays_count = 2;
	outcome.out.kept = (struct bytes)BYTES("a\n\xff\0");
	outcome.err.kept = (struct bytes)BYTES("\"\xed\xa0\x80");
	outcome.err.dropped = 5;
	outcome.armed = false;
	assert_rendered(&outcome,
			"{\"output_files\":[],\"final_expression\":2,"
			"\"success\":true,\"std_out\":\"a\\n\xef\xbf\xbd\\u0000"
			"\",\"std_err\":\"\\\"\xef\xbf\xbd\",\"code_runtime\":"
			"1,\"results\":[{\"text/plain\":\"a\"},{\"image/png\":"
			"\"\"}],\"truncated\":{\"std_out\":0,\"std_err\":5,"
			"\"output_files\":0,\"results\":0},\"usage\":{\"cpu_ms"
			"\":2,\"memory_peak_kb\":3,\"queue_ms\":4,\"armed\":"
			"false},\"id\":\"id1\"}\n");
}

static void answers_are_one_line(void **state)
{
	struct outcome outcome = plain(OUTCOME_OK);
	struct bytes display = BYTES("\r{\r\n\"text/plain\":\n\"\\n\"}\n");

	(void)state;
	outcome.value = (struct bytes)BYTES("[1,\n2]\n");
	outcome.displays = &display;
	outcome.displays_count = 1;
	assert_rendered(&outcome,
			"{\"output_files\":[],\"final_expression\":[1, 2] ,"
			"\"success\":true,\"std_out\":\"\",\"std_err\":\"\","
			"\"code_runtime\":1,\"results\":[ {  \"text/plain\": "
			"\"\\n\"} ]," USAGE);
}

static void failure_is_rendered(void **state)
{
	struct outcome outcome = plain(OUTCOME_RAISED);
	char type[] = "ValueError", message[] = "Traceback\nValueError: \xff";

	(void)state;
	outcome.error_type = type;
	outcome.error_message = message;
	outcome.value = (struct bytes)BYTES("2");
	outcome.out.kept = (struct bytes)BYTES("before");
	assert_rendered(&outcome,
			"{\"output_files\":[],\"success\":false,\"error\":{"
			"\"type\":\"ValueError\",\"message\":\"Traceback\\n"
			"ValueError: \xef\xbf\xbd\"},\"std_out\":\"before\","
			"\"std_err\":\"\",\"code_runtime\":1," USAGE);
}

/* Verdicts, and how their errors begin. */
static const struct {
	enum outcome_verdict verdict;
	int detail;
	const char *message;
	const char *want;
} verdicts[] = {
	{ OUTCOME_RAISED, 0, NULL, "\"type\":\"Exception\",\"message\":\"an "
				   "exception was not caught\"}" },
	{ OUTCOME_TIMEOUT, 0, NULL, "\"type\":\"timeout\",\"message\":\"the "
				    "time limit was reached (30000 ms)\"}" },
	{ OUTCOME_TIMEOUT, 0, "Traceback", "(30000 ms)\\nTraceback\"}" },
	{ OUTCOME_MEMORY, 0, NULL, "\"type\":\"memory\",\"message\":\"the "
				   "memory limit was reached (512 MB)\"}" },
	{ OUTCOME_OUTPUT, 0, NULL, "\"type\":\"output\",\"message\":\"the "
				   "program printed far too much (64 MB)\"}" },
	{ OUTCOME_EXITED, 3, NULL, "\"type\":\"exited\",\"message\":\"the "
				   "process exited with status 3 before the "
				   "program ended\"}" },
	{ OUTCOME_KILLED, SIGSEGV, NULL,
	  "\"type\":\"killed\",\"message\":\"the process was killed by signal "
	  "11 (SIGSEGV)\"}" },
	{ OUTCOME_KILLED, 40, NULL, "by signal 40 (real-time)\"}" },
	{ OUTCOME_KILLED, 9, "Fatal", "9 (SIGKILL)\\nFatal\"}" },
	{ OUTCOME_PROTOCOL, 0, NULL, "\"type\":\"killed\",\"message\":\"the "
				     "program wrote to the result channel\"}" },
};

static void verdicts_have_words(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(verdicts); i++) {
		struct outcome outcome = plain(verdicts[i].verdict);
		owned_free char *body = NULL;
		struct reply reply;

		outcome.detail = verdicts[i].detail;
		outcome.error_message =
			(char *)(uintptr_t)verdicts[i].message;
		reply_init(&reply);
		render(&outcome, &reply);
		body = body_of(&reply);
		if (!strstr(body, verdicts[i].want))
			fail_msg("%s lacks %s", body, verdicts[i].want);
		assert_non_null(strstr(body, "\"success\":false,\"error\":{"));
		assert_non_null(strstr(body, "},\"std_out\":\"\""));
		reply_free(&reply);
	}
	for (size_t i = 0; i < OUTCOME_VERDICTS; i++) {
		assert_non_null(outcome_rows[i].name);
		assert_non_null(outcome_rows[i].sentence);
	}
}

static void what_did_not_run_says_little(void **state)
{
	struct outcome outcome = plain(OUTCOME_PARSING);
	owned_free char *body = NULL;
	struct reply reply;

	(void)state;
	assert_rendered(&outcome,
			"{\"success\":false,\"error\":{\"type\":\"parsing\","
			"\"message\":\"the program could not be read\"},"
			"\"id\":\"id1\"}\n");
	outcome = plain(OUTCOME_INTERNAL);
	reply_init(&reply);
	render(&outcome, &reply);
	body = body_of(&reply);
	assert_int_equal(reply.status, 500);
	assert_string_equal(body,
			    "{\"error\":{\"code\":\"internal_error\","
			    "\"message\":\"the server failed; the program is "
			    "not to blame\"},\"id\":\"id1\"}\n");
	reply_free(&reply);
}

static void output_names_are_distinct(void **state)
{
	char *raw[] = { "a\xff", "d/e", "a\xfe", "a\xef\xbf\xbd",
			"a\xef\xbf\xbd~1", "a\xfd" };
	struct outcome_file files[ARRAY_LEN(raw)] = { 0 };
	struct outcome outcome = plain(OUTCOME_RAISED);
	owned_free char *body = NULL;
	struct reply reply;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(raw); i++)
		files[i] = (struct outcome_file){
			.name = raw[i], .size = i, .fd = 0 };
	outcome.files = files;
	outcome.files_count = ARRAY_LEN(raw);
	reply_init(&reply);
	render(&outcome, &reply);
	body = body_of(&reply);
#define FFFD "\xef\xbf\xbd"
#define NAMED(name) "{\"filename\":\"" name "\",\"b64_data\":\"\"}"
	assert_non_null(strstr(body, "{\"output_files\":[" NAMED("a" FFFD) ","
			       NAMED("d/e") "," NAMED("a" FFFD "~1") ","
			       NAMED("a" FFFD "~2") "," NAMED("a" FFFD "~1~3")
			       "," NAMED("a" FFFD "~4") "],\"success\":false"));
	assert_int_equal(reply_length(&reply), strlen(body) + 4 * (0 + 1 + 1 +
			 1 + 2 + 2));
	reply_free(&reply);
}

static void assert_refused(const struct refusal *why, const char *want)
{
	owned_free char *body = NULL;
	struct reply reply;

	reply_init(&reply);
	native_refuse(why, "i\"d", &reply);
	body = body_of(&reply);
	assert_string_equal(body, want);
	assert_int_equal(reply.status, why->status);
	reply_free(&reply);
}

static void refusals_are_rendered(void **state)
{
	struct refusal why = { 0 };

	(void)state;
	refuse(&why, 200, "parsing", "no code provided");
	assert_refused(&why, "{\"success\":false,\"error\":{\"type\":\"parsing"
			     "\",\"message\":\"no code provided\"},\"id\":"
			     "\"i\\\"d\"}\n");
	refuse(&why, 403, "sessions_off", "a \"b\"");
	assert_refused(&why, "{\"error\":{\"code\":\"sessions_off\","
			     "\"message\":\"a \\\"b\\\"\"},\"id\":\"i\\\"d\"}"
			     "\n");
	why.has_offset = true;
	why.offset = 7;
	assert_refused(&why, "{\"error\":{\"code\":\"sessions_off\",\"message"
			     "\":\"a \\\"b\\\"\",\"offset\":7},\"id\":\"i\\\"d"
			     "\"}\n");
}

/* A message that is cut in the middle of a character is text all the same. */
static void long_messages_are_cut(void **state)
{
	owned_free char *body = NULL;
	struct refusal why = { 0 };
	struct reply reply;

	(void)state;
	refuse(&why, 400, "bad", "%*s\xc3\xa4", 238, "");
	assert_int_equal(strlen(why.message), sizeof(why.message) - 1);
	reply_init(&reply);
	native_refuse(&why, "", &reply);
	body = body_of(&reply);
	assert_non_null(strstr(body, " \xef\xbf\xbd\"}"));
	reply_free(&reply);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everything_arrives),
		cmocka_unit_test(null_is_absent),
		cmocka_unit_test(mistakes_are_named),
		cmocka_unit_test(odd_requests_pass),
		cmocka_unit_test(every_cut_is_answered),
		cmocka_unit_test(a_session_arrives),
		cmocka_unit_test(what_became_of_a_session_is_rendered),
		cmocka_unit_test(success_is_rendered),
		cmocka_unit_test(answers_are_one_line),
		cmocka_unit_test(failure_is_rendered),
		cmocka_unit_test(verdicts_have_words),
		cmocka_unit_test(what_did_not_run_says_little),
		cmocka_unit_test(output_names_are_distinct),
		cmocka_unit_test(refusals_are_rendered),
		cmocka_unit_test(long_messages_are_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
