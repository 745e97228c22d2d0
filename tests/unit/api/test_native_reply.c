/*
 * test_native_reply - the native door: answers to runs, and to requests that
 * were not run.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <signal.h>
#include <string.h>

#include "sandbox/text/json.h"
#include "fcgi/api/native.h"
#include "fcgi/api/native_reply.h"
#include "sandbox/text/text.h"

static const struct limits run_limits = {
	.timeout_ms = 30000, .memory_mb = 512, .flood_mb = 64,
};

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
	const struct job job = {0};
	const struct door_answer answer = { .outcome = outcome, .job = &job,
					    .limits = &run_limits,
					    .id = "id1" };

	native_reply_render(&answer, reply);
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
	      "\"armed\":true},\"exit_code\":0,\"id\":\"id1\"}\n"

/* A refusal, up to its id. */
#define REFUSED(code, words, rest) \
	"{\"success\":false,\"error\":{\"type\":\"" code "\",\"message\":\"" \
	words "\",\"code\":\"" code "\"" rest "},\"output_files\":[]," \
	"\"std_out\":\"\",\"std_err\":\"\",\"id\":"

static struct outcome plain(enum outcome_verdict verdict)
{
	return (struct outcome){
		.verdict = verdict, .runtime_ms = 1, .cpu_ms = 2,
		.memory_peak_kb = 3, .queue_ms = 4, .armed = true,
	};
}

static void what_became_of_a_session_is_rendered(void **state)
{
	const struct door_session session = {
		.word = "ended", .reason = "evicted",
		.sentence = "it is \"gone\""};
	struct outcome outcome = plain(OUTCOME_OK);
	struct job job = {0};
	struct door_answer answer = { .outcome = &outcome, .id = "id1",
				      .job = &job,
				      .limits = &run_limits,
				      .session = &session };
	struct reply reply;

	(void)state;
	reply_init(&reply);
	native_reply_render(&answer, &reply);
	owned_free char *good = body_of(&reply);

	assert_non_null(strstr(good, ",\"session\":{\"state\":\"ended\","
				     "\"reason\":\"evicted\"},"
				     "\"id\""));
	reply_free(&reply);
	outcome.verdict = OUTCOME_TIMEOUT;
	reply_init(&reply);
	native_reply_render(&answer, &reply);
	owned_free char *bad = body_of(&reply);

	assert_non_null(strstr(bad, ",\"session\":{\"state\":\"ended\","
				    "\"reason\":\"evicted\","
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
			"false},\"exit_code\":0,\"id\":\"id1\"}\n");
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
	{ OUTCOME_MEMORY, OUTCOME_OF_ALL, NULL, "within its own\"}" },
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
			REFUSED("parsing", "the program could not be read", "")
			"\"id1\"}\n");
	outcome = plain(OUTCOME_INTERNAL);
	reply_init(&reply);
	render(&outcome, &reply);
	body = body_of(&reply);
	assert_int_equal(reply.status, 500);
	assert_string_equal(body,
			    REFUSED("internal_error", "the server failed; the "
				    "program is not to blame", "")
			    "\"id1\"}\n");
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
	native_reply_refuse(why, "i\"d", &reply);
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
	assert_refused(&why, REFUSED("parsing", "no code provided", "")
			     "\"i\\\"d\"}\n");
	refuse(&why, 403, "sessions_off", "a \"b\"");
	assert_refused(&why, REFUSED("sessions_off", "a \\\"b\\\"", "")
			     "\"i\\\"d\"}\n");
	why.has_offset = true;
	why.offset = 7;
	assert_refused(&why, REFUSED("sessions_off", "a \\\"b\\\"",
				     ",\"offset\":7")
			     "\"i\\\"d\"}\n");
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
	native_reply_refuse(&why, "", &reply);
	body = body_of(&reply);
	assert_non_null(strstr(body, " \xef\xbf\xbd\",\"code\":"));
	reply_free(&reply);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
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
