/*
 * test_home_files - files of a home that a guest has prepared: kinds of files
 * that programs cannot make, too, but that native code of another kernel might.
 */
#include "tests/unit/filesystem/home_support.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "sandbox/filesystem/home_files.h"

static int lay_traps(void)
{
	const struct sockaddr_un address = {.sun_family = AF_UNIX,
					    .sun_path = "socket"};
	owned_fd int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	if (bind(fd, (const void *)&address, sizeof(address)) < 0 ||
	    mkfifo("pipe", 0666) < 0 || mkdir("dir", 0755) < 0 ||
	    symlink("/etc", "out") < 0 || symlink("dir", "alias") < 0 ||
	    symlink("nowhere", "dangling") < 0 || symlink("loop", "loop") < 0 ||
	    symlink("../tmp", "up") < 0)
		return 1;
	return put_text("plain", "plain") && put_text("dir/file", "in") ? 0 : 1;
}

static const char *const nothing_to_read[] = {
	"pipe",	    "socket", "dir",	   "out",      "out/passwd", "alias/file",
	"dangling", "loop",   "loop/file", "up/file",  "missing",    "missing/file",
	"plain/x",  "dir/..",
};

static void only_regular_files_are_read(void **state)
{
	uint64_t size = 0;
	char text[8];

	(void)state;
	NEEDS_HOME();
	guest_does(lay_traps);
	for (size_t i = 0; i < ARRAY_LEN(nothing_to_read); i++)
		assert_int_equal(home_files_open(&home, nothing_to_read[i],
						 &size), -ENOENT);
	owned_fd int fd = home_files_open(&home, "dir/file", &size);

	assert_true(fd >= 0);
	assert_int_equal(size, 2);
	assert_int_equal(read(fd, text, sizeof(text)), 2);
	assert_memory_equal(text, "in", 2);
}

/* The entries of home, without "." and "..". */
static unsigned entries(const char *dir)
{
	owned_fd int fd = openat(home.fd, dir, O_RDONLY | O_DIRECTORY);
	DIR *list = fdopendir(dup(fd));
	unsigned count = 0;

	assert_non_null(list);
	while (readdir(list))
		count++;
	closedir(list);
	return count - 2;
}

static void nothing_is_written_behind_a_link(void **state)
{
	static const struct {
		const char *name;
		int rc;
	} rows[] = {{"out/new", -ENOTDIR},    {"alias/new", -ENOTDIR},
		    {"dangling/new", -ENOTDIR}, {"loop/new", -ENOTDIR},
		    {"up/new", -ENOTDIR},     {"plain/new", -ENOTDIR},
		    {"pipe/new", -ENOTDIR},   {"dir", -EISDIR}};

	(void)state;
	NEEDS_HOME();
	guest_does(lay_traps);
	const unsigned before = entries("user");

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct job_file files[] = {
			FILE_ROW("first", "1"), FILE_ROW("made/for/it", "2"),
			{.name = (char *)(uintptr_t)rows[i].name}};
		size_t which = 9;

		assert_int_equal(home_files_put(&home, files, ARRAY_LEN(files),
						&which), rows[i].rc);
		assert_int_equal(which, 2);
		assert_int_equal(entries("user"), before);
		assert_int_equal(entries("user/dir"), 1);
		assert_int_equal(entries("tmp"), 0);
	}
}

static void whatever_has_the_name_is_replaced(void **state)
{
	static const char *const names[] = {"pipe", "socket", "out", "alias",
					    "dangling", "loop", "plain"};
	struct stat st;

	(void)state;
	NEEDS_HOME();
	guest_does(lay_traps);
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		struct job_file file = FILE_ROW("", "new");
		uint64_t size = 0;
		size_t which;

		file.name = (char *)(uintptr_t)names[i];
		assert_int_equal(home_files_put(&home, &file, 1, &which), 0);
		owned_fd int fd = home_files_open(&home, names[i], &size);

		assert_true(fd >= 0);
		assert_int_equal(size, 3);
		assert_int_equal(fstat(fd, &st), 0);
		assert_int_equal(st.st_uid, owner);
	}
	assert_int_equal(entries("user/dir"), 1);
}

static void there_is_room_for_all_or_none(void **state)
{
	static char large[SIZE_MB << 19];
	struct job_file files[] = {
		{.name = (char *)(uintptr_t)"a/b/c",
		 .content = {large, sizeof(large)}},
		{.name = (char *)(uintptr_t)"d",
		 .content = {large, sizeof(large)}},
		FILE_ROW("e", "1")};
	size_t which;

	(void)state;
	NEEDS_HOME();
	assert_int_equal(home_files_put(&home, files, 3, &which), -ENOSPC);
	assert_int_equal(entries("user"), 0);
	assert_int_equal(home_files_put(&home, files, 1, &which), 0);
	assert_int_equal(entries("user"), 1);
}

static int use_all_inodes_but_two(void)
{
	char name[16];
	int i = 0;

	if (mkdir("full", 0755) < 0)
		return 1;
	do
		snprintf(name, sizeof(name), "full/%d", i++);
	while (put_text(name, ""));
	return unlink("full/0") < 0 || unlink("full/1") < 0;
}

static void inodes_that_run_out_leave_nothing(void **state)
{
	struct job_file files[] = {FILE_ROW("a/b", "1"), FILE_ROW("c", "2")};
	size_t which;

	(void)state;
	NEEDS_HOME();
	guest_does(use_all_inodes_but_two);
	assert_int_equal(home_files_put(&home, files, 2, &which), -ENOSPC);
	assert_int_equal(entries("user"), 1);
	assert_int_equal(home_files_put(&home, files, 1, &which), 0);
}

static void links_are_removed_and_directories_are_not(void **state)
{
	(void)state;
	NEEDS_HOME();
	guest_does(lay_traps);
	assert_int_equal(home_files_remove(&home, "dir"), -EISDIR);
	assert_int_equal(home_files_look(&home, "dir"), -EISDIR);
	assert_int_equal(home_files_remove(&home, "alias/file"), -ENOENT);
	assert_int_equal(home_files_remove(&home, "missing"), -ENOENT);
	assert_int_equal(home_files_remove(&home, "alias"), 0);
	assert_int_equal(home_files_remove(&home, "pipe"), 0);
	assert_int_equal(home_files_look(&home, "pipe"), -ENOENT);
	assert_int_equal(entries("user/dir"), 1);
}

static void a_list_has_regular_files(void **state)
{
	struct home_files_list list = {0};

	(void)state;
	NEEDS_HOME();
	guest_does(lay_traps);
	assert_int_equal(home_files_list(&home, NULL, 9, &list), 0);
	assert_int_equal(list.count, 2);
	assert_false(list.cut);
	assert_string_equal(list.entries[0].name, "dir/file");
	assert_string_equal(list.entries[1].name, "plain");
	assert_int_equal(list.entries[1].size, 5);
	home_files_free(&list);
	assert_int_equal(home_files_list(&home, "dir", 9, &list), 0);
	assert_int_equal(list.count, 1);
	home_files_free(&list);
	assert_int_equal(home_files_list(&home, NULL, 1, &list), 0);
	assert_int_equal(list.count, 1);
	assert_true(list.cut);
	home_files_free(&list);
	assert_int_equal(home_files_list(&home, "alias", 9, &list), -ENOENT);
	assert_int_equal(home_files_list(&home, "out", 9, &list), -ENOENT);
	assert_int_equal(home_files_list(&home, "plain", 9, &list), -ENOENT);
	home_files_free(&list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_HOME(only_regular_files_are_read),
		WITH_HOME(nothing_is_written_behind_a_link),
		WITH_HOME(whatever_has_the_name_is_replaced),
		WITH_HOME(there_is_room_for_all_or_none),
		WITH_HOME(inodes_that_run_out_leave_nothing),
		WITH_HOME(links_are_removed_and_directories_are_not),
		WITH_HOME(a_list_has_regular_files),
	};

	return home_tests("home_files", tests, ARRAY_LEN(tests));
}
