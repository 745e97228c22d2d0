/*
 * collect - reading a dead guest's files back; see home.h.
 *
 * Everything is opened relative to a descriptor of the directory above it,
 * beneath the tmpfs, never through a link, never blocking, and is looked at
 * only when it is a regular file or a directory. Nothing recurses.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "home.h"
#include "io.h"

/* Directories whose content nobody asked for. */
static const char *const collect_caches[] = {"__pycache__", ".cache",
					     ".ipynb_checkpoints"};

struct collect_level {
	DIR *dir;
	size_t prefix; /* bytes of the path that lead here */
};

struct collect {
	struct collect_level levels[HOME_DEPTH_MAX];
	size_t depth;
	char path[HOME_NAME_MAX];
	const struct home_known *known;
	size_t known_count;
	size_t count_max;
	uint64_t bytes_left;
	int64_t since_ns;
	struct outcome *outcome;
};

static int collect_open(int dir, const char *name, uint64_t flags)
{
	struct open_how how = {
		.flags = flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC,
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS |
			   RESOLVE_NO_MAGICLINKS | RESOLVE_NO_XDEV,
	};
	long fd = syscall(SYS_openat2, dir, name, &how, sizeof(how));

	return fd < 0 ? -errno : (int)fd;
}

static bool collect_is_cache(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(collect_caches); i++)
		if (strcmp(name, collect_caches[i]) == 0)
			return true;
	return false;
}

/* Content decides: a guest can set times, and a write through a mapping
 * does not change them. */
static bool collect_same(int fd, const struct job_file *file)
{
	const struct bytes *content = &file->content;
	struct digest digest = {.point = file->digest.point};
	char chunk[HOME_PIECE];

	for (size_t at = 0; at < content->size; at += sizeof(chunk)) {
		size_t left = content->size - at;
		size_t want = left < sizeof(chunk) ? left : sizeof(chunk);

		if (pread(fd, chunk, want, (off_t)at) != (ssize_t)want)
			return false;
		if (digest.point > 0)
			digest_add(&digest, chunk, want);
		else if (memcmp(chunk, content->data + at, want) != 0)
			return false;
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

static bool collect_unchanged(const struct collect *walk, int fd, off_t size)
{
	const struct job_file *file = collect_find(walk);

	return file && file->content.size == (size_t)size &&
	       collect_same(fd, file);
}

/* Names of one file count each: a sparse file would amplify as well, and the
 * total bounds both. */
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
		return -ENOMEM;
	outcome->files = files;
	char *name = strdup(walk->path);

	if (!name)
		return -ENOMEM;
	files[outcome->files_count++] = (struct outcome_file){
		.name = name, .size = size, .fd = take_fd(fd)};
	walk->bytes_left -= size;
	return 0;
}

static int collect_file(struct collect *walk, int dir, const char *name)
{
	struct stat st;
	owned_fd int fd = collect_open(dir, name, O_RDONLY);

	/* A link, a socket, or gone: not a regular file in any case. */
	if (fd < 0)
		return fd == -ENOMEM || fd == -EMFILE ? fd : 0;
	if (fstat(fd, &st) < 0)
		return -errno;
	if (st.st_ctim.tv_sec * 1000000000 + st.st_ctim.tv_nsec <
	    walk->since_ns)
		return 0;
	if (!S_ISREG(st.st_mode) || collect_unchanged(walk, fd, st.st_size))
		return 0;
	return collect_keep(walk, &fd, (uint64_t)st.st_size);
}

static int collect_enter(struct collect *walk, int dir, const char *name,
			 size_t prefix)
{
	if (walk->depth == HOME_DEPTH_MAX) {
		walk->outcome->files_dropped++;
		return 0;
	}
	owned_fd int fd = collect_open(dir, name, O_RDONLY | O_DIRECTORY);

	if (fd < 0)
		return fd == -ENOMEM || fd == -EMFILE ? fd : 0;
	DIR *list = fdopendir(fd);

	if (!list)
		return -errno;
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

static int collect_walk(struct collect *walk)
{
	int rc = 0;

	while (walk->depth > 0) {
		struct collect_level *level = &walk->levels[walk->depth - 1];
		struct dirent *entry = rc == 0 ? readdir(level->dir) : NULL;

		if (entry) {
			rc = collect_entry(walk, entry);
			continue;
		}
		closedir(level->dir);
		walk->depth--;
	}
	return rc;
}

static int collect_by_name(const void *a, const void *b)
{
	const struct outcome_file *left = a, *right = b;

	return strcmp(left->name, right->name);
}

int home_collect(const struct home *home, const struct home_known *known,
		 size_t known_count, size_t count, uint64_t bytes,
		 struct outcome *outcome)
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
	return rc;
}
