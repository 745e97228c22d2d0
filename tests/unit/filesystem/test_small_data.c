/* test_small_data - small files of the host are copied as guests may see them,
 * and nothing else is. */
#include "tests/unit/support.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sandbox/filesystem/small_data.h"

static char *host, *root;
static int top = -1;

static int set_up(void **state)
{
	(void)state;
	host = support_dir();
	root = support_dir();
	top = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	support_remove(&host);
	support_remove(&root);
	close(top);
	return 0;
}

/* Copy NAME of the host to `copy` of the root. Returns the size that was
 * counted. */
static struct small_data_size copy(const char *name)
{
	struct small_data_size size = {0};
	owned_fd int fd = small_data_open(support_path(host, name), &size);

	assert_true(fd >= 0);
	assert_int_equal(small_data_copy(fd, top, "copy"), 0);
	return size;
}

static int opened(const char *name)
{
	struct small_data_size size = {0};
	owned_fd int fd = small_data_open(support_path(host, name), &size);

	if (fd < 0)
		assert_true(size.bytes == 0 && size.inodes == 0);
	return fd;
}

static void make(const char *name, const char *text, mode_t mode)
{
	support_write(host, name, text);
	assert_int_equal(chmod(support_path(host, name), mode), 0);
}

static void make_directory(const char *name, mode_t mode)
{
	assert_int_equal(mkdir(support_path(host, name), 0755), 0);
	assert_int_equal(chmod(support_path(host, name), mode), 0);
}

static bool there(const char *name)
{
	struct stat st;

	return fstatat(top, name, &st, AT_SYMLINK_NOFOLLOW) == 0;
}

static void a_file_is_copied(void **state)
{
	(void)state;
	make("types", "text/plain txt\n", 0640 | S_IROTH);
	struct small_data_size size = copy("types");

	assert_string_equal(support_read(root, "copy"), "text/plain txt\n");
	assert_int_equal(size.inodes, 1);
	assert_int_equal(size.bytes, 4096);
}

static void a_directory_is_copied_with_its_links(void **state)
{
	char target[16] = "";

	(void)state;
	make_directory("data", 0755);
	make_directory("data/deep", 0755);
	make("data/deep/a", "1", 0644);
	make("data/b", "2", 0755);
	assert_int_equal(chdir(host), 0);
	assert_int_equal(symlink("deep/a", "data/link"), 0);
	struct small_data_size size = copy("data");

	assert_string_equal(support_read(root, "copy/deep/a"), "1");
	assert_string_equal(support_read(root, "copy/b"), "2");
	assert_int_equal(readlinkat(top, "copy/link", target, sizeof(target)),
			 6);
	assert_string_equal(target, "deep/a");
	assert_int_equal(size.inodes, 5);
}

static void no_link_is_followed(void **state)
{
	(void)state;
	make_directory("data", 0755);
	make_directory("other", 0755);
	make("other/secret", "s", 0644);
	assert_int_equal(chdir(host), 0);
	assert_int_equal(symlink("../other", "data/link"), 0);
	copy("data");
	assert_false(there("copy/link/secret"));
	assert_true(there("copy/link"));
}

static void what_not_all_may_read_is_left_out(void **state)
{
	(void)state;
	make_directory("data", 0755);
	make_directory("data/private", 0750);
	make("data/private/a", "1", 0644);
	make("data/secret", "2", 0640);
	make("data/open", "3", 0644);
	make("key", "4", 0600);
	copy("data");
	assert_true(there("copy/open"));
	assert_false(there("copy/secret"));
	assert_false(there("copy/private"));
	assert_true(opened("key") < 0);
	assert_true(opened("data/private") < 0);
}

static void special_files_are_left_out(void **state)
{
	(void)state;
	make_directory("data", 0755);
	assert_int_equal(mkfifo(support_path(host, "data/fifo"), 0644), 0);
	assert_int_equal(chmod(support_path(host, "data/fifo"), 0644), 0);
	copy("data");
	assert_false(there("copy/fifo"));
	assert_true(opened("data/fifo") < 0);
	assert_true(opened("not there") < 0);
}

static void the_limits_hold_exactly(void **state)
{
	char name[32];

	(void)state;
	make("large", "", 0644);
	assert_int_equal(truncate(support_path(host, "large"), SMALL_DATA_MAX), 0);
	assert_true(opened("large") >= 0);
	assert_int_equal(truncate(support_path(host, "large"),
				  SMALL_DATA_MAX + 1), 0);
	assert_true(opened("large") < 0);
	make_directory("many", 0755);
	for (unsigned i = 1; i < SMALL_DATA_ENTRIES_MAX; i++) {
		snprintf(name, sizeof(name), "many/%u", i);
		make(name, "", 0644);
	}
	assert_true(opened("many") >= 0);
	make("many/more", "", 0644);
	assert_true(opened("many") < 0);
}

#define ROW(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		ROW(a_file_is_copied),
		ROW(a_directory_is_copied_with_its_links),
		ROW(no_link_is_followed),
		ROW(what_not_all_may_read_is_left_out),
		ROW(special_files_are_left_out),
		ROW(the_limits_hold_exactly),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
