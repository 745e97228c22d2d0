/*
 * test_home - input files into a guest's tmpfs, and back out of it what a
 * hostile program left there. The tmpfs is real; so is the hostility.
 */
#include "support.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/un.h>

#include "../../sandbox/home.h"
#include "../../sandbox/io.h"

#define SIZE_MB 4
#define INODES 4096
#define MANY 1000
#define PLENTY (1u << 30)

static int may_mount; /* 0 or the reason why not */
static uid_t owner;
static struct home home;
static struct outcome outcome;
static int fds_before;

static int make_home(void **state)
{
	(void)state;
	outcome = (struct outcome){0};
	home = (struct home){.fd = -1};
	fds_before = support_count_fds();
	return may_mount ? 0 : home_make(&home, SIZE_MB, INODES, owner);
}

/* Whatever a test did, no descriptor stays behind. */
static int free_home(void **state)
{
	(void)state;
	outcome_free(&outcome);
	home_free(&home);
	return support_count_fds() != fds_before;
}

#define NEEDS_HOME()                                                         \
	do {                                                                 \
		if (may_mount)                                               \
			support_skip("no right to make a tmpfs: %s",         \
				     strerror(may_mount));                   \
	} while (0)

/* ---- the enemy ------------------------------------------------------- */

/* In a child, as the guest's uid, in home: its exit status must be 0. */
struct deed {
	int (*act)(void);
	const char *dir;
};

static int do_deed(void *context)
{
	const struct deed *deed = context;

	umask(0);
	if (fchdir(home.fd) < 0 || chdir(deed->dir) < 0)
		return 100;
	if (setresgid(owner, owner, owner) < 0 ||
	    setresuid(owner, owner, owner) < 0)
		return 101;
	return deed->act();
}

static void guest_does(int (*act)(void))
{
	struct deed deed = {act, "user"};

	assert_int_equal(support_in_child(do_deed, &deed), 0);
}

/* Make a file of SIZE times BYTE. */
static bool fill(const char *name, size_t size, char byte)
{
	owned_fd int fd = open(name, O_CREAT | O_TRUNC | O_WRONLY, 0644);
	owned_free char *data = malloc(size + 1);

	if (fd < 0 || !data)
		return false;
	memset(data, byte, size);
	return write(fd, data, size) == (ssize_t)size;
}

static bool put_text(const char *name, const char *text)
{
	owned_fd int fd = open(name, O_CREAT | O_TRUNC | O_WRONLY, 0644);

	return fd >= 0 &&
	       write(fd, text, strlen(text)) == (ssize_t)strlen(text);
}

/* ---- looking --------------------------------------------------------- */

static void collect(const struct home_known *known, size_t known_count,
		    size_t count, uint64_t bytes)
{
	alarm(20); /* rather than block for ever */
	int rc = home_collect(&home, known, known_count, count, bytes,
			      &outcome);

	alarm(0);
	assert_int_equal(rc, 0);
	for (size_t i = 0; i < outcome.files_count; i++) {
		struct stat st;

		assert_int_equal(fstat(outcome.files[i].fd, &st), 0);
		assert_true(S_ISREG(st.st_mode));
		assert_int_equal(st.st_size, outcome.files[i].size);
		assert_int_equal(fcntl(outcome.files[i].fd, F_GETFD),
				 FD_CLOEXEC);
	}
}

static void collect_all(void)
{
	collect(NULL, 0, MANY, PLENTY);
}

static void assert_names(const char *const *names, size_t count)
{
	for (size_t i = 0; i < count && i < outcome.files_count; i++)
		assert_string_equal(outcome.files[i].name, names[i]);
	assert_int_equal(outcome.files_count, count);
}

#define ASSERT_NAMES(...)                                                    \
	assert_names((const char *const[]){__VA_ARGS__},                     \
		     sizeof((const char *const[]){__VA_ARGS__}) /            \
			     sizeof(char *))

static void assert_content(size_t i, const char *text)
{
	struct bytes content;

	assert_true(i < outcome.files_count);
	assert_int_equal(io_read_fd(outcome.files[i].fd, 1 << 20, &content),
			 0);
	assert_string_equal(content.data, text);
	free(content.data);
}

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

#define FILE_ROW(file_name, text)                                            \
	{.name = (char *)(uintptr_t)(file_name),                             \
	 .content = {(char *)(uintptr_t)(text), sizeof(text) - 1}}

static void files_are_put_as_the_guest(void **state)
{
	static const struct job_file files[] = {
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
	/* and we are who we were */
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
	static const struct job_file first[] = {FILE_ROW("same", "longer")};
	static const struct job_file second[] = {FILE_ROW("same", "new")};
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
	static const struct job_file clash[] = {
		FILE_ROW("a", "1"), FILE_ROW("b/c", "2"), FILE_ROW("a/d", "3"),
		FILE_ROW("e", "4")};
	static const struct job_file clash_dir[] = {
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

/* Each name is a file to whoever gets it, and counts as one. */
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

/* ---- what was there before ------------------------------------------- */

static const struct job_file inputs[] = {
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
	const struct home_known known[] = {{inputs, ARRAY_LEN(inputs)}};
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

/* The last list that knows a name says what it was. */
static void a_job_knows_better_than_the_skeleton(void **state)
{
	static const struct job_file skeleton[] = {FILE_ROW("rc", "theirs"),
						   FILE_ROW("s", "s")};
	static const struct job_file job[] = {FILE_ROW("rc", "mine")};
	const struct home_known known[] = {{skeleton, 2}, {job, 1}};
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

static void a_home_that_is_gone_is_our_failure(void **state)
{
	const struct home nowhere = {.fd = -1};

	(void)state;
	assert_false(home_untouched(&nowhere));
}

#define WITH_HOME(test)                                                      \
	cmocka_unit_test_setup_teardown(test, make_home, free_home)

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
		WITH_HOME(what_a_guest_makes_is_seen),
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
		WITH_HOME(caps_hold_exactly),
		WITH_HOME(a_home_full_of_files_is_cut),
		WITH_HOME(a_home_that_is_gone_is_our_failure),
	};
	bool root = geteuid() == 0;

	may_mount = -support_may_mount();
	owner = root ? 1000 : 0;
	return cmocka_run_group_tests_name("home", tests, NULL, NULL);
}
