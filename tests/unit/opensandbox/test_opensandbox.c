/*
 * test_opensandbox - texts of OpenSandbox's clients: times, the parts of an
 * upload; and the events that they get.
 */
#include <errno.h>
#include <string.h>

#include "tests/unit/support.h"
#include "fcgi/opensandbox/opensandbox.h"
#include "fcgi/opensandbox/opensandbox_events.h"
#include "fcgi/opensandbox/opensandbox_files.h"

static const struct {
	const char *text;
	int64_t when; /* -1: it is no time */
} times[] = {
	{"1970-01-01T00:00:00Z", 0},
	{"1970-01-02T00:00:01Z", 86401},
	{"2026-01-31T12:00:00Z", 1769860800},
	{"2026-01-31T12:00:00z", 1769860800},
	{"2026-01-31T12:00:00.123456789Z", 1769860800},
	{"2026-01-31T12:00:00+00:00", 1769860800},
	{"2026-01-31T13:30:00+01:30", 1769860800},
	{"2026-01-31T10:30:00.5-01:30", 1769860800},
	{"2024-02-29T00:00:00Z", 1709164800},
	{"", -1},
	{"soon", -1},
	{"2026-01-31", -1},
	{"2026-01-31T12:00:00", -1},
	{"2026-01-31 12:00:00Z", -1},
	{"2026-1-31T12:00:00Z", -1},
	{"2026-13-31T12:00:00Z", -1},
	{"2026-01-31T25:00:00Z", -1},
	{"2026-01-31T12:00:00.Z", -1},
	{"2026-01-31T12:00:00+0100", -1},
	{"2026-01-31T12:00:00+1:00", -1},
	{"2026-01-31T12:00:00+01:00x", -1},
	{"2026-01-31T12:00:00Zx", -1},
	{" 2026-01-31T12:00:00Z", -1},
	{"-026-01-31T12:00:00Z", -1},
};

static void times_are_read(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(times); i++) {
		int64_t when = -1;
		int rc = opensandbox_time(times[i].text, &when);

		if (rc != (times[i].when < 0 ? -EINVAL : 0) ||
		    (rc == 0 && when != times[i].when))
			fail_msg("%s: %d, %jd", times[i].text, rc,
				 (intmax_t)when);
	}
}

/* Read BODY as an upload. Its status; 0: it is one of COUNT files. */
static int upload(const char *body, size_t *count)
{
	struct opensandbox_files files = {
		.body = {strdup(body), strlen(body)},
		.aliases = "",
		.query = "",
		.content_type = "multipart/form-data; boundary=b"};
	struct refusal why = {0};
	int rc = opensandbox_files_upload(&files, &why);

	*count = rc == 0 ? files.list[0].request.job.files_count : 0;
	opensandbox_files_free(&files);
	return rc < 0 ? why.status : 0;
}

#define PART(name, content)                                                  \
	"--b\r\nContent-Disposition: form-data; name=\"" name "\"\r\n\r\n"   \
	content "\r\n"

static void each_file_has_its_path(void **state)
{
	static const struct {
		const char *body;
		int status;
		size_t count;
	} rows[] = {
		{PART("metadata", "{\"path\":\"a\"}") PART("file", "1")
		 "--b--\r\n", 0, 1},
		{PART("metadata", "{\"path\":\"a\"}") PART("file", "1")
		 PART("other", "") PART("metadata", "{\"path\":\"b\"}")
		 PART("file", "") "--b--\r\n", 0, 2},
		{PART("file", "1") "--b--\r\n", 400, 0},
		{PART("metadata", "{\"path\":\"a\"}") "--b--\r\n", 400, 0},
		{PART("metadata", "{\"path\":\"a\"}") PART("file", "1")
		 PART("file", "2") "--b--\r\n", 400, 0},
		{PART("metadata", "{\"path\":\"a\"}") PART("file", "1")
		 PART("metadata", "{\"path\":\"./a\"}") PART("file", "2")
		 "--b--\r\n", 400, 0},
		{PART("metadata", "{\"path\":\"../../etc/x\"}")
		 PART("file", "1") "--b--\r\n", 400, 0},
		{PART("metadata", "{\"path\":\"a\"}") "--b\r\n", 400, 0},
		{"--b--\r\n", 400, 0},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		size_t count;

		assert_int_equal(upload(rows[i].body, &count), rows[i].status);
		assert_int_equal(count, rows[i].count);
	}
}

/* A guest may name the members of a value as it likes. */
static void a_value_has_media_types_only(void **state)
{
	static const struct {
		const char *value, *results;
	} rows[] = {
		{"{\"text/plain\":\"1\"}", "{\"text\":\"1\"}"},
		{"{\"text\":\"no\",\"type\":\"error\",\"image/png\":\"x\"}",
		 "{\"image/png\":\"x\"}"},
		{"{\"application/vnd.terrarium.main+json\":true,\"a/b\":1,"
		 "\"text/plain\":\"1\"}", "{\"a/b\":1,\"text\":\"1\"}"},
		{"{}", "{}"},
	};
	static const char begin[] = "{\"type\":\"result\",\"results\":",
			  end[] = ",\"timestamp\":";

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const char *value = rows[i].value;
		const size_t size = strlen(rows[i].results);
		struct text line = {0};

		opensandbox_events.display(&line,
					   json_whole(value, strlen(value)));
		text_add(&line, "", 1);
		assert_int_equal(line.error, 0);
		assert_memory_equal(line.data, begin, sizeof(begin) - 1);
		assert_memory_equal(line.data + sizeof(begin) - 1,
				    rows[i].results, size);
		assert_memory_equal(line.data + sizeof(begin) - 1 + size, end,
				    sizeof(end) - 1);
		text_free(&line);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_are_read),
		cmocka_unit_test(each_file_has_its_path),
		cmocka_unit_test(a_value_has_media_types_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
