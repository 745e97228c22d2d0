/*
 * test_mcp_python - the tool of MCP's old transport: the text of its results,
 * its arguments, and the messages that its path serves.
 */
#include "tests/unit/support.h"

#include <errno.h>
#include <string.h>

#include "fcgi/mcp/mcp_message.h"
#include "fcgi/mcp/mcp_python.h"

static struct bytes bytes_of(const char *text)
{
	return (struct bytes){(char *)(uintptr_t)text, strlen(text)};
}

/* The body of REPLY in static memory. */
static const char *body_of(struct reply *reply)
{
	static char body[1 << 20];
	size_t used = 0;

	assert_int_equal(reply->error, 0);
	for (size_t i = 0; i < reply->parts_count; i++) {
		assert_true(used + reply->parts[i].size < sizeof(body));
		memcpy(body + used, reply->parts[i].text,
		       reply->parts[i].size);
		used += reply->parts[i].size;
	}
	body[used] = '\0';
	reply_free(reply);
	return body;
}

static const char *result_of(const struct outcome *outcome)
{
	static const struct limits limits = {.timeout_ms = 5000};
	const struct mcp mcp = {.kind = &mcp_kind_old};
	const struct door_answer answer = {.outcome = outcome,
					   .limits = &limits};
	struct reply reply;

	reply_init(&reply);
	mcp_python_result(&mcp, &answer, &reply);
	return body_of(&reply);
}

static void a_result_is_one_text(void **state)
{
	char shown[] = "{\"text/plain\":\"<Figure size 640x480>\"}",
	     other[] = "{\"text/plain\":\"a frame\"}";
	struct bytes displays[] = {bytes_of(shown), bytes_of(other),
				   bytes_of(shown)};
	struct outcome outcome = {
		.out.kept = bytes_of("out"), .err.kept = bytes_of("err\n"),
		.value = bytes_of("\"[1, 'a']\""),
		.displays = displays, .displays_count = 3};

	(void)state;
	assert_string_equal(
		result_of(&outcome),
		"\"content\":[{\"type\":\"text\",\"text\":\"out\\nerr\\n"
		"[a figure was drawn; figures are not shown here]\\n"
		"a frame\\n[1, 'a']\"}],\"isError\":false");
}

static void a_failure_is_a_text_too(void **state)
{
	char message[] = "Traceback: ZeroDivisionError";
	struct outcome outcome = {.verdict = OUTCOME_RAISED,
				  .out.kept = bytes_of("before"),
				  .error_message = message};

	(void)state;
	assert_string_equal(
		result_of(&outcome),
		"\"content\":[{\"type\":\"text\",\"text\":\"before\\n"
		"Traceback: ZeroDivisionError\"}],\"isError\":false");
}

static void silence_asks_to_print(void **state)
{
	struct outcome outcome = {.verdict = OUTCOME_OK};

	(void)state;
	assert_non_null(strstr(result_of(&outcome), "print()"));
}

static void the_middle_of_a_long_text_is_cut(void **state)
{
	static char data[3 * 300];
	struct text from = {.data = data, .size = sizeof(data)}, out = {0};
	size_t count = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(data); i += 3)
		memcpy(data + i, i < 450 ? "\xe2\x82\xac" : "\xe2\x82\xad", 3);
	mcp_python_cut(&from, 300, &out);
	assert_int_equal(out.size, sizeof(data));
	text_free(&out);
	mcp_python_cut(&from, 200, &out);
	assert_int_equal(text_utf8_bad(out.data, out.size), out.size);
	for (size_t i = 0; i < out.size; i++)
		count += ((unsigned char)out.data[i] & 0xc0) != 0x80;
	assert_in_range(count, 136, 200);
	text_add(&out, "", 1);
	assert_non_null(strstr(out.data, "\xe2\x82\xac\n[... 164 characters "
					 "were cut ...]\n\xe2\x82\xad"));
	text_free(&out);
}

static void bad_bytes_are_replaced(void **state)
{
	char data[] = "a\xff" "b";
	const struct text from = {.data = data, .size = 3};
	struct text out = {0};

	(void)state;
	mcp_python_cut(&from, 100, &out);
	assert_int_equal(out.size, 5);
	assert_memory_equal(out.data, "a\xef\xbf\xbd" "b", 5);
	text_free(&out);
}

/* ---- messages -------------------------------------------------------- */

static int serve(const char *version, const char *body, struct mcp *mcp,
		 const char **answer)
{
	static const struct door_limits most = {.sessions = true,
						.timeout_ms = 5000};
	static const struct limits limits = {.timeout_ms = 5000};
	static const struct bytes packages;
	static const struct mcp_facts facts = {&most, &limits, &packages,
					       "3.11"};
	static struct mcp_headers headers;
	struct reply reply;

	headers = (struct mcp_headers){version, "", ""};
	*mcp = (struct mcp){.kind = &mcp_kind_old, .facts = &facts,
			    .headers = &headers,
			    .job.body = {strdup(body), strlen(body)}};
	reply_init(&reply);
	mcp_read(mcp, &reply);
	int status = reply.status;

	*answer = body_of(&reply);
	return status;
}

static const struct {
	const char *version, *body;
	int status;
	const char *has;
} messages[] = {
	{"", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\","
	     "\"params\":{\"protocolVersion\":\"2024-11-05\"}}", 200,
	 "\"protocolVersion\":\"2024-11-05\",\"capabilities\":{\"tools\":{}},"
	 "\"serverInfo\":{\"name\":\"python\","},
	{"", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\","
	     "\"params\":{\"protocolVersion\":\"2026-07-28\"}}", 200,
	 "\"protocolVersion\":\"2025-11-25\""},
	{"2024-11-05", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}",
	 200, "\"result\":{}"},
	{"2026-07-28", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}",
	 400, "\"supported\":[\"2025-11-25\",\"2025-06-18\",\"2025-03-26\","
	      "\"2024-11-05\"]"},
	{"", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}", 200,
	 "\"inputSchema\":{\"type\":\"object\",\"properties\":{\"code\":"
	 "{\"type\":\"string\"}},\"required\":[\"code\"]},"
	 "\"annotations\":{\"include_in_prompt\":false}"},
	{"", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/list\"}",
	 200, "-32601"},
	{"", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"server/discover\"}",
	 200, "-32601"},
	{"", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\","
	     "\"params\":{\"_meta\":1}}", 200, "-32602"},
	{"", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\","
	     "\"params\":{\"name\":\"run_python\"}}", 200, "-32602"},
	{"", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\","
	     "\"params\":{\"name\":\"python\",\"arguments\":{}}}", 200,
	 "no code provided"},
	{"", "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\"}",
	 202, ""},
	{"", "[]", 400, "-32600"},
	{"", "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]", 400,
	 "-32600"},
	{"", "{\"id\":1,\"method\":\"ping\"}", 400, "-32600"},
	{"", "{", 400, "-32700"},
	{"", "", 400, "-32700"},
};

static void messages_are_served_as_the_old_transport_has_them(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(messages); i++) {
		struct mcp mcp;
		const char *answer;
		int status = serve(messages[i].version, messages[i].body,
				   &mcp, &answer);

		if (status != messages[i].status ||
		    !strstr(answer, messages[i].has))
			fail_msg("%s: %d %s", messages[i].body, status,
				 answer);
		assert_false(mcp.run);
		mcp_free(&mcp);
	}
}

static void a_call_becomes_a_job(void **state)
{
	struct mcp mcp;
	const char *answer;

	(void)state;
	assert_int_equal(
		serve("", "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":"
		      "\"tools/call\",\"params\":{\"name\":\"python\","
		      "\"arguments\":{\"code\":\"1+1\",\"more\":2},"
		      "\"_meta\":{\"progressToken\":1}}}", &mcp, &answer),
		200);
	assert_string_equal(answer, "");
	assert_true(mcp.run);
	assert_null(mcp.token.data);
	assert_string_equal(mcp.job.code.data, "1+1");
	assert_int_equal(mcp.job.value, JOB_VALUE_REPR);
	mcp_free(&mcp);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_result_is_one_text),
		cmocka_unit_test(a_failure_is_a_text_too),
		cmocka_unit_test(silence_asks_to_print),
		cmocka_unit_test(the_middle_of_a_long_text_is_cut),
		cmocka_unit_test(bad_bytes_are_replaced),
		cmocka_unit_test(
			messages_are_served_as_the_old_transport_has_them),
		cmocka_unit_test(a_call_becomes_a_job),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
