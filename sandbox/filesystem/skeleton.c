/* skeleton - see skeleton.h. */
#include "skeleton.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "sandbox/base/io.h"
#include "sandbox/base/listing.h"

#define SKELETON_DEPTH_MAX 64 /* levels of directories */

/* The files that were read so far. Not by fts(3) or nftw(3), because they
 * report an unreadable directory as an empty one. */
struct skeleton {
	struct job_file *files;
	size_t count;
	size_t bytes;
};

/* Read the file NAME in DIR; PATH is its path below the top. */
static int skeleton_add(struct skeleton *skeleton, int dir, const char *name,
			const char *path)
{
	struct job_file file = {0};

	if (skeleton->count == SKELETON_FILES_MAX)
		return -E2BIG;
	int rc = io_read_file(dir, name, SKELETON_BYTES_MAX, &file.content);

	if (rc < 0)
		return rc;
	file.name = strdup(path);
	struct job_file *grown =
		file.name ? reallocarray(skeleton->files, skeleton->count + 1,
					 sizeof(file))
			  : NULL;

	if (!grown) {
		free(file.name);
		free(file.content.data);
		return -ENOMEM;
	}
	grown[skeleton->count++] = file;
	skeleton->files = grown;
	skeleton->bytes += file.content.size;
	return skeleton->bytes > SKELETON_BYTES_MAX ? -EFBIG : 0;
}

static int skeleton_walk(struct skeleton *skeleton, int dir, const char *path,
			 unsigned depth);

/* Add one directory entry. Only regular files and directories count. */
static int skeleton_entry(struct skeleton *skeleton, int dir, const char *name,
			  const char *above, unsigned depth)
{
	owned_free char *path = NULL;
	struct stat st;

	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return -errno;
	if (asprintf(&path, "%s%s%s", above, *above ? "/" : "", name) < 0) {
		path = NULL;
		return -ENOMEM;
	}
	if (S_ISREG(st.st_mode))
		return skeleton_add(skeleton, dir, name, path);
	if (!S_ISDIR(st.st_mode))
		return 0;
	if (depth == SKELETON_DEPTH_MAX)
		return -ENAMETOOLONG;
	owned_fd int below = openat(dir, name, O_RDONLY | O_DIRECTORY |
						       O_NOFOLLOW | O_CLOEXEC);

	return below < 0 ? -errno
			 : skeleton_walk(skeleton, below, path, depth + 1);
}

/* Add all that is in DIR. */
static int skeleton_walk(struct skeleton *skeleton, int dir, const char *path,
			 unsigned depth)
{
	owned_listing struct listing list = listing_of(dir);
	const char *name;
	int rc = 0;

	while (rc == 0 && (name = listing_next(&list)))
		rc = skeleton_entry(skeleton, dir, name, path, depth);
	return rc < 0 ? rc : list.error;
}

int skeleton_read(const char *dir, struct job_file **files, size_t *count)
{
	struct skeleton skeleton = {0};
	owned_fd int top = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int rc = top < 0 ? -errno : skeleton_walk(&skeleton, top, "", 1);

	*files = skeleton.files;
	*count = skeleton.count;
	return rc;
}
