/* mount_api - see mount_api.h. */
#include "mount_api.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <sys/syscall.h>

#include "sandbox/base/base.h"

#ifndef AT_RECURSIVE
#define AT_RECURSIVE 0x8000
#endif

static int mount_api_result(long rc)
{
	return rc < 0 ? -errno : (int)rc;
}

int mount_api_clone(const char *path)
{
	return mount_api_result(syscall(
		SYS_open_tree, AT_FDCWD, path,
		OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE));
}

int mount_api_restrict(int fd, uint64_t attributes)
{
	struct mount_attr attr = {.attr_set = attributes};

	return mount_api_result(syscall(SYS_mount_setattr, fd, "",
					AT_EMPTY_PATH | AT_RECURSIVE, &attr,
					sizeof(attr)));
}

int mount_api_attach(int fd, int dir, const char *path)
{
	return mount_api_result(syscall(SYS_move_mount, fd, "", dir, path,
					MOVE_MOUNT_F_EMPTY_PATH));
}

int mount_api_tmpfs(const struct mount_api_option *options,
		    uint64_t attributes)
{
	owned_fd int fs = mount_api_result(
		syscall(SYS_fsopen, "tmpfs", FSOPEN_CLOEXEC));

	if (fs < 0)
		return fs;
	for (; options->name; options++)
		if (syscall(SYS_fsconfig, fs, FSCONFIG_SET_STRING,
			    options->name, options->value, 0) < 0)
			return -errno;
	if (syscall(SYS_fsconfig, fs, FSCONFIG_CMD_CREATE, NULL, NULL, 0) < 0)
		return -errno;
	return mount_api_result(syscall(SYS_fsmount, fs, FSMOUNT_CLOEXEC,
					(unsigned)attributes));
}
