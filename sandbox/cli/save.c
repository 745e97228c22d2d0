/* save - see save.h. */
#include "save.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "sandbox/base/io.h"

#define SAVE_CHUNK 65536
#define SAVE_PART_MAX 255
#define SAVE_SCRATCH ".terrarium.%ld" /* name of a file that is not complete,
				       * with the pid */
#define SAVE_SCRATCH_MAX 32

static bool save_is_plain(const char *part)
{
	return *part && strcmp(part, ".") != 0 && strcmp(part, "..") != 0;
}

/* Copy the first part of *NAME, up to a slash, to PART, and advance *NAME.
 * False when there is no slash. */
static bool save_take_part(const char **name, char part[SAVE_PART_MAX + 1])
{
	const char *slash = strchr(*name, '/');
	size_t size = slash ? (size_t)(slash - *name) : 0;

	if (!slash)
		return false;
	if (size > SAVE_PART_MAX)
		size = 0; /* not a name: the caller refuses it */
	memcpy(part, *name, size);
	part[size] = '\0';
	*name = slash + 1;
	return true;
}

/* Open the directory that will hold *NAME, making it if necessary. *NAME is
 * advanced to its last part. */
static int save_open_parent(int dir, const char **name)
{
	char part[SAVE_PART_MAX + 1];
	int at = fcntl(dir, F_DUPFD_CLOEXEC, 0);

	while (at >= 0 && save_take_part(name, part)) {
		owned_fd int above = at;

		if (!save_is_plain(part))
			return -EINVAL;
		if (mkdirat(above, part, 0777) < 0 && errno != EEXIST)
			return -errno;
		at = openat(above, part, O_PATH | O_DIRECTORY | O_NOFOLLOW |
						 O_CLOEXEC);
	}
	return at < 0 ? -errno : at;
}

static int save_copy(int to, int from, uint64_t size)
{
	char chunk[SAVE_CHUNK];
	uint64_t at = 0;
	int rc = 0;

	while (rc == 0 && at < size) {
		uint64_t left = size - at;
		ssize_t n = pread(from, chunk,
				  left < sizeof(chunk) ? left : sizeof(chunk),
				  (off_t)at);

		if (n <= 0)
			return n < 0 ? -errno : -EIO;
		rc = io_write_full(to, chunk, (size_t)n);
		at += (uint64_t)n;
	}
	return rc;
}

static int save_copy_to_new(int dir, const char *name, int fd, uint64_t size)
{
	owned_fd int to = openat(dir, name, O_CREAT | O_EXCL | O_WRONLY |
						    O_NOFOLLOW | O_CLOEXEC,
				 0666);

	if (to < 0)
		return -errno;
	int rc = save_copy(to, fd, size);

	/* Some file systems report lack of room only here. */
	if (close(take_fd(&to)) < 0 && rc == 0)
		rc = -errno;
	if (rc < 0)
		unlinkat(dir, name, 0);
	return rc;
}

/* Write under another name and rename, so that other processes see a whole
 * file. */
static int save_replace(int dir, const char *name, int fd, uint64_t size)
{
	char scratch[SAVE_SCRATCH_MAX];

	snprintf(scratch, sizeof(scratch), SAVE_SCRATCH, (long)getpid());
	unlinkat(dir, scratch, 0); /* left by a run that was cut short */
	int rc = save_copy_to_new(dir, scratch, fd, size);

	if (rc == 0 && renameat(dir, scratch, dir, name) < 0) {
		rc = -errno;
		unlinkat(dir, scratch, 0);
	}
	return rc;
}

int save_file(int dir, const char *name, int fd, uint64_t size, bool force)
{
	const char *last = name;
	owned_fd int parent = save_open_parent(dir, &last);

	if (parent < 0)
		return parent;
	if (!save_is_plain(last))
		return -EINVAL;
	return force ? save_replace(parent, last, fd, size)
		     : save_copy_to_new(parent, last, fd, size);
}

int save_bytes(int dir, const char *name, const struct bytes *bytes,
	       bool force)
{
	owned_fd int fd = memfd_create("bytes", MFD_CLOEXEC);

	if (fd < 0)
		return -errno;
	int rc = io_write_full(fd, bytes->data, bytes->size);

	return rc < 0 ? rc : save_file(dir, name, fd, bytes->size, force);
}
