/* home - see home.h. */
#include "home.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>

#include "sandbox/base/aliases.h"
#include "sandbox/base/io.h"
#include "mount_api.h"

#define HOME_LARGE (256 << 10) /* bytes of a content worth returning */
#define HOME_GIVE (1 << 20)    /* bytes that are returned at a time */

/* Make home and /tmp, which belong to the guest. */
static int home_make_dirs(int fd, uid_t owner)
{
	static const char *const names[] = {"user", "tmp"};

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		if (mkdirat(fd, names[i], 0700) < 0)
			return -errno;
		if (fchownat(fd, names[i], owner, owner, 0) < 0)
			return -errno;
	}
	return 0;
}

/* Make the aliases that lie beside home. The guest cannot remove them. */
static int home_make_links(int fd, const char *aliases)
{
	char path[ALIASES_PATH_MAX];

	while ((aliases = aliases_next(aliases, path))) {
		const char *name = aliases_below_home(path);

		if (name && symlinkat("user", fd, name) < 0)
			return -errno;
	}
	return 0;
}

int home_make(struct home *home, const struct home_plan *plan, uid_t owner)
{
	char size[24], number[24];
	const struct mount_api_option options[] = {
		{"size", size}, {"nr_inodes", number}, {"mode", "0555"},
		{NULL, NULL}};

	snprintf(size, sizeof(size), "%um", plan->size_mb);
	snprintf(number, sizeof(number), "%u", plan->inodes);
	*home = (struct home){.fd = -1, .owner = owner};
	owned_fd int fd = mount_api_tmpfs(
		options,
		MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC);

	if (fd < 0)
		return fd;
	int rc = home_make_dirs(fd, owner);

	if (rc == 0)
		rc = home_make_links(fd, plan->aliases);
	if (rc < 0)
		return rc;
	home->fd = take_fd(&fd);
	return home_mark(home);
}

void home_free(struct home *home)
{
	base_release_fd(&home->fd);
}

int home_attach(const struct home *home)
{
	return mount_api_attach(home->fd, AT_FDCWD, "/home");
}

#define HOME_RESOLVE                                                         \
	(RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS |     \
	 RESOLVE_NO_XDEV)

int home_open(int dir, const char *name, uint64_t flags, uint64_t mode)
{
	struct open_how how = {.flags = flags | O_NOFOLLOW | O_NONBLOCK |
					O_CLOEXEC,
			       .mode = mode, .resolve = HOME_RESOLVE};
	long fd = syscall(SYS_openat2, dir, name, &how, sizeof(how));

	return fd < 0 ? -errno : (int)fd;
}

int home_open_dir(int dir, const char *name)
{
	struct open_how how = {.flags = O_PATH | O_DIRECTORY | O_CLOEXEC,
			       .resolve = HOME_RESOLVE};
	long fd = syscall(SYS_openat2, dir, name, &how, sizeof(how));

	return fd < 0 ? -errno : (int)fd;
}

/* Make the directories above NAME. Earlier calls of a session may have put
 * links there, and mkdirat(2) follows links in all but the last part of a name.
 * So each directory is made in the one above it, which is opened without
 * following links. */
int home_parents(int user, const char *name)
{
	char part[HOME_NAME_MAX];
	owned_fd int dir = home_open_dir(user, ".");

	if (dir < 0)
		return dir;
	for (const char *end; (end = strchr(name, '/')); name = end + 1) {
		size_t size = (size_t)(end - name);

		if (size >= sizeof(part))
			return -ENAMETOOLONG;
		memcpy(part, name, size);
		part[size] = '\0';
		if (mkdirat(dir, part, 0755) < 0 && errno != EEXIST)
			return -errno;
		int next = home_open_dir(dir, part);

		if (next < 0)
			return next;
		base_release_fd(&dir);
		dir = next;
	}
	return 0;
}

/* Write a large content and replace it by its digest. Its memory is returned to
 * the kernel as it is written. */
static int home_write_once(int fd, struct job_file *file)
{
	char *at = file->content.data, *end = at + file->content.size;
	char *given = at;
	int rc = digest_begin(&file->digest);

	while (at < end && rc == 0) {
		size_t left = (size_t)(end - at);
		size_t piece = left < HOME_PIECE ? left : HOME_PIECE;

		digest_add(&file->digest, at, piece);
		rc = io_write_full(fd, at, piece);
		at += piece;
		if (at - given >= HOME_GIVE || at == end)
			given = io_release_pages(given, at);
	}
	return rc;
}

int home_write(int fd, struct job_file *file)
{
	if (file->once && file->content.size >= HOME_LARGE)
		return home_write_once(fd, file);
	return io_write_full(fd, file->content.data, file->content.size);
}

static int home_put_one(int user, struct job_file *file)
{
	int rc = strchr(file->name, '/') ? home_parents(user, file->name) : 0;

	if (rc < 0 || file->name[strlen(file->name) - 1] == '/')
		return rc;
	/* A job's file may replace one of the skeleton, or of an earlier call
	 * of the session. That call may have put links or pipes here. */
	struct open_how how = {
		.flags = O_CREAT | O_TRUNC | O_WRONLY | O_NOFOLLOW |
			 O_NONBLOCK | O_CLOEXEC,
		.mode = 0644,
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS};
	owned_fd int fd = (int)syscall(SYS_openat2, user, file->name, &how,
				       sizeof(how));

	if (fd < 0)
		return -errno;
	return home_write(fd, file);
}

/* The calls return the earlier id and no error. */
void home_set_owner(uid_t owner)
{
	setfsgid(owner);
	setfsuid(owner);
}

int home_unset_owner(uid_t owner)
{
	const uid_t uid = (uid_t)setfsuid(geteuid());
	const gid_t gid = (gid_t)setfsgid(getegid());

	return uid == owner && gid == owner ? 0 : -EPERM;
}

int home_put(const struct home *home, struct job_file *files,
	     size_t count, size_t *which)
{
	*which = 0;
	if (count == 0)
		return 0;
	owned_fd int user = openat(home->fd, "user",
				   O_PATH | O_DIRECTORY | O_CLOEXEC);
	int rc = user < 0 ? -errno : 0;

	home_set_owner(home->owner);
	for (; rc == 0 && *which < count; ++*which)
		if ((rc = home_put_one(user, &files[*which])) < 0)
			break;
	int unset = home_unset_owner(home->owner);

	return unset < 0 ? unset : rc;
}

static int home_count(int fd, uint64_t *inodes, uint64_t *blocks)
{
	struct statfs st;

	if (fstatfs(fd, &st) < 0)
		return -errno;
	*inodes = st.f_ffree;
	*blocks = st.f_bfree;
	return 0;
}

int home_mark(struct home *home)
{
	return home_count(home->fd, &home->free_inodes, &home->free_blocks);
}

bool home_untouched(const struct home *home)
{
	uint64_t inodes = 0, blocks = 0;

	return home_count(home->fd, &inodes, &blocks) == 0 &&
	       inodes == home->free_inodes && blocks == home->free_blocks;
}
