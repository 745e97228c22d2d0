/*
 * collect - see collect.h.
 *
 * Each file is opened relative to a descriptor of its directory, beneath the
 * tmpfs, without following links and without blocking. Only regular files and
 * directories are opened. No function recurses.
 *
 * A guest can cause some errors of kernel calls. They are in a table, and the
 * file is counted as dropped. Any other error ends the walk and is returned,
 * because a file that cannot be read must not look like a missing file.
 */
#include "collect.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "sandbox/base/io.h"
#include "home.h"

/* Directories of caches, which are not collected. */
static const char *const collect_caches[] = {"__pycache__", ".cache",
					     ".ipynb_checkpoints"};

/* Errors of an open that a guest can cause: the file is gone, a link, a socket
 * or pipe, of another kind, on another mount, or unreadable. */
static const int collect_guest_errors[] = {ENOENT, ELOOP,   EMLINK, ENXIO,
					   EXDEV,  ENOTDIR, EACCES};

struct collect_level {
	DIR *dir;
	size_t prefix; /* bytes of the path to this directory */
};

struct collect {
	struct collect_level levels[HOME_DEPTH_MAX];
	size_t depth;
	char path[HOME_NAME_MAX];
	const struct collect_known *known;
	size_t known_count;
	size_t count_max;
	uint64_t bytes_left;
	int64_t since_ns;
	struct outcome *outcome;
	const char *call; /* the call that failed; a string constant */
};

static int collect_fail(struct collect *walk, const char *call, int rc)
{
	walk->call = call;
	return rc;
}

/* A file or directory could not be opened: count it, or fail with RC. */
static int collect_drop(struct collect *walk, int rc)
{
	for (size_t i = 0; i < ARRAY_LEN(collect_guest_errors); i++)
		if (rc == -collect_guest_errors[i]) {
			walk->outcome->files_dropped++;
			return 0;
		}
	return collect_fail(walk, "openat2", rc);
}

static bool collect_is_cache(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(collect_caches); i++)
		if (strcmp(name, collect_caches[i]) == 0)
			return true;
	return false;
}

/* Whether FD has the content of FILE, which has the same size. 1, 0, or a
 * negative errno value. The content is compared, because a guest can set times,
 * and a write through a mapping does not change them. */
static int collect_same(int fd, const struct job_file *file)
{
	const struct bytes *content = &file->content;
	struct digest digest = {.point = file->digest.point};
	char chunk[HOME_PIECE];

	for (size_t at = 0; at < content->size; at += sizeof(chunk)) {
		size_t left = content->size - at;
		size_t want = left < sizeof(chunk) ? left : sizeof(chunk);
		ssize_t n = pread(fd, chunk, want, (off_t)at);

		if (n != (ssize_t)want)
			return n < 0 ? -errno : 0;
		if (digest.point > 0)
			digest_add(&digest, chunk, want);
		else if (memcmp(chunk, content->data + at, want) != 0)
			return 0;
	}
	return digest.sum == file->digest.sum;
}

static const struct job_file *collect_find(const struct collect *walk)
{
	for (size_t k = walk->known_count; k-- > 0;)
		for (size_t i = 0; i < walk->known[k].count; i++)
			if (strcmp(walk->known[k].files[i].name,
				   walk->path) == 0)
				return &walk->known[k].files[i];
	return NULL;
}

/* Whether FD is a known file with the same content. 1, 0, or a negative errno
 * value. */
static int collect_unchanged(struct collect *walk, int fd, off_t size)
{
	const struct job_file *file = collect_find(walk);

	if (!file || file->content.size != (size_t)size)
		return 0;
	int rc = collect_same(fd, file);

	return rc < 0 ? collect_fail(walk, "pread", rc) : rc;
}

/* Add the file to the outcome, within the limits. A file with several names
 * counts for each. Such files and sparse files can exceed the size of the
 * tmpfs; the limit on the total bounds both. */
static int collect_keep(struct collect *walk, int *fd, uint64_t size)
{
	struct outcome *outcome = walk->outcome;

	if (outcome->files_count >= walk->count_max ||
	    size > walk->bytes_left) {
		outcome->files_dropped++;
		return 0;
	}
	struct outcome_file *files =
		reallocarray(outcome->files, outcome->files_count + 1,
			     sizeof(*files));

	if (!files)
		return collect_fail(walk, "realloc", -ENOMEM);
	outcome->files = files;
	char *name = strdup(walk->path);

	if (!name)
		return collect_fail(walk, "strdup", -ENOMEM);
	files[outcome->files_count++] = (struct outcome_file){
		.name = name, .size = size, .fd = take_fd(fd)};
	walk->bytes_left -= size;
	return 0;
}

static int collect_file(struct collect *walk, int dir, const char *name)
{
	struct stat st;
	owned_fd int fd = home_open(dir, name, O_RDONLY, 0);

	if (fd < 0)
		return collect_drop(walk, fd);
	if (fstat(fd, &st) < 0)
		return collect_fail(walk, "fstat", -errno);
	if (!S_ISREG(st.st_mode) ||
	    st.st_ctim.tv_sec * 1000000000 + st.st_ctim.tv_nsec <
		    walk->since_ns)
		return 0;
	int rc = collect_unchanged(walk, fd, st.st_size);

	return rc < 0	? rc
	       : rc > 0 ? 0
			: collect_keep(walk, &fd, (uint64_t)st.st_size);
}

static int collect_enter(struct collect *walk, int dir, const char *name,
			 size_t prefix)
{
	if (walk->depth == HOME_DEPTH_MAX) {
		walk->outcome->files_dropped++;
		return 0;
	}
	owned_fd int fd = home_open(dir, name, O_RDONLY | O_DIRECTORY, 0);

	if (fd < 0)
		return collect_drop(walk, fd);
	DIR *list = fdopendir(fd);

	if (!list)
		return collect_fail(walk, "fdopendir", -errno);
	(void)take_fd(&fd);
	walk->levels[walk->depth++] = (struct collect_level){list, prefix};
	return 0;
}

static int collect_entry(struct collect *walk, const struct dirent *entry)
{
	struct collect_level *level = &walk->levels[walk->depth - 1];
	size_t size = strlen(entry->d_name);
	int dir = dirfd(level->dir);

	if (strcmp(entry->d_name, ".") == 0 ||
	    strcmp(entry->d_name, "..") == 0)
		return 0;
	if (level->prefix + size + 2 > sizeof(walk->path)) {
		walk->outcome->files_dropped++;
		return 0;
	}
	memcpy(walk->path + level->prefix, entry->d_name, size + 1);
	if (entry->d_type == DT_REG)
		return collect_file(walk, dir, entry->d_name);
	if (entry->d_type != DT_DIR || collect_is_cache(entry->d_name))
		return 0;
	walk->path[level->prefix + size] = '/';
	return collect_enter(walk, dir, entry->d_name,
			     level->prefix + size + 1);
}

/* The next entry of the innermost open directory. NULL: its end, or an error in
 * *RC. */
static const struct dirent *collect_next(struct collect *walk, int *rc)
{
	errno = 0;
	const struct dirent *entry =
		readdir(walk->levels[walk->depth - 1].dir);

	/* ENOENT: the directory was removed and has no entries. */
	if (!entry && errno != 0 && errno != ENOENT)
		*rc = collect_fail(walk, "getdents64", -errno);
	return entry;
}

static int collect_leave(struct collect *walk, int rc)
{
	if (closedir(walk->levels[--walk->depth].dir) < 0 && rc == 0)
		return collect_fail(walk, "close", -errno);
	return rc;
}

static int collect_walk(struct collect *walk)
{
	int rc = 0;

	while (walk->depth > 0) {
		const struct dirent *entry =
			rc == 0 ? collect_next(walk, &rc) : NULL;

		if (entry)
			rc = collect_entry(walk, entry);
		else
			rc = collect_leave(walk, rc);
	}
	return rc;
}

static int collect_by_name(const void *a, const void *b)
{
	const struct outcome_file *left = a, *right = b;

	return strcmp(left->name, right->name);
}

int collect_files(const struct home *home, const struct collect_known *known,
		  size_t known_count, size_t count, uint64_t bytes,
		  struct outcome *outcome, const char **call)
{
	struct collect walk = {
		.known = known, .known_count = known_count,
		.since_ns = home->since_ns,
		.count_max = count, .bytes_left = bytes, .outcome = outcome};
	int rc = collect_enter(&walk, home->fd, "user", 0);

	if (rc == 0)
		rc = collect_walk(&walk);
	if (outcome->files_count > 1)
		qsort(outcome->files, outcome->files_count,
		      sizeof(*outcome->files), collect_by_name);
	*call = walk.call;
	return rc;
}
