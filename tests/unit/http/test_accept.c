/*
 * test_accept - the form of an answer, by a client's Accept header.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fcgi/http/accept.h"

static const struct {
	const char *text;
	enum accept_form form;
} rows[] = {
	{"", ACCEPT_WHOLE},
	{"*/*", ACCEPT_WHOLE},
	{"application/json", ACCEPT_WHOLE},
	{"application/x-ndjson", ACCEPT_NDJSON},
	{"text/event-stream", ACCEPT_SSE},
	{" \tTEXT/Event-Stream\t ", ACCEPT_SSE},
	{"text/event-stream , */*", ACCEPT_SSE},
	{"text/event-streams", ACCEPT_WHOLE},
	{"text/event", ACCEPT_WHOLE},
	{"x, application/x-ndjson", ACCEPT_NDJSON},
	{"application/json, application/x-ndjson", ACCEPT_WHOLE},
	{"application/json;q=0.5, application/x-ndjson", ACCEPT_NDJSON},
	{"application/x-ndjson, text/event-stream", ACCEPT_NDJSON},
	{"application/x-ndjson;q=0.99, text/event-stream", ACCEPT_SSE},
	{"application/x-ndjson;a=b;q=0.1;c, text/event-stream;q=0.2",
	 ACCEPT_SSE},
	{"application/x-ndjson;q=0.123, text/event-stream;q=0.124",
	 ACCEPT_SSE},
	{"application/x-ndjson;q=1.5, application/json;q=1", ACCEPT_NDJSON},
	{"application/x-ndjson;q=0", ACCEPT_WHOLE},
	{"application/x-ndjson;q=0.000", ACCEPT_WHOLE},
	{"application/x-ndjson;q=", ACCEPT_WHOLE},
	{"application/x-ndjson;q=-1", ACCEPT_WHOLE},
	{"application/x-ndjson;q", ACCEPT_NDJSON},
	{"application/x-ndjson;", ACCEPT_NDJSON},
	{"application/x-ndjson;;;,;", ACCEPT_NDJSON},
	{";;,,q=1;application/x-ndjson", ACCEPT_WHOLE},
	{"application/x-ndjson;\tQ=0.0", ACCEPT_WHOLE},
};

static void the_best_type_counts(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (accept_form(rows[i].text) != rows[i].form)
			fail_msg("%s", rows[i].text);
}

static void a_type_is_taken_unless_its_quality_is_zero(void **state)
{
	static const char *const taken[] = {
		"text/event-stream", "application/json, text/event-stream",
		"application/json;q=1, text/event-stream;q=0.001"};
	static const char *const refused[] = {
		"", "*/*", "application/json", "text/event-stream;q=0",
		"application/json, text/event-stream;q=0.0"};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(taken); i++)
		if (!accept_takes(taken[i], ACCEPT_SSE))
			fail_msg("%s", taken[i]);
	for (size_t i = 0; i < ARRAY_LEN(refused); i++)
		if (accept_takes(refused[i], ACCEPT_SSE))
			fail_msg("%s", refused[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_best_type_counts),
		cmocka_unit_test(a_type_is_taken_unless_its_quality_is_zero),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
