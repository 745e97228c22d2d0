/* test_save - the local command writes a guest's files where they belong, and
 * nowhere else. */
#include "tests/unit/support.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "sandbox/cli/save.h"

#define TEXT(literal) \
	{ \
		(char *)(uintptr_t)(literal), sizeof(literal) - 1 \
	}

static int memory(void)
{
	int fd = memfd_create("save", MFD_CLOEXEC);

	assert_true(fd >= 0);
	return fd;
}

static const struct bytes content = TEXT("new");

static void names_lead_nowhere_else(void **state)
{
	static const char *const bad[] = {
		"", ".", "..", "../x", "a/../../x", "/x", "a//x", "a/", "a/."};
	char *top = support_dir();
	owned_fd int dir = open(top, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(bad); i++)
		for (int force = 0; force < 2; force++)
			assert_true(save_bytes(dir, bad[i], &content, force) <
				    0);
	support_remove(&top);
}

static void what_is_there_stays(void **state)
{
	char *top = support_dir();
	owned_fd int dir = open(top, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	(void)state;
	support_write(top, "old", "old");
	assert_int_equal(save_bytes(dir, "old", &content, false), -EEXIST);
	assert_string_equal(support_read(top, "old"), "old");
	assert_int_equal(save_bytes(dir, "old", &content, true), 0);
	assert_string_equal(support_read(top, "old"), "new");
	assert_int_equal(save_bytes(dir, "d/e/f", &content, false), 0);
	assert_string_equal(support_read(top, "d/e/f"), "new");
	assert_true(save_bytes(dir, "old/x", &content, true) < 0);
	assert_true(save_bytes(dir, "d", &content, true) < 0);
	support_remove(&top);
}

/* Only a descriptor that was closed tells: some file systems find no room
 * then. */
static int save_to_a_bad_disk(void *context)
{
	const int dir = *(const int *)context;
	owned_fd int from = memory();

	if (write(from, "new", 3) != 3 || refuse_call(SYS_close, EIO) < 0)
		return 1;
	int rc = save_file(dir, "file", from, 3, false);

	return rc != -EIO || faccessat(dir, "file", F_OK, 0) == 0;
}

static void a_file_that_cannot_be_closed_is_not_kept(void **state)
{
	char *top = support_dir();
	owned_fd int dir = open(top, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	(void)state;
	assert_int_equal(support_in_child(save_to_a_bad_disk, &dir), 0);
	support_remove(&top);
}

static void no_link_is_followed(void **state)
{
	char *top = support_dir(), *other = support_dir();
	owned_fd int dir = open(top, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	(void)state;
	support_write(other, "file", "old");
	assert_int_equal(symlinkat(other, dir, "dir"), 0);
	assert_int_equal(symlinkat(support_path(other, "file"), dir, "file"),
			 0);
	assert_true(save_bytes(dir, "dir/x", &content, true) < 0);
	assert_int_equal(save_bytes(dir, "file", &content, false), -EEXIST);
	assert_int_equal(save_bytes(dir, "file", &content, true), 0);
	assert_string_equal(support_read(other, "file"), "old");
	assert_string_equal(support_read(top, "file"), "new");
	support_remove(&top);
	support_remove(&other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_lead_nowhere_else),
		cmocka_unit_test(what_is_there_stays),
		cmocka_unit_test(no_link_is_followed),
		cmocka_unit_test(a_file_that_cannot_be_closed_is_not_kept),
	};

	return cmocka_run_group_tests_name("save", tests, NULL, NULL);
}
