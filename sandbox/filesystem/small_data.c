/* small_data - see small_data.h. */
#include "small_data.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sandbox/base/listing.h"

#define SMALL_DATA_DEPTH_MAX 16
#define SMALL_DATA_PAGE 4096u

/* All users may read the file, or list and enter the directory. */
#define SMALL_DATA_FILE S_IROTH
#define SMALL_DATA_DIRECTORY (S_IROTH | S_IXOTH)

/* One walk, which counts or copies. */
struct small_data_walk {
	struct small_data_size size;
	bool copies;
};

static bool small_data_readable(const struct stat *st)
{
	if (S_ISREG(st->st_mode))
		return st->st_mode & SMALL_DATA_FILE;
	return (st->st_mode & SMALL_DATA_DIRECTORY) == SMALL_DATA_DIRECTORY;
}

static int small_data_count(struct small_data_walk *walk,
			    const struct stat *st)
{
	uint64_t size = S_ISREG(st->st_mode) ? (uint64_t)st->st_size : 1;

	walk->size.inodes++;
	walk->size.bytes += (size + SMALL_DATA_PAGE - 1) / SMALL_DATA_PAGE *
			    SMALL_DATA_PAGE;
	return walk->size.inodes > SMALL_DATA_ENTRIES_MAX ||
			       walk->size.bytes > SMALL_DATA_MAX
		       ? -EFBIG : 0;
}

/* Copy the regular file FROM to the new file NAME in TO. */
static int small_data_copy_file(int from, int to, const char *name)
{
	owned_fd int out = openat(to, name, O_CREAT | O_EXCL | O_WRONLY |
						    O_CLOEXEC, 0644);
	ssize_t sent = 1;

	if (out < 0)
		return -errno;
	while (sent > 0)
		sent = sendfile(out, from, NULL, SMALL_DATA_MAX);
	return sent < 0 ? -errno : 0;
}

static int small_data_file(struct small_data_walk *walk, int from, int to,
			   const char *name)
{
	if (!walk->copies)
		return 0;
	owned_fd int in = openat(from, name, O_RDONLY | O_NOFOLLOW |
						     O_NONBLOCK | O_CLOEXEC);

	return in < 0 ? -errno : small_data_copy_file(in, to, name);
}

static int small_data_link(struct small_data_walk *walk, int from, int to,
			   const char *name)
{
	char target[PATH_MAX];
	ssize_t size = readlinkat(from, name, target, sizeof(target) - 1);

	if (size < 0)
		return -errno;
	target[size] = '\0';
	return walk->copies && symlinkat(target, to, name) < 0 ? -errno : 0;
}

static int small_data_list(struct small_data_walk *walk, int from, int to,
			   unsigned depth);

static int small_data_directory(struct small_data_walk *walk, int from,
				int to, const char *name, unsigned depth)
{
	owned_fd int in = openat(from, name, O_RDONLY | O_DIRECTORY |
						     O_NOFOLLOW | O_CLOEXEC);
	owned_fd int out = -1;

	if (in < 0)
		return -errno;
	if (depth == SMALL_DATA_DEPTH_MAX)
		return -ENAMETOOLONG;
	if (walk->copies) {
		if (mkdirat(to, name, 0755) < 0)
			return -errno;
		out = openat(to, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (out < 0)
			return -errno;
	}
	return small_data_list(walk, in, out, depth + 1);
}

static int small_data_entry(struct small_data_walk *walk, int from, int to,
			    const char *name, unsigned depth)
{
	struct stat st;

	if (fstatat(from, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return -errno;
	int rc = small_data_count(walk, &st);

	if (rc < 0)
		return rc;
	if (S_ISLNK(st.st_mode))
		return small_data_link(walk, from, to, name);
	if (!small_data_readable(&st))
		return 0;
	if (S_ISREG(st.st_mode))
		return small_data_file(walk, from, to, name);
	return S_ISDIR(st.st_mode)
		       ? small_data_directory(walk, from, to, name, depth)
		       : 0;
}

/* Count or copy all entries of the directory FROM. */
static int small_data_list(struct small_data_walk *walk, int from, int to,
			   unsigned depth)
{
	owned_listing struct listing list = listing_of(from);
	const char *name;
	int rc = 0;

	while (rc == 0 && (name = listing_next(&list)))
		rc = small_data_entry(walk, from, to, name, depth);
	return rc < 0 ? rc : list.error;
}

int small_data_open(const char *path, struct small_data_size *size)
{
	struct small_data_walk walk = {0};
	owned_fd int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0 || !small_data_readable(&st))
		return -1;
	int rc = small_data_count(&walk, &st);

	if (rc == 0 && S_ISDIR(st.st_mode))
		rc = small_data_list(&walk, fd, -1, 0);
	else if (!S_ISREG(st.st_mode))
		rc = -EINVAL;
	if (rc < 0)
		return -1;
	size->bytes += walk.size.bytes;
	size->inodes += walk.size.inodes;
	return take_fd(&fd);
}

int small_data_copy(int from, int top, const char *path)
{
	struct small_data_walk walk = {.copies = true};
	struct stat st;

	if (fstat(from, &st) < 0)
		return -errno;
	if (S_ISREG(st.st_mode))
		return small_data_copy_file(from, top, path);
	if (mkdirat(top, path, 0755) < 0 && errno != EEXIST)
		return -errno;
	owned_fd int to = openat(top, path,
				 O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	return to < 0 ? -errno : small_data_list(&walk, from, to, 0);
}
