/*
 * fuzz_collect - any bytes as the deeds of a guest in its home: files,
 * directories, links of both kinds, pipes, holes; then collect_files().
 *
 * Besides memory errors: what comes back is regular, lies below home under
 * the name that is given, keeps to the caps, is sorted, is nothing that was
 * there before, and with what is counted as dropped it is all that there is.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "sandbox/filesystem/collect.h"

#define DEEDS_MAX 200
#define DEPTH_MAX (HOME_DEPTH_MAX + 8)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char long_name[256];
static const char *const names[] = {
	"a", "b", "c", "d", "e", "f", "__pycache__", ".cache", "...", " ",
	"\n", "\xff\xfe", "-", "known", long_name, "g"};
static const char *const targets[] = {
	"/etc/passwd", "/", ".", "..", "../..", "a", "b", "/proc/self/fd/0"};

static const struct job_file known_files[] = {
	{.name = (char *)(uintptr_t)"known", .content = {(char *)(uintptr_t)"xxx", 3}},
	{.name = (char *)(uintptr_t)"a/b", .content = {NULL, 0}},
	{.name = (char *)(uintptr_t)"a", .content = {(char *)(uintptr_t)"xxx", 3}},
};
static const struct collect_known known[] = {
	{known_files, ARRAY_LEN(known_files)}};

static void want(bool truth)
{
	if (!truth)
		abort();
}

/* ---- the guest ------------------------------------------------------- */

/* Where it stands: a descriptor of each directory on the way. */
struct guest {
	int dirs[DEPTH_MAX];
	size_t depth;
	const uint8_t *at, *end;
};

static unsigned next_byte(struct guest *guest)
{
	return guest->at < guest->end ? *guest->at++ : 0;
}

static int here(const struct guest *guest)
{
	return guest->dirs[guest->depth - 1];
}

static void make_file(struct guest *guest, const char *name)
{
	static const char text[256] = {0};
	owned_fd int fd = openat(here(guest), name,
				 O_CREAT | O_WRONLY | O_NOFOLLOW |
					 O_NONBLOCK | O_CLOEXEC, 0600);
	unsigned size = next_byte(guest);
	char known_text[] = "xxx";

	if (fd < 0)
		return;
	want(size == 3 ? write(fd, known_text, 3) == 3
		       : write(fd, text, size) == (ssize_t)size);
}

static void make_dir(struct guest *guest, const char *name)
{
	mkdirat(here(guest), name, 0700);
}

static void enter_dir(struct guest *guest, const char *name)
{
	if (guest->depth == DEPTH_MAX)
		return;
	int fd = openat(here(guest), name,
			O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd >= 0)
		guest->dirs[guest->depth++] = fd;
}

static void leave_dir(struct guest *guest, const char *name)
{
	(void)name;
	if (guest->depth > 1)
		close(guest->dirs[--guest->depth]);
}

static void make_link(struct guest *guest, const char *name)
{
	int rc = symlinkat(targets[next_byte(guest) % ARRAY_LEN(targets)],
			   here(guest), name);

	(void)rc;
}

static void make_fifo(struct guest *guest, const char *name)
{
	mkfifoat(here(guest), name, 0600);
}

static void make_name(struct guest *guest, const char *name)
{
	const char *from = names[next_byte(guest) % ARRAY_LEN(names)];
	int rc = linkat(guest->dirs[0], from, here(guest), name, 0);

	(void)rc;
}

static void make_hole(struct guest *guest, const char *name)
{
	owned_fd int fd = openat(here(guest), name,
				 O_CREAT | O_WRONLY | O_NOFOLLOW |
					 O_NONBLOCK | O_CLOEXEC, 0);
	off_t size = (off_t)1 << next_byte(guest) % 41;
	int rc = fd < 0 ? 0 : ftruncate(fd, size);

	(void)rc;
}

static void act(struct guest *guest)
{
	static void (*const deeds[])(struct guest *, const char *) = {
		make_file, make_dir, enter_dir, leave_dir, make_link,
		make_fifo, make_name, make_hole};

	for (int i = 0; i < DEEDS_MAX && guest->at < guest->end; i++) {
		unsigned byte = next_byte(guest);

		deeds[byte % ARRAY_LEN(deeds)](guest, names[byte / 8 % 16]);
	}
	while (guest->depth > 1)
		leave_dir(guest, NULL);
}

/* ---- a plain reading of the tree, which is removed on the way -------- */

struct tally {
	uint64_t files; /* that might come back */
	uint64_t deep;	/* directories that are not looked into */
	char path[(DEPTH_MAX + 1) * sizeof(long_name)];
};

static bool is_known(const char *path, int dir, const char *name)
{
	char text[4];
	owned_fd int fd = openat(dir, name, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text));

	for (size_t i = 0; i < ARRAY_LEN(known_files); i++)
		if (strcmp(known_files[i].name, path) == 0)
			return n == (ssize_t)known_files[i].content.size &&
			       (n == 0 || memcmp(known_files[i].content.data,
						 text, (size_t)n) == 0);
	return false;
}

static bool is_cache(const char *name)
{
	return strcmp(name, "__pycache__") == 0 || strcmp(name, ".cache") == 0;
}

static void tally_dir(struct tally *tally, int dir, size_t prefix, int depth,
		      bool counts);

static void tally_entry(struct tally *tally, int dir, size_t prefix,
			int depth, const char *name, bool counts)
{
	size_t size = strlen(name);
	struct stat st;

	want(prefix + size + 2 < sizeof(tally->path));
	want(fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0);
	memcpy(tally->path + prefix, name, size + 1);
	bool fits = prefix + size + 2 <= HOME_NAME_MAX;

	if (!S_ISDIR(st.st_mode)) {
		tally->files += counts && (!fits || (S_ISREG(st.st_mode) &&
				!is_known(tally->path, dir, name)));
		want(unlinkat(dir, name, 0) == 0);
		return;
	}
	bool into = counts && !is_cache(name) && fits &&
		    depth < HOME_DEPTH_MAX;

	tally->deep += counts && !into && (!fits || !is_cache(name));
	memcpy(tally->path + prefix + size, "/", 2);
	int fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	want(fd >= 0);
	tally_dir(tally, fd, prefix + size + 1, depth + 1, into);
	want(unlinkat(dir, name, AT_REMOVEDIR) == 0);
}

/* Takes DIR. */
static void tally_dir(struct tally *tally, int dir, size_t prefix, int depth,
		      bool counts)
{
	DIR *list = fdopendir(dir);
	struct dirent *entry;

	want(list != NULL);
	while ((entry = readdir(list)))
		if (strcmp(entry->d_name, ".") != 0 &&
		    strcmp(entry->d_name, "..") != 0)
			tally_entry(tally, dir, prefix, depth, entry->d_name,
				    counts);
	closedir(list);
}

/* ---- the collected files --------------------------------------------- */

static void check_files(const struct outcome *outcome, int user,
			size_t count, uint64_t bytes)
{
	uint64_t total = 0;

	want(outcome->files_count <= count);
	for (size_t i = 0; i < outcome->files_count; i++) {
		const struct outcome_file *file = &outcome->files[i];
		struct stat here_it_is, there;

		want(fstat(file->fd, &here_it_is) == 0);
		want(S_ISREG(here_it_is.st_mode));
		want((uint64_t)here_it_is.st_size == file->size);
		want(fstatat(user, file->name, &there,
			     AT_SYMLINK_NOFOLLOW) == 0);
		want(there.st_ino == here_it_is.st_ino);
		want(i == 0 || strcmp(file[-1].name, file->name) < 0);
		total += file->size;
	}
	want(total <= bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[] = "/dev/shm/terrarium-fuzz-XXXXXX";

	if (size < 2)
		return 0;
	memset(long_name, 'l', sizeof(long_name) - 1);
	want(mkdtemp(path) != NULL);
	struct home home = {.fd = open(path, O_RDONLY | O_DIRECTORY)};

	want(mkdirat(home.fd, "user", 0700) == 0);
	struct guest guest = {
		.dirs = {openat(home.fd, "user", O_RDONLY | O_DIRECTORY)},
		.depth = 1, .at = data + 2, .end = data + size};
	struct outcome outcome = {0};
	struct tally tally = {0};
	size_t count = data[0];
	uint64_t bytes = (uint64_t)data[1] * 16;

	act(&guest);
	const char *call = NULL;

	want(collect_files(&home, known, 1, count, bytes, &outcome, &call) ==
	     0);
	check_files(&outcome, guest.dirs[0], count, bytes);
	tally_dir(&tally, guest.dirs[0], 0, 1, true);
	want(outcome.files_count + outcome.files_dropped ==
	     tally.files + tally.deep);
	outcome_free(&outcome);
	want(unlinkat(home.fd, "user", AT_REMOVEDIR) == 0);
	close(home.fd);
	want(rmdir(path) == 0);
	return 0;
}
