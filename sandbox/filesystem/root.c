/* root - see root.h. */
#include "root.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "mount_api.h"
#include "root_plan.h"

#define ROOT_CACHE_ATTRIBUTES \
	(MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC)

#define ROOT_TEXT(number) ROOT_TEXT_OF(number)
#define ROOT_TEXT_OF(number) #number
#define ROOT_SIZE ROOT_TEXT(ROOT_MB) "m" /* as tmpfs(5) takes it */

static const struct {
	const char *name, *target;
} root_links[] = {
	{"lib", "usr/lib"},
	{"lib64", "usr/lib"},
	{"tmp", "home/tmp"}, /* home and /tmp are on one tmpfs */
};

/* The cache outlives a pool process. It is not part of a guest's root. */
static int root_open_cache(const char *dir, char *step)
{
	int fd = mount_api_clone(dir);
	int rc = fd < 0 ? fd : mount_api_restrict(fd, ROOT_CACHE_ATTRIBUTES);

	if (rc == 0)
		return fd;
	if (fd >= 0)
		close(fd);
	return root_fail(step, rc, "copy the mount %.200s", dir);
}

/* mkdir -p for the directories above PATH, relative to the root's top. */
static int root_parents(int top, const char *path)
{
	char part[512];

	for (const char *at = strchr(path, '/'); at; at = strchr(at + 1, '/')) {
		size_t size = (size_t)(at - path);

		if (size >= sizeof(part))
			return -ENAMETOOLONG;
		memcpy(part, path, size);
		part[size] = '\0';
		if (mkdirat(top, part, 0755) < 0 && errno != EEXIST)
			return -errno;
	}
	return 0;
}

/* Make the file or directory that a mount will cover. */
static int root_target(int top, const char *path, bool directory)
{
	int rc = root_parents(top, path);

	if (rc < 0)
		return rc;
	if (directory)
		return mkdirat(top, path, 0755) < 0 && errno != EEXIST
			       ? -errno : 0;
	owned_fd int fd = openat(top, path, O_CREAT | O_WRONLY | O_CLOEXEC,
				 0644);

	return fd < 0 ? -errno : 0;
}

static int root_attach_one(int top, const struct root_entry *entry,
			   char *step)
{
	const char *path = entry->path + 1;
	int rc = entry->kind == ROOT_MOUNT
			 ? root_target(top, path, entry->directory)
			 : root_parents(top, path);

	if (rc < 0)
		return root_fail(step, rc, "make the mount point %.200s",
				 entry->path);
	if (entry->kind == ROOT_LINK)
		rc = symlinkat(entry->link, top, path) < 0 ? -errno : 0;
	else if (entry->kind == ROOT_COPY)
		rc = small_data_copy(entry->fd, top, path);
	else
		rc = mount_api_attach(entry->fd, top, path);
	return rc < 0 ? root_fail(step, rc, "mount %.200s", entry->path) : 0;
}

/* Mount a tmpfs for libraries. It is read-only after root_seal_libraries(). */
static int root_attach_libraries(int top, char *step)
{
	static const struct mount_api_option options[] = {
		{"size", ROOT_SIZE}, {"mode", "0755"}, {NULL, NULL}};
	const char *path = &ROOT_LIBRARIES[1];
	owned_fd int fd = mount_api_tmpfs(
		options, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV);
	int rc = fd < 0 ? fd : root_target(top, path, true);

	if (rc == 0)
		rc = mount_api_attach(fd, top, path);
	return rc < 0 ? root_fail(step, rc, "mount " ROOT_LIBRARIES) : 0;
}

static int root_seal_libraries(int top, char *step)
{
	owned_fd int fd = openat(top, &ROOT_LIBRARIES[1],
				 O_PATH | O_DIRECTORY | O_CLOEXEC);
	int rc = fd < 0 ? -errno : mount_api_restrict(fd, MOUNT_ATTR_RDONLY);

	return rc < 0 ? root_fail(step, rc, "seal " ROOT_LIBRARIES) : 0;
}

static int root_attach(int top, struct root_plan *plan, char *step)
{
	int rc = plan->libraries ? root_attach_libraries(top, step) : 0;

	for (size_t i = 0; i < plan->count && rc == 0; i++)
		rc = root_attach_one(top, &plan->entries[i], step);
	if (rc == 0 && plan->libraries)
		rc = root_seal_libraries(top, step);
	if (rc < 0)
		return rc;
	for (size_t i = 0; i < ARRAY_LEN(root_links); i++)
		if (symlinkat(root_links[i].target, top,
			      root_links[i].name) < 0)
			return root_fail(step, -errno, "link /%s",
					 root_links[i].name);
	return 0;
}

/* Mount the new root at /tmp, which any host has, then make it "/". */
static int root_pivot(int root, char *step)
{
	int rc = mount_api_attach(root, AT_FDCWD, "/tmp");

	if (rc < 0)
		return root_fail(step, rc, "mount the new root");
	if (fchdir(root) < 0)
		return root_fail(step, -errno, "enter the new root");
	/* pivot_root(".", ".") mounts the old root over the new one. */
	if (syscall(SYS_pivot_root, ".", ".") < 0)
		return root_fail(step, -errno, "pivot_root");
	if (umount2(".", MNT_DETACH) < 0 || chdir("/") < 0)
		return root_fail(step, -errno, "leave the host's root");
	return 0;
}

static int root_attach_cache(int top, int cache, char *step)
{
	if (mkdirat(top, &ROOT_CACHE[1], 0700) < 0)
		return root_fail(step, -errno, "make the cache's mount point");
	int rc = mount_api_attach(cache, top, &ROOT_CACHE[1]);

	return rc < 0 ? root_fail(step, rc, "mount the cache") : 0;
}

static int root_scratch(int top, char *step)
{
	static const struct mount_api_option options[] = {
		{"size", "64m"}, {"mode", "0755"}, {NULL, NULL}};

	owned_fd int fd = mount_api_tmpfs(
		options, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV);

	if (fd < 0)
		return root_fail(step, fd, "make the scratch tmpfs");
	int rc = mount_api_attach(fd, top, "home");

	if (rc < 0)
		return root_fail(step, rc, "mount the scratch tmpfs");
	if (mkdirat(top, "home/user", 0700) < 0 ||
	    mkdirat(top, "home/tmp", 0700) < 0)
		return root_fail(step, -errno, "make the scratch home");
	return 0;
}

int root_open(const struct root_extra *extra, struct root_plan **out,
	      char step[ROOT_STEP_MAX])
{
	struct root_plan *plan = calloc(1, sizeof(*plan));

	*step = '\0';
	*out = plan;
	if (!plan)
		return root_fail(step, -ENOMEM, "plan the root");
	plan->cache = -1;
	int rc = root_plan_make(plan, extra, step);

	if (rc == 0 && *extra->cache_dir) {
		plan->cache = root_open_cache(extra->cache_dir, step);
		rc = plan->cache < 0 ? plan->cache : 0;
	}
	return rc;
}

static int root_build(struct root_plan *plan, char *step)
{
	static const struct mount_api_option options[] = {
		{"size", ROOT_SIZE}, {"nr_inodes", ROOT_TEXT(ROOT_INODES)},
		{"mode", "0755"},
		{NULL, NULL}};
	owned_fd int root = mount_api_tmpfs(
		options, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC);
	int rc = root < 0 ? root_fail(step, root, "make the root tmpfs")
			  : root_pivot(root, step);

	if (rc == 0)
		rc = root_attach(root, plan, step);
	if (rc == 0 && mkdirat(root, "home", 0755) < 0)
		rc = root_fail(step, -errno, "make /home");
	if (rc == 0)
		rc = root_scratch(root, step);
	if (rc == 0 && plan->cache >= 0)
		rc = root_attach_cache(root, plan->cache, step);
	return rc;
}

int root_enter(struct root_plan **plan, char step[ROOT_STEP_MAX])
{
	umask(022);
	*step = '\0';
	int rc = root_build(*plan, step);

	root_plan_free(*plan);
	free(*plan);
	*plan = NULL;
	return rc;
}

/* Unmount the scratch tmpfs. Returns a descriptor of the root, or a negative
 * errno value. */
static int root_drop_scratch(char *step)
{
	if (chdir("/") < 0)
		return root_fail(step, -errno, "go to /");
	if (umount2("/home", MNT_DETACH) < 0)
		return root_fail(step, -errno, "unmount the scratch tmpfs");
	int root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);

	return root < 0 ? root_fail(step, -errno, "open /") : root;
}

int root_own_scratch(char step[ROOT_STEP_MAX])
{
	owned_fd int cache = mount_api_clone(ROOT_CACHE);
	owned_fd int root = root_drop_scratch(step);
	int rc = root < 0 ? root : root_scratch(root, step);

	/* A failed clone: there is no cache. */
	return rc < 0 || cache < 0 ? rc : root_attach_cache(root, cache, step);
}

int root_seal(char step[ROOT_STEP_MAX])
{
	owned_fd int root = root_drop_scratch(step);

	if (root < 0)
		return root;
	struct mount_attr attr = {.attr_set = MOUNT_ATTR_RDONLY};

	if (syscall(SYS_mount_setattr, root, "", AT_EMPTY_PATH, &attr,
		    sizeof(attr)) < 0)
		return root_fail(step, -errno, "make the root read-only");
	return 0;
}
