/* The names in a directory. */
#include "sandbox/base/listing.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "sandbox/base/base.h"
#include "tests/unit/support.h"

static unsigned count(struct listing *list)
{
	unsigned names = 0;
	const char *name;

	while ((name = listing_next(list))) {
		assert_string_not_equal(name, ".");
		assert_string_not_equal(name, "..");
		names++;
	}
	return names;
}

static void all_names_but_two_are_listed(void **state)
{
	char path[] = "/tmp/terrarium-listing.XXXXXX";

	(void)state;
	assert_non_null(mkdtemp(path));
	owned_fd int dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	assert_true(dir >= 0);
	assert_int_equal(mkdirat(dir, "...", 0700), 0);
	assert_int_equal(mkdirat(dir, ".hidden", 0700), 0);
	for (int times = 0; times < 2; times++) { /* each from the start */
		owned_listing struct listing list = listing_of(dir);

		assert_int_equal(count(&list), 2);
		assert_int_equal(list.error, 0);
	}
	assert_int_equal(unlinkat(dir, "...", AT_REMOVEDIR), 0);
	assert_int_equal(unlinkat(dir, ".hidden", AT_REMOVEDIR), 0);
	assert_int_equal(rmdir(path), 0);
}

static void an_error_is_kept(void **state)
{
	owned_fd int file = open("/dev/null", O_RDONLY | O_CLOEXEC);
	struct listing list = listing_of(file);

	(void)state;
	assert_null(listing_next(&list));
	assert_int_equal(list.error, -ENOTDIR);
	listing_close(&list);
	list = listing_of(-1);
	assert_null(listing_next(&list));
	assert_int_equal(list.error, -EBADF);
	listing_close(&list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_names_but_two_are_listed),
		cmocka_unit_test(an_error_is_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
