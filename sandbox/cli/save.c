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
#define SAVE_SCRATCH ".terrarium.%ld" /* until it is whole; of a process */
#define SAVE_SCRATCH_MAX 32

static bool is_plain(const char *part)
{
	return *part && strcmp(part, ".") != 0 && strcmp(part, "..") != 0;
}

/* Take the first part of *NAME, which a slash ends, into PART. False when
 * there is none. */
static bool take_part(const char **name, char part[SAVE_PART_MAX + 1])
{
	const char *slash = strchr(*name, '/');
	size_t size = slash ? (size_t)(slash - *name) : 0;

	if (!slash)
		return false;
	if (size > SAVE_PART_MAX)
		size = 0; /* no name: refused below */
	memcpy(part, *name, size);
	part[size] = '\0';
	*name = slash + 1;
	return true;
}

/* The directory that is to hold *NAME, whose last part is left there. */
static int open_parent(int dir, const char **name)
{
	char part[SAVE_PART_MAX + 1];
	int at = fcntl(dir, F_DUPFD_CLOEXEC, 0);

	while (at >= 0 && take_part(name, part)) {
		owned_fd int above = at;

		if (!is_plain(part))
			return -EINVAL;
		if (mkdirat(above, part, 0777) < 0 && errno != EEXIST)
			return -errno;
		at = openat(above, part, O_PATH | O_DIRECTORY | O_NOFOLLOW |
						 O_CLOEXEC);
	}
	return at < 0 ? -errno : at;
}

static int copy(int to, int from, uint64_t size)
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

static int copy_to_new(int dir, const char *name, int fd, uint64_t size)
{
	owned_fd int to = openat(dir, name, O_CREAT | O_EXCL | O_WRONLY |
						    O_NOFOLLOW | O_CLOEXEC,
				 0666);

	if (to < 0)
		return -errno;
	int rc = copy(to, fd, size);

	/* Some file systems tell only now that there was no room. */
	if (close(take_fd(&to)) < 0 && rc == 0)
		rc = -errno;
	if (rc < 0)
		unlinkat(dir, name, 0);
	return rc;
}

/* Others may be at work in the same directory. */
static int replace(int dir, const char *name, int fd, uint64_t size)
{
	char scratch[SAVE_SCRATCH_MAX];

	snprintf(scratch, sizeof(scratch), SAVE_SCRATCH, (long)getpid());
	unlinkat(dir, scratch, 0); /* of one that was cut short */
	int rc = copy_to_new(dir, scratch, fd, size);

	if (rc == 0 && renameat(dir, scratch, dir, name) < 0) {
		rc = -errno;
		unlinkat(dir, scratch, 0);
	}
	return rc;
}

int save_file(int dir, const char *name, int fd, uint64_t size, bool force)
{
	const char *last = name;
	owned_fd int parent = open_parent(dir, &last);

	if (parent < 0)
		return parent;
	if (!is_plain(last))
		return -EINVAL;
	return force ? replace(parent, last, fd, size)
		     : copy_to_new(parent, last, fd, size);
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
