/*
 * test_collect - files of a hostile program, collected from a guest's tmpfs.
 * The tmpfs is real; so is the hostility.
 */
#include "tests/unit/filesystem/home_support.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>

/* ---- collecting ------------------------------------------------------ */

static int make_tree(void)
{
	return mkdir("b", 0700) || mkdir("b/c", 0755) || mkdir("none", 0700) ||
	       !put_text("z", "last") || !put_text("b/c/deep", "deep") ||
	       !put_text("b/a", "") || !put_text("a", "first") ||
	       !put_text("../tmp/hidden", "x");
}

static void files_come_back_by_name(void **state)
{
	(void)state;
	NEEDS_HOME();
	collect_all();
	assert_int_equal(outcome.files_count, 0);
	guest_does(make_tree);
	collect_all();
	ASSERT_NAMES("a", "b/a", "b/c/deep", "z");
	assert_content(0, "first");
	assert_content(1, "");
	assert_content(2, "deep");
	assert_content(3, "last");
	assert_int_equal(outcome.files_dropped, 0);
}

static int make_links(void)
{
	return symlink("/etc/passwd", "passwd") || symlink("/", "root") ||
	       symlink("/etc", "etc") || symlink(".", "loop") ||
	       symlink("self", "self") || symlink("../..", "up") ||
	       symlink("../tmp", "tmp") || symlink("good", "alias") ||
	       mkdir("sub", 0700) || symlink("../..", "sub/up") ||
	       symlink("/proc/self/fd/0", "magic") ||
	       symlink("nowhere", "dangling") || !put_text("good", "good") ||
	       !put_text("sub/x", "x") || !put_text("../tmp/secret", "no");
}

static void links_are_never_followed(void **state)
{
	(void)state;
	NEEDS_HOME();
	guest_does(make_links);
	collect_all();
	ASSERT_NAMES("good", "sub/x");
	assert_int_equal(outcome.files_dropped, 0);
}

static int make_special(void)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX,
				      .sun_path = "socket"};
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	return mkfifo("fifo", 0666) ||
	       bind(fd, (struct sockaddr *)&address, sizeof(address)) ||
	       !put_text("file", "f");
}

static void special_files_do_not_block(void **state)
{
	(void)state;
	NEEDS_HOME();
	guest_does(make_special);
	collect_all();
	ASSERT_NAMES("file");
}

static int make_hard_links(void)
{
	char name[16];

	if (!fill("f00", 10000, 'h'))
		return 1;
	for (int i = 1; i < 50; i++) {
		snprintf(name, sizeof(name), "f%02d", i);
		if (link("f00", name))
			return 1;
	}
	return 0;
}

/* Each name is a file to its receiver, and counts as one. */
static void names_of_one_file_count_each(void **state)
{
	(void)state;
	NEEDS_HOME();
	guest_does(make_hard_links);
	collect(NULL, 0, 1000, 100000);
	assert_int_equal(outcome.files_count, 10);
	assert_int_equal(outcome.files_dropped, 40);
}

static int make_sparse(void)
{
	int fd = open("sparse", O_CREAT | O_WRONLY, 0600);

	return ftruncate(fd, 1ll << 40) || !put_text("small", "s");
}

static void a_sparse_file_counts_as_large(void **state)
{
	(void)state;
	NEEDS_HOME();
	guest_does(make_sparse);
	collect(NULL, 0, MANY, 1 << 20);
	ASSERT_NAMES("small");
	assert_int_equal(outcome.files_dropped, 1);
}

static int make_depth(void)
{
	for (int i = 0; i < 2000; i++)
		if ((i < 40 && !put_text("f", "f")) || mkdir("d", 0700) ||
		    chdir("d"))
			return 1;
	return !put_text("bottom", "b");
}

/* Home itself is the first of HOME_DEPTH_MAX. */
static void depth_has_an_end(void **state)
{
	(void)state;
	NEEDS_HOME();
	guest_does(make_depth);
	collect_all();
	assert_int_equal(outcome.files_count, HOME_DEPTH_MAX);
	assert_int_equal(outcome.files_dropped, 1);
	for (size_t i = 0; i < outcome.files_count; i++)
		assert_int_equal(strlen(outcome.files[i].name) % 2, 1);
}

/* 16 directories with names of 255 bytes are a path of 4096 bytes. */
static int make_long_path(void)
{
	char name[256];

	memset(name, 'l', 255);
	name[255] = '\0';
	for (int i = 0; i < 17; i++)
		if (!put_text("f", "f") || mkdir(name, 0700) || chdir(name))
			return 1;
	return 0;
}

static void a_path_has_an_end(void **state)
{
	(void)state;
	NEEDS_HOME();
	guest_does(make_long_path);
	collect_all();
	assert_int_equal(outcome.files_count, 16);
	assert_true(outcome.files_dropped >= 1);
	for (size_t i = 0; i < outcome.files_count; i++)
		assert_true(strlen(outcome.files[i].name) < HOME_NAME_MAX);
}

static const char *const odd_names[] = {
	"\n", "\t\x1b[31m", " ", " .", "\"\\'", "$(id)", "-rf", "...",
	"..data", "<b>", "\x7f", "\xc3\x28\xff", "\xe2\x80\xaename",
	"con"};

static int make_odd_names(void)
{
	char longest[256];

	for (size_t i = 0; i < ARRAY_LEN(odd_names); i++)
		if (!put_text(odd_names[i], odd_names[i]))
			return 1;
	memset(longest, 'z', 255);
	longest[255] = '\0';
	return !put_text(longest, "longest");
}

static void odd_names_come_as_they_are(void **state)
{
	size_t count = ARRAY_LEN(odd_names) + 1, found = 0;

	(void)state;
	NEEDS_HOME();
	guest_does(make_odd_names);
	collect_all();
	assert_int_equal(outcome.files_count, count);
	for (size_t i = 0; i < count; i++) {
		if (i > 0)
			assert_true(strcmp(outcome.files[i - 1].name,
					   outcome.files[i].name) < 0);
		for (size_t j = 0; j < ARRAY_LEN(odd_names); j++)
			if (strcmp(outcome.files[i].name, odd_names[j]) == 0) {
				assert_content(i, odd_names[j]);
				found++;
			}
	}
	assert_int_equal(found, ARRAY_LEN(odd_names));
}

static int make_unreadable(void)
{
	return !put_text("file", "f") || mkdir("dir", 0700) ||
	       !put_text("dir/file", "g") || chmod("dir/file", 0) ||
	       chmod("dir", 0) || chmod("file", 0) || chmod(".", 0);
}

static void mode_000_hides_nothing(void **state)
{
	(void)state;
	NEEDS_HOME();
	guest_does(make_unreadable);
	collect_all();
	ASSERT_NAMES("dir/file", "file");
	assert_content(0, "g");
	assert_content(1, "f");
}

static int make_caches(void)
{
	return mkdir("__pycache__", 0700) || !put_text("__pycache__/a", "") ||
	       mkdir(".cache", 0700) || !put_text(".cache/a", "") ||
	       mkdir(".ipynb_checkpoints", 0700) ||
	       !put_text(".ipynb_checkpoints/a", "") || mkdir("d", 0700) ||
	       mkdir("d/__pycache__", 0700) ||
	       !put_text("d/__pycache__/a", "") ||
	       mkdir("my__pycache__", 0700) ||
	       !put_text("my__pycache__/a", "") || mkdir("e", 0700) ||
	       !put_text("e/.cache", "a file");
}

static void caches_are_passed_over(void **state)
{
	(void)state;
	NEEDS_HOME();
	guest_does(make_caches);
	collect_all();
	ASSERT_NAMES("e/.cache", "my__pycache__/a");
	assert_int_equal(outcome.files_dropped, 0);
}

/* ---- files that were there before ------------------------------------ */

static struct job_file inputs[] = {
	FILE_ROW("appended", "12345"),	FILE_ROW("copied", "copied"),
	FILE_ROW("d/kept", "kept"),	FILE_ROW("deleted", "d"),
	FILE_ROW("empty", ""),		FILE_ROW("emptied", "e"),
	FILE_ROW("kept", "kept"),	FILE_ROW("mapped", "mapped"),
	FILE_ROW("remade", "remade"),	FILE_ROW("renamed", "renamed"),
	FILE_ROW("sly", "before"),	FILE_ROW("replaced", "replaced"),
	FILE_ROW("cut", "a longer one")};

/* Write through a mapping: the file's times stay. */
static bool write_mapped(const char *name)
{
	int fd = open(name, O_RDWR);
	char *at = mmap(NULL, 6, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (at == MAP_FAILED)
		return false;
	at[5] = 'D';
	return true;
}

/* The same size, and the times put back. */
static bool write_slyly(const char *name)
{
	struct stat st;
	int fd = open(name, O_WRONLY);

	return fstat(fd, &st) == 0 && write(fd, "AFTER!", 6) == 6 &&
	       futimens(fd, (struct timespec[]){st.st_atim, st.st_mtim}) == 0;
}

static int change_inputs(void)
{
	int fd = open("appended", O_WRONLY | O_APPEND);

	return write(fd, "6", 1) != 1 || link("copied", "copy") ||
	       unlink("deleted") || truncate("emptied", 0) ||
	       !write_mapped("mapped") || unlink("remade") ||
	       !put_text("remade", "remade") || rename("renamed", "moved") ||
	       !write_slyly("sly") || unlink("replaced") ||
	       mkdir("replaced", 0700) || !put_text("replaced/f", "f") ||
	       truncate("cut", 3);
}

static void only_what_changed_comes_back(void **state)
{
	const struct collect_known known[] = {{inputs, ARRAY_LEN(inputs)}};
	size_t which;

	(void)state;
	NEEDS_HOME();
	assert_int_equal(home_put(&home, inputs, ARRAY_LEN(inputs), &which),
			 0);
	collect(known, 1, MANY, PLENTY);
	assert_int_equal(outcome.files_count, 0);
	guest_does(change_inputs);
	collect(known, 1, MANY, PLENTY);
	ASSERT_NAMES("appended", "copy", "cut", "emptied", "mapped", "moved",
		     "replaced/f", "sly");
	assert_content(4, "mappeD");
	assert_content(7, "AFTER!");
}

/* The last list that has a name decides its earlier content. */
static void a_job_knows_better_than_the_skeleton(void **state)
{
	static struct job_file skeleton[] = {FILE_ROW("rc", "theirs"),
						   FILE_ROW("s", "s")};
	static struct job_file job[] = {FILE_ROW("rc", "mine")};
	const struct collect_known known[] = {{skeleton, 2}, {job, 1}};
	size_t which;

	(void)state;
	NEEDS_HOME();
	assert_int_equal(home_put(&home, skeleton, 2, &which), 0);
	assert_int_equal(home_put(&home, job, 1, &which), 0);
	collect(known, 2, MANY, PLENTY);
	assert_int_equal(outcome.files_count, 0);
	collect(known, 1, MANY, PLENTY);
	ASSERT_NAMES("rc");
}

/* ---- files that are wanted once -------------------------------------- */

#define LARGE ((1u << 20) + 12345) /* no whole number of pieces */

static int change_one_byte(void)
{
	owned_fd int fd = open("changed", O_WRONLY);

	return fd < 0 || pwrite(fd, "!", 1, LARGE - 1) != 1;
}

static size_t bytes_left(const struct bytes *content)
{
	size_t count = 0;

	for (size_t i = 0; i < content->size; i++)
		count += content->data[i] != 0;
	return count;
}

/* Their memory is given back, and still they are known again. */
static void a_large_content_is_given_up(void **state)
{
	static const char *const names[] = {"changed", "kept", "same"};
	struct job_file files[3];
	const struct collect_known known[] = {{files, ARRAY_LEN(files)}};
	size_t which;

	(void)state;
	NEEDS_HOME();
	for (size_t i = 0; i < ARRAY_LEN(files); i++) {
		files[i] = (struct job_file){
			.name = (char *)(uintptr_t)names[i], .once = i != 1,
			.content = {malloc(LARGE), LARGE}};
		assert_non_null(files[i].content.data);
		memset(files[i].content.data, 'a' + (int)i, LARGE);
	}
	assert_int_equal(home_put(&home, files, ARRAY_LEN(files), &which), 0);
	assert_in_range(bytes_left(&files[0].content), 0, 8192);
	assert_in_range(bytes_left(&files[2].content), 0, 8192);
	assert_int_equal(bytes_left(&files[1].content), LARGE);
	collect(known, 1, MANY, PLENTY);
	assert_int_equal(outcome.files_count, 0);
	guest_does(change_one_byte);
	collect(known, 1, MANY, PLENTY);
	ASSERT_NAMES("changed");
	for (size_t i = 0; i < ARRAY_LEN(files); i++)
		free(files[i].content.data);
}

/* ---- caps ------------------------------------------------------------ */

static int make_ten(void)
{
	char name[16];

	for (int i = 0; i < 10; i++) {
		snprintf(name, sizeof(name), "f%d", i);
		if (!fill(name, 100, 'x'))
			return 1;
	}
	return 0;
}

static void caps_hold_exactly(void **state)
{
	static const struct {
		size_t count;
		uint64_t bytes;
		size_t kept;
	} cases[] = {
		{10, 1000, 10}, {11, 1001, 10}, {9, 1000, 9}, {10, 999, 9},
		{1, 100, 1},	{0, 1000, 0},	{10, 99, 0},  {10, 0, 0},
		{10, 100, 1},	{10, 199, 1},	{10, 200, 2},
	};

	(void)state;
	NEEDS_HOME();
	guest_does(make_ten);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		collect(NULL, 0, cases[i].count, cases[i].bytes);
		assert_int_equal(outcome.files_count, cases[i].kept);
		assert_int_equal(outcome.files_dropped, 10 - cases[i].kept);
		outcome_free(&outcome);
	}
}

static int make_empty_files(void)
{
	char name[16];

	for (int i = 0;; i++) {
		snprintf(name, sizeof(name), "f%d", i);
		int fd = open(name, O_CREAT | O_WRONLY, 0600);

		if (fd < 0)
			return errno != ENOSPC;
		close(fd);
	}
}

static void a_home_full_of_files_is_cut(void **state)
{
	(void)state;
	NEEDS_HOME();
	guest_does(make_empty_files);
	collect(NULL, 0, 20, PLENTY);
	assert_int_equal(outcome.files_count, 20);
	assert_in_range(outcome.files_dropped, INODES - 40, INODES);
}

/* ---- kernel calls that fail ------------------------------------------ */

static struct job_file known_file[] = {FILE_ROW("known", "known")};

static int make_known(void)
{
	return !put_text("known", "known") || mkdir("d", 0700) ||
	       !put_text("d/new", "new");
}

/* A call that is refused, and how it is told: as an error of ours with the
 * call's name, or by so many files that are counted as dropped. */
static const struct refusal_case {
	int number, error;
	const char *call;
	size_t dropped;
} refusal_cases[] = {
	{SYS_openat2, ENOSYS, "openat2", 0},
	{SYS_openat2, EPERM, "openat2", 0},
	{SYS_openat2, EINVAL, "openat2", 0},
	{SYS_openat2, EMFILE, "openat2", 0},
	{SYS_openat2, EIO, "openat2", 0},
	{SYS_openat2, EAGAIN, "openat2", 0},
	{SYS_getdents64, EIO, "getdents64", 0},
	{SYS_pread64, EIO, "pread", 0},
	{SYS_close, EIO, "close", 0},
	{SYS_openat2, EACCES, NULL, 1},
	{SYS_openat2, ELOOP, NULL, 1},
	{SYS_openat2, EXDEV, NULL, 1},
	{SYS_openat2, ENOENT, NULL, 1},
	{SYS_getdents64, ENOENT, NULL, 0},
};

static int collect_without(void *context)
{
	const struct refusal_case *row = context;
	const struct collect_known known[] = {{known_file, 1}};
	const char *call = NULL;

	if (refuse_call(row->number, row->error) < 0)
		return 1;
	int rc = collect_files(&home, known, 1, MANY, PLENTY, &outcome, &call);

	if (row->call)
		return rc != -row->error || !call ||
		       strcmp(call, row->call) != 0;
	return rc != 0 || outcome.files_count != 0 ||
	       outcome.files_dropped != row->dropped;
}

static void a_call_that_fails_is_told(void **state)
{
	(void)state;
	NEEDS_HOME();
	guest_does(make_known);
	for (size_t i = 0; i < ARRAY_LEN(refusal_cases); i++) {
		struct refusal_case row = refusal_cases[i];

		if (support_in_child(collect_without, &row) != 0)
			fail_msg("call %d, error %d is not told", row.number,
				 row.error);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_HOME(files_come_back_by_name),
		WITH_HOME(links_are_never_followed),
		WITH_HOME(special_files_do_not_block),
		WITH_HOME(names_of_one_file_count_each),
		WITH_HOME(a_sparse_file_counts_as_large),
		WITH_HOME(depth_has_an_end),
		WITH_HOME(a_path_has_an_end),
		WITH_HOME(odd_names_come_as_they_are),
		WITH_HOME(mode_000_hides_nothing),
		WITH_HOME(caches_are_passed_over),
		WITH_HOME(only_what_changed_comes_back),
		WITH_HOME(a_job_knows_better_than_the_skeleton),
		WITH_HOME(a_large_content_is_given_up),
		WITH_HOME(caps_hold_exactly),
		WITH_HOME(a_home_full_of_files_is_cut),
		WITH_HOME(a_call_that_fails_is_told),
	};

	return home_tests("collect", tests, ARRAY_LEN(tests));
}
