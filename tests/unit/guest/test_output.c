/*
 * test_output - what is kept of the output of two pipes, and its order.
 */
#include "tests/unit/support.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "sandbox/guest/output.h"
#include "sandbox/text/merged.h"

static const struct limits limits = {.output_kb = 1, .flood_mb = 1};

struct place {
	struct output output;
	struct outcome outcome;
	int ends[2];
};

static void begin(struct place *place, unsigned habits)
{
	const struct job job = {.habits = habits};

	place->outcome = (struct outcome){0};
	assert_int_equal(pipe2(place->ends, O_CLOEXEC | O_NONBLOCK), 0);
	output_begin(&place->output, &job, &limits, NULL, &place->outcome);
}

static void finish(struct place *place)
{
	outcome_free(&place->outcome);
	close(place->ends[0]);
	close(place->ends[1]);
}

/* Let SIZE bytes come from STREAM. */
static int come(struct place *place, enum sink_stream stream, const char *data,
		size_t size)
{
	assert_int_equal(write(place->ends[1], data, size), (ssize_t)size);
	return output_read(&place->output, stream, place->ends[0]);
}

static void say(struct place *place, enum sink_stream stream, const char *text)
{
	assert_int_equal(come(place, stream, text, strlen(text)), 1);
}

static void merges_to(const struct place *place, const char *wanted)
{
	struct text text = {0};

	merged_add(&text, &place->outcome);
	assert_int_equal(text.size, strlen(wanted));
	assert_memory_equal(text.data, wanted, text.size);
	text_free(&text);
}

static void the_order_is_that_of_reading(void **state)
{
	struct place place;

	(void)state;
	begin(&place, JOB_ORDERED);
	say(&place, SINK_ERR, "a");
	say(&place, SINK_ERR, "b");
	say(&place, SINK_OUT, "c");
	say(&place, SINK_ERR, "d");
	say(&place, SINK_OUT, "e");
	say(&place, SINK_OUT, "f");
	merges_to(&place, "abcdef");
	assert_int_equal(place.outcome.order.count, 5);
	finish(&place);
}

static void no_order_is_kept_unasked(void **state)
{
	struct place place;

	(void)state;
	begin(&place, 0);
	say(&place, SINK_ERR, "err");
	say(&place, SINK_OUT, "out");
	assert_int_equal(place.outcome.order.count, 0);
	assert_null(place.outcome.order.sizes);
	merges_to(&place, "outerr");
	finish(&place);
}

static void the_order_is_bounded(void **state)
{
	struct place place;

	(void)state;
	begin(&place, JOB_ORDERED);
	place.outcome.order.sizes = calloc(OUTCOME_TURNS_MAX,
					   sizeof(uint32_t));
	place.outcome.order.count = OUTCOME_TURNS_MAX - 1;
	assert_non_null(place.outcome.order.sizes);
	say(&place, SINK_ERR, "a");
	say(&place, SINK_OUT, "b");
	say(&place, SINK_ERR, "c");
	assert_int_equal(place.outcome.order.count, OUTCOME_TURNS_MAX);
	merges_to(&place, "acb");
	finish(&place);
}

static void bytes_above_the_limit_are_in_no_order(void **state)
{
	char much[1000];
	struct place place;
	struct text text = {0};

	(void)state;
	memset(much, 'x', sizeof(much));
	begin(&place, JOB_ORDERED);
	assert_int_equal(come(&place, SINK_OUT, much, sizeof(much)), 1);
	say(&place, SINK_ERR, "e");
	assert_int_equal(come(&place, SINK_OUT, much, sizeof(much)), 1);
	say(&place, SINK_ERR, "f");
	assert_int_equal(place.outcome.out.kept.size, 1024);
	assert_int_equal(place.outcome.out.dropped, 976);
	merged_add(&text, &place.outcome);
	assert_int_equal(text.size, 1026);
	assert_memory_equal(text.data + 999, "xex", 3);
	assert_memory_equal(text.data + 1024, "xf", 2);
	text_free(&text);
	finish(&place);
}

static void a_character_stays_whole(void **state)
{
	struct place place;

	(void)state;
	begin(&place, JOB_ORDERED);
	say(&place, SINK_OUT, "a\xf0\x9f");
	say(&place, SINK_ERR, "e");
	say(&place, SINK_OUT, "\x98\x80z");
	merges_to(&place, "ae\xf0\x9f\x98\x80z");
	say(&place, SINK_OUT, "\xf0\x9f"); /* never completed */
	merges_to(&place, "ae\xf0\x9f\x98\x80z\xf0\x9f");
	finish(&place);
}

static void a_false_order_does_no_harm(void **state)
{
	uint32_t sizes[] = {2, UINT32_MAX, 0, 7, UINT32_MAX};
	struct outcome outcome = {
		.out.kept = {(char *)(uintptr_t)"out", 3},
		.err.kept = {(char *)(uintptr_t)"err", 3},
		.order = {sizes, ARRAY_LEN(sizes)}};
	struct text text = {0};

	(void)state;
	merged_add(&text, &outcome);
	assert_int_equal(text.size, 6);
	assert_memory_equal(text.data, "ouerrt", 6);
	text_free(&text);
}

static void a_flood_and_an_end_are_told(void **state)
{
	static char much[65536];
	struct place place;
	int rc = 1;

	(void)state;
	begin(&place, JOB_ORDERED);
	assert_int_equal(output_read(&place.output, SINK_OUT, place.ends[0]),
			 1); /* nothing yet */
	for (int i = 0; i < 16 && rc == 1; i++)
		rc = come(&place, SINK_OUT, much, sizeof(much));
	assert_int_equal(rc, 1);
	assert_int_equal(come(&place, SINK_ERR, "x", 1), -EFBIG);
	close(place.ends[1]);
	assert_int_equal(output_read(&place.output, SINK_OUT, place.ends[0]),
			 0);
	place.ends[1] = dup(place.ends[0]);
	finish(&place);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_order_is_that_of_reading),
		cmocka_unit_test(no_order_is_kept_unasked),
		cmocka_unit_test(the_order_is_bounded),
		cmocka_unit_test(bytes_above_the_limit_are_in_no_order),
		cmocka_unit_test(a_character_stays_whole),
		cmocka_unit_test(a_false_order_does_no_harm),
		cmocka_unit_test(a_flood_and_an_end_are_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
