/*
 * test_home - input files into a guest's tmpfs. The tmpfs is real.
 */
#include "tests/unit/filesystem/home_support.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>

#include "sandbox/filesystem/skeleton.h"

/* ---- making, putting ------------------------------------------------- */

static void a_home_is_the_guests_alone(void **state)
{
	struct statvfs fs;
	struct stat st;

	(void)state;
	NEEDS_HOME();
	assert_int_equal(fstat(home.fd, &st), 0);
	assert_int_equal(st.st_mode, S_IFDIR | 0555);
	assert_int_equal(fstatat(home.fd, "user", &st, 0), 0);
	assert_int_equal(st.st_mode, S_IFDIR | 0700);
	assert_int_equal(st.st_uid, owner);
	assert_int_equal(st.st_gid, owner);
	assert_int_equal(fstatat(home.fd, "tmp", &st, 0), 0);
	assert_int_equal(st.st_mode, S_IFDIR | 0700);
	assert_int_equal(st.st_uid, owner);
	assert_int_equal(fstatvfs(home.fd, &fs), 0);
	assert_int_equal(fs.f_flag & (ST_NOSUID | ST_NODEV | ST_NOEXEC),
			 ST_NOSUID | ST_NODEV | ST_NOEXEC);
	assert_int_equal(fs.f_blocks * fs.f_frsize, SIZE_MB << 20);
	assert_int_equal(fs.f_files, INODES);
	assert_int_equal(fcntl(home.fd, F_GETFD), FD_CLOEXEC);
}

static void files_are_put_as_the_guest(void **state)
{
	static struct job_file files[] = {
		FILE_ROW("plain.txt", "hello"), FILE_ROW("empty", ""),
		FILE_ROW("a/b/c.bin", "\0\xff\n"), FILE_ROW("a/d", "x"),
		FILE_ROW("\xc3\xa4 \n'\"", "odd")};
	size_t which;
	struct stat st;

	(void)state;
	NEEDS_HOME();
	assert_int_equal(home_put(&home, files, ARRAY_LEN(files), &which), 0);
	for (size_t i = 0; i < ARRAY_LEN(files); i++) {
		char name[64];
		struct bytes content;

		snprintf(name, sizeof(name), "user/%s", files[i].name);
		assert_int_equal(fstatat(home.fd, name, &st, 0), 0);
		assert_int_equal(st.st_mode, S_IFREG | 0644);
		assert_int_equal(st.st_uid, owner);
		assert_int_equal(io_read_file(home.fd, name, 100, &content),
				 0);
		assert_int_equal(content.size, files[i].content.size);
		assert_memory_equal(content.data, files[i].content.data,
				    content.size);
		free(content.data);
	}
	assert_int_equal(fstatat(home.fd, "user/a/b", &st, 0), 0);
	assert_int_equal(st.st_mode, S_IFDIR | 0755);
	assert_int_equal(st.st_uid, owner);
	/* and we have our own ids again */
	owned_fd int fd = openat(home.fd, "tmp/ours", O_CREAT | O_WRONLY,
				 0600);

	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(st.st_uid, geteuid());
}

static void nothing_to_put_is_no_work(void **state)
{
	const struct home nowhere = {.fd = -1};
	size_t which;

	(void)state;
	assert_int_equal(home_put(&nowhere, NULL, 0, &which), 0);
}

/* A job's file takes the place of the skeleton's of the same name. */
static void a_later_file_replaces(void **state)
{
	static struct job_file first[] = {FILE_ROW("same", "longer")};
	static struct job_file second[] = {FILE_ROW("same", "new")};
	struct bytes content;
	size_t which;

	(void)state;
	NEEDS_HOME();
	assert_int_equal(home_put(&home, first, 1, &which), 0);
	assert_int_equal(home_put(&home, second, 1, &which), 0);
	assert_int_equal(io_read_file(home.fd, "user/same", 9, &content), 0);
	assert_string_equal(content.data, "new");
	free(content.data);
}

static void names_may_be_so_long(void **state)
{
	char part[300], path[HOME_NAME_MAX + 100];
	struct job_file file = {.name = part};
	size_t which;

	(void)state;
	NEEDS_HOME();
	memset(part, 'n', sizeof(part));
	part[255] = '\0';
	assert_int_equal(home_put(&home, &file, 1, &which), 0);
	part[255] = 'n';
	part[256] = '\0';
	assert_int_equal(home_put(&home, &file, 1, &which), -ENAMETOOLONG);
	assert_int_equal(which, 0);
	for (size_t i = 0; i < sizeof(path); i++)
		path[i] = i % 100 == 99 ? '/' : 'p';
	path[sizeof(path) - 2] = 'p';
	path[sizeof(path) - 1] = '\0';
	file.name = path;
	assert_int_equal(home_put(&home, &file, 1, &which), -ENAMETOOLONG);
}

static void the_failing_file_is_named(void **state)
{
	static struct job_file clash[] = {
		FILE_ROW("a", "1"), FILE_ROW("b/c", "2"), FILE_ROW("a/d", "3"),
		FILE_ROW("e", "4")};
	static struct job_file clash_dir[] = {
		FILE_ROW("f/g", "1"), FILE_ROW("f", "2")};
	size_t which = 99;

	(void)state;
	NEEDS_HOME();
	assert_int_equal(home_put(&home, clash, ARRAY_LEN(clash), &which),
			 -ENOTDIR);
	assert_int_equal(which, 2);
	assert_int_equal(home_put(&home, clash_dir, 2, &which), -EISDIR);
	assert_int_equal(which, 1);
}

static void room_may_run_out(void **state)
{
	owned_free char *half = calloc(1, SIZE_MB << 19);
	struct job_file files[] = {
		FILE_ROW("one", ""), FILE_ROW("two", ""), FILE_ROW("three", "")};
	size_t which = 99;

	(void)state;
	NEEDS_HOME();
	assert_non_null(half);
	for (size_t i = 0; i < ARRAY_LEN(files); i++)
		files[i].content = (struct bytes){half, SIZE_MB << 19};
	assert_int_equal(home_put(&home, files, ARRAY_LEN(files), &which),
			 -ENOSPC);
	assert_in_range(which, 1, 2);
}

static void inodes_may_run_out(void **state)
{
	static char names[INODES][16];
	struct job_file *files = calloc(INODES, sizeof(*files));
	size_t which = 0;

	(void)state;
	if (may_mount)
		free(files);
	NEEDS_HOME();
	assert_non_null(files);
	for (int i = 0; i < INODES; i++) {
		snprintf(names[i], sizeof(names[i]), "f%d", i);
		files[i].name = names[i];
	}
	assert_int_equal(home_put(&home, files, INODES, &which), -ENOSPC);
	assert_in_range(which, INODES - 8, INODES - 1);
	free(files);
}

/* They tell no error themselves. */
static int put_as_somebody_else(void *context)
{
	struct job_file file = FILE_ROW("file", "text");
	size_t which;

	return refuse_call(*(const int *)context, EPERM) < 0 ||
	       home_put(&home, &file, 1, &which) != -EPERM;
}

static void files_of_another_owner_are_an_error(void **state)
{
	int calls[] = {SYS_setfsuid, SYS_setfsgid};

	(void)state;
	NEEDS_HOME();
	for (size_t i = 0; i < ARRAY_LEN(calls); i++)
		assert_int_equal(support_in_child(put_as_somebody_else,
						  &calls[i]), 0);
}

/* ---- the skeleton ---------------------------------------------------- */

static void a_skeleton_is_read_whole(void **state)
{
	char *top = support_dir();
	struct job_file *files;
	size_t count;

	(void)state;
	assert_int_equal(mkdir(support_path(top, "d"), 0755), 0);
	assert_int_equal(mkdir(support_path(top, "d/e"), 0755), 0);
	support_write(top, "d/e/deep", "deep");
	support_write(top, "flat", "flat");
	assert_int_equal(symlink("flat", support_path(top, "link")), 0);
	assert_int_equal(skeleton_read(top, &files, &count), 0);
	assert_int_equal(count, 2);
	for (size_t i = 0; i < count; i++) {
		bool deep = strcmp(files[i].name, "d/e/deep") == 0;

		assert_string_equal(files[i].content.data,
				    deep ? "deep" : "flat");
		assert_true(deep || strcmp(files[i].name, "flat") == 0);
		free(files[i].name);
		free(files[i].content.data);
	}
	free(files);
	support_remove(&top);
}

static int read_without(void *context)
{
	struct job_file *files;
	size_t count;

	return refuse_call(SYS_getdents64, EIO) < 0 ||
	       skeleton_read(context, &files, &count) != -EIO;
}

static void a_skeleton_that_cannot_be_read_is_not_empty(void **state)
{
	char *top = support_dir();
	struct job_file *files;
	size_t count;

	(void)state;
	support_write(top, "file", "text");
	assert_int_equal(support_in_child(read_without, top), 0);
	assert_int_equal(skeleton_read("/nowhere", &files, &count), -ENOENT);
	support_remove(&top);
}

/* ---- untouched ------------------------------------------------------- */

static int touch_file(void) { return !fill("f", 0, 0); }
static int touch_dir(void) { return mkdir("d", 0700); }
static int touch_link(void) { return symlink("x", "l"); }
static int touch_fifo(void) { return mkfifo("p", 0600); }
static int touch_grow(void) { return !fill("f", 8192, 'x'); }
static int touch_hard(void) { return link("f", "g"); }
static int touch_tmp(void) { return !fill("../tmp/t", 1, 'x'); }
static int touch_big(void) { return !fill("f", 1 << 20, 'x'); }

static int touch_deleted(void)
{
	return !fill("gone", 100, 'x') || unlink("gone");
}

static void what_a_guest_makes_is_seen(void **state)
{
	static int (*const deeds[])(void) = {
		touch_file, touch_grow, touch_dir, touch_link, touch_fifo,
		touch_hard, touch_tmp, touch_big};

	(void)state;
	NEEDS_HOME();
	assert_true(home_untouched(&home));
	for (size_t i = 0; i < ARRAY_LEN(deeds); i++) {
		guest_does(deeds[i]);
		if (home_untouched(&home))
			fail_msg("deed %zu was not seen", i);
		assert_int_equal(home_mark(&home), 0);
		assert_true(home_untouched(&home));
	}
	guest_does(touch_deleted);
	assert_true(home_untouched(&home));
}

static void a_home_that_is_gone_is_our_failure(void **state)
{
	const struct home nowhere = {.fd = -1};

	(void)state;
	assert_false(home_untouched(&nowhere));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_HOME(a_home_is_the_guests_alone),
		WITH_HOME(files_are_put_as_the_guest),
		WITH_HOME(nothing_to_put_is_no_work),
		WITH_HOME(a_later_file_replaces),
		WITH_HOME(names_may_be_so_long),
		WITH_HOME(the_failing_file_is_named),
		WITH_HOME(room_may_run_out),
		WITH_HOME(inodes_may_run_out),
		WITH_HOME(files_of_another_owner_are_an_error),
		WITH_HOME(a_skeleton_is_read_whole),
		WITH_HOME(a_skeleton_that_cannot_be_read_is_not_empty),
		WITH_HOME(what_a_guest_makes_is_seen),
		WITH_HOME(a_home_that_is_gone_is_our_failure),
	};

	return home_tests("home", tests, ARRAY_LEN(tests));
}
