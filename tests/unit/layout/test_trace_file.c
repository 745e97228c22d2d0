/*
 * test_trace_file - a trace that was kept comes back as it was. One of another
 * start, a damaged one, and one that another user could have written are
 * refused, and the trace stays empty.
 */
#include "tests/unit/support.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "sandbox/layout/trace_file.h"

#define BLOCKS 5000u
#define PHASE_TWO 3000u /* blocks before it */

static const char *const options[] = {"numpy pandas", "/some/path"};

struct place {
	char *top;
	int dir;
	struct trace *trace, *back;
	struct trace_file_key key;
};

static struct trace *new_trace(void)
{
	struct trace *trace = trace_open();

	assert_non_null(trace);
	return trace;
}

static void add_source(struct trace *trace, const char *path)
{
	memcpy(trace->sources + trace->sources_size, path, strlen(path) + 1);
	trace->sources_size += (uint32_t)strlen(path) + 1;
}

static bool is_marked(uint32_t place)
{
	return place % 7 == 0;
}

static void fill(struct trace *trace, const char *top)
{
	for (uint32_t i = 1; i <= BLOCKS; i++) {
		const struct python_block block = {
			i > PHASE_TWO, i > PHASE_TWO ? i - PHASE_TWO : i,
			16 + i % 500};

		assert_int_equal(trace_add(trace, &block), i);
		trace->ranks[i] = is_marked(i) ? (uint8_t)(1 + i % 3) : 0;
	}
	support_write(top, "module.py", "x = 1\n");
	add_source(trace, support_path(top, "module.py"));
	add_source(trace, support_path(top, "missing.pyc"));
}

static int set_up(void **state)
{
	struct place *place = calloc(1, sizeof(*place));

	assert_non_null(place);
	place->top = support_dir();
	assert_int_equal(chmod(place->top, 0755), 0);
	place->dir = open(place->top, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_true(place->dir >= 0);
	place->trace = new_trace();
	place->back = new_trace();
	fill(place->trace, place->top);
	assert_int_equal(
		trace_file_make_key(&place->key, options, ARRAY_LEN(options)),
		0);
	assert_int_equal(
		trace_file_write(place->dir, &place->key, place->trace), 0);
	*state = place;
	return 0;
}

static int tear_down(void **state)
{
	struct place *place = *state;

	trace_close(&place->trace);
	trace_close(&place->back);
	close(place->dir);
	support_remove(&place->top);
	free(place);
	return 0;
}

static const char *file_of(const struct place *place)
{
	return support_path(place->top, TRACE_FILE_NAME);
}

/* The file is refused for REASON. */
static void is_refused(struct place *place, const char *reason)
{
	struct trace_file_refused refused;
	int rc = trace_file_read(place->dir, &place->key, place->back,
				 &refused);

	assert_true(rc < 0 && rc != -ENOENT);
	assert_string_equal(refused.reason, reason);
	assert_int_equal(place->back->count, 0);
	assert_int_equal(place->back->sources_size, 0);
}

static void it_comes_back_as_it_was(void **state)
{
	struct place *place = *state;
	const struct trace *trace = place->trace, *back = place->back;
	struct trace_file_refused refused;
	struct stat st;

	assert_int_equal(
		trace_file_read(place->dir, &place->key, place->back, &refused),
		0);
	assert_int_equal(back->count, BLOCKS);
	assert_int_equal(back->begins[1], PHASE_TWO);
	assert_memory_equal(back->begins, trace->begins, sizeof(trace->begins));
	assert_memory_equal(back->sizes, trace->sizes,
			    sizeof(*trace->sizes) * (BLOCKS + 2));
	assert_memory_equal(back->ranks, trace->ranks, BLOCKS + 2);
	assert_int_equal(back->sources_size, trace->sources_size);
	assert_memory_equal(back->sources, trace->sources, trace->sources_size);
	assert_int_equal(stat(file_of(place), &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
}

static void none_is_told_from_a_bad_one(void **state)
{
	struct place *place = *state;
	struct trace_file_refused refused;

	trace_file_remove(place->dir);
	assert_int_equal(
		trace_file_read(place->dir, &place->key, place->back, &refused),
		-ENOENT);
	trace_file_remove(place->dir);
}

static void another_key_is_refused(void **state)
{
	struct place *place = *state;
	const char *const other[] = {"numpy pandas scipy", "/some/path"};

	assert_int_equal(
		trace_file_make_key(&place->key, other, ARRAY_LEN(other)), 0);
	is_refused(place, "another program or options");
}

static void a_changed_source_is_refused(void **state)
{
	struct place *place = *state;

	support_write(place->top, "module.py", "x = 22\n");
	is_refused(place, "packages changed");
}

static void a_touched_source_is_refused(void **state)
{
	struct place *place = *state;
	const struct timespec times[] = {{.tv_sec = 1}, {.tv_sec = 1}};

	assert_int_equal(utimensat(AT_FDCWD,
				   support_path(place->top, "module.py"), times,
				   0),
			 0);
	is_refused(place, "packages changed");
}

static void a_new_source_is_refused(void **state)
{
	struct place *place = *state;

	support_write(place->top, "missing.pyc", "");
	is_refused(place, "packages changed");
}

static void flip(const struct place *place, off_t at)
{
	unsigned char byte;
	owned_fd int fd = open(file_of(place), O_RDWR | O_CLOEXEC);

	assert_true(pread(fd, &byte, 1, at) == 1);
	byte ^= 0x10;
	assert_true(pwrite(fd, &byte, 1, at) == 1);
}

static void each_flipped_byte_is_refused(void **state)
{
	struct place *place = *state;
	struct stat st;
	struct trace_file_refused refused;

	assert_int_equal(stat(file_of(place), &st), 0);
	for (off_t at = 0; at < st.st_size; at += at < 256 ? 1 : 97) {
		flip(place, at);
		if (trace_file_read(place->dir, &place->key, place->back,
				    &refused) >= 0)
			fail_msg("byte %ld is not looked at", (long)at);
		assert_int_equal(place->back->count, 0);
		flip(place, at);
	}
	assert_int_equal(
		trace_file_read(place->dir, &place->key, place->back, &refused),
		0);
}

static void a_file_of_another_length_is_refused(void **state)
{
	struct place *place = *state;
	struct stat st;

	assert_int_equal(stat(file_of(place), &st), 0);
	assert_int_equal(truncate(file_of(place), st.st_size + 8), 0);
	is_refused(place, "size");
	assert_int_equal(truncate(file_of(place), st.st_size - 8), 0);
	is_refused(place, "size");
	assert_int_equal(truncate(file_of(place), 100), 0);
	is_refused(place, "size");
	assert_int_equal(truncate(file_of(place), 3), 0);
	is_refused(place, "size");
	assert_int_equal(truncate(file_of(place), 1l << 33), 0);
	is_refused(place, "size");
}

static void a_file_for_others_is_refused(void **state)
{
	struct place *place = *state;

	assert_int_equal(chmod(file_of(place), 0640), 0);
	is_refused(place, "owner or mode");
	if (geteuid() != 0)
		return;
	assert_int_equal(chmod(file_of(place), 0600), 0);
	assert_int_equal(chown(file_of(place), 12345, (gid_t)-1), 0);
	is_refused(place, "owner or mode");
}

static void a_directory_for_others_is_refused(void **state)
{
	struct place *place = *state;

	assert_int_equal(chmod(place->top, 0775), 0);
	is_refused(place, "others can write the directory");
	if (geteuid() != 0)
		return;
	assert_int_equal(chmod(place->top, 0755), 0);
	assert_int_equal(chown(place->top, 12345, (gid_t)-1), 0);
	is_refused(place, "others can write the directory");
}

static void links_and_pipes_are_refused(void **state)
{
	struct place *place = *state;

	assert_int_equal(
		renameat(place->dir, TRACE_FILE_NAME, place->dir, "elsewhere"),
		0);
	assert_int_equal(symlinkat("elsewhere", place->dir, TRACE_FILE_NAME),
			 0);
	is_refused(place, "open");
	trace_file_remove(place->dir);
	assert_int_equal(mkfifoat(place->dir, TRACE_FILE_NAME, 0600), 0);
	is_refused(place, "owner or mode");
}

/* Numbers that a right checksum does not make good. */
static void marks_out_of_bounds_are_refused(void **state)
{
	struct place *place = *state;

	place->trace->ranks[7] = TRACE_RANKS + 1;
	assert_int_equal(
		trace_file_write(place->dir, &place->key, place->trace), 0);
	is_refused(place, "marks");
}

static void phases_out_of_bounds_are_refused(void **state)
{
	struct place *place = *state;

	place->trace->begins[TRACE_PHASES - 1] = BLOCKS + 1;
	assert_int_equal(
		trace_file_write(place->dir, &place->key, place->trace), 0);
	is_refused(place, "phases");
}

static void too_much_to_group_is_refused(void **state)
{
	struct place *place = *state;
	const struct python_block block = {1, 2, TRACE_LARGEST};

	for (uint32_t i = 0; i < 40000; i++) /* of 2 kB: 80 MB */
		place->trace->ranks[trace_add(place->trace, &block)] = 1;
	assert_int_equal(
		trace_file_write(place->dir, &place->key, place->trace), 0);
	is_refused(place, "marks");
}

static void without_sources_none_is_kept(void **state)
{
	struct place *place = *state;
	struct trace_file_refused refused;

	place->trace->sources_size = 0;
	assert_int_equal(
		trace_file_write(place->dir, &place->key, place->trace),
		-ENODATA);
	assert_int_equal(
		trace_file_read(place->dir, &place->key, place->back, &refused),
		0); /* the one from before */
}

static void it_is_replaced_and_nothing_is_left(void **state)
{
	struct place *place = *state;
	struct trace_file_refused refused;

	place->trace->ranks[1] = 5;
	assert_int_equal(
		trace_file_write(place->dir, &place->key, place->trace), 0);
	assert_int_equal(
		trace_file_read(place->dir, &place->key, place->back, &refused),
		0);
	assert_int_equal(place->back->ranks[1], 5);
	/* Only the two files, or the directory could not be removed. */
	trace_file_remove(place->dir);
	assert_int_equal(unlinkat(place->dir, "module.py", 0), 0);
	assert_int_equal(rmdir(place->top), 0);
	assert_int_equal(mkdir(place->top, 0755), 0); /* for the end */
}

static void options_too_long_make_no_key(void **state)
{
	static char text[TRACE_FILE_KEY_MAX + 1];
	static struct trace_file_key key;
	const char *const many[] = {text};

	(void)state;
	memset(text, 'x', sizeof(text) - 1);
	assert_int_equal(trace_file_make_key(&key, many, 1), -E2BIG);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(it_comes_back_as_it_was),
		TEST(none_is_told_from_a_bad_one),
		TEST(another_key_is_refused),
		TEST(a_changed_source_is_refused),
		TEST(a_touched_source_is_refused),
		TEST(a_new_source_is_refused),
		TEST(each_flipped_byte_is_refused),
		TEST(a_file_of_another_length_is_refused),
		TEST(a_file_for_others_is_refused),
		TEST(a_directory_for_others_is_refused),
		TEST(links_and_pipes_are_refused),
		TEST(marks_out_of_bounds_are_refused),
		TEST(phases_out_of_bounds_are_refused),
		TEST(too_much_to_group_is_refused),
		TEST(without_sources_none_is_kept),
		TEST(it_is_replaced_and_nothing_is_left),
		cmocka_unit_test(options_too_long_make_no_key),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
