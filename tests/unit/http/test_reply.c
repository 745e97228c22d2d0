/*
 * test_reply - replies made of text and of files.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <string.h>

#include "fcgi/http/reply.h"

static void assert_part(const struct reply *reply, size_t index,
			const char *text)
{
	const struct reply_part *part = &reply->parts[index];

	assert_true(index < reply->parts_count);
	assert_int_equal(part->fd, -1);
	assert_int_equal(part->size, strlen(text));
	assert_memory_equal(part->text, text, part->size);
}

static void a_reply_is_fresh(void **state)
{
	struct reply reply;

	(void)state;
	reply_init(&reply);
	assert_int_equal(reply.status, 200);
	assert_string_equal(reply.content_type, "application/json");
	assert_int_equal(reply_length(&reply), 0);
	reply_free(&reply);
}

static void text_is_one_part(void **state)
{
	struct reply reply;

	(void)state;
	reply_init(&reply);
	reply_text(&reply, "");
	assert_int_equal(reply.parts_count, 0);
	reply_text(&reply, "a");
	assert_part(&reply, 0, "a");
	reply_bytes(&reply, "bc", 1);
	reply_format(&reply, "%d%s", 42, "x");
	reply_json_string(&reply, "\xff\"", 2);
	assert_int_equal(reply.parts_count, 1);
	assert_part(&reply, 0, "ab42x\"\xef\xbf\xbd\\\"\"");
	assert_int_equal(reply_length(&reply), 12);
	assert_int_equal(reply.error, 0);
	reply_free(&reply);
	assert_int_equal(reply.parts_count, 0);
}

static void files_are_parts(void **state)
{
	struct reply reply;

	(void)state;
	reply_init(&reply);
	reply_text(&reply, "[");
	for (int i = 0; i < 5; i++) {
		reply_text(&reply, i ? "," : "");
		reply_base64_file(&reply, 100 + i, (uint64_t)i);
	}
	reply_text(&reply, "]");
	assert_int_equal(reply.parts_count, 11);
	assert_part(&reply, 0, "[\"");
	assert_part(&reply, 2, "\",\"");
	assert_part(&reply, 10, "\"]");
	for (size_t i = 0; i < 5; i++) {
		const struct reply_part *part = &reply.parts[2 * i + 1];

		assert_null(part->text);
		assert_int_equal(part->fd, 100 + i);
		assert_int_equal(part->size, i);
	}
	/* 2 + 4 * 3 + 2 of text; 0, 4, 4, 4, 8 of base64 */
	assert_int_equal(reply_length(&reply), 16 + 20);
	reply_free(&reply);
}

static void large_files_are_counted(void **state)
{
	struct reply reply;

	(void)state;
	reply_init(&reply);
	reply_base64_file(&reply, 3, UINT64_C(6442450944));
	assert_true(reply_length(&reply) == UINT64_C(8589934592) + 2);
	reply_free(&reply);
}

static void memory_that_ran_out_is_remembered(void **state)
{
	struct reply reply;

	(void)state;
	reply_init(&reply);
	reply_text(&reply, "a");
	reply_bytes(&reply, "b", SIZE_MAX / 2);
	assert_int_equal(reply.error, -ENOMEM);
	reply_text(&reply, "c");
	reply_base64_file(&reply, 3, 1);
	assert_int_equal(reply.parts_count, 1);
	assert_part(&reply, 0, "a");
	reply_free(&reply);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_reply_is_fresh),
		cmocka_unit_test(text_is_one_part),
		cmocka_unit_test(files_are_parts),
		cmocka_unit_test(large_files_are_counted),
		cmocka_unit_test(memory_that_ran_out_is_remembered),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
