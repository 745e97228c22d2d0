/*
 * mount_api - the new mount calls, for which glibc before 2.36 has no
 * wrappers. Each returns a descriptor or 0, or a negative errno value.
 * Sources: fsopen(2), fsmount(2), move_mount(2), open_tree(2),
 * mount_setattr(2) of the Linux man-pages project.
 */
#ifndef TERRARIUM_MOUNT_API_H
#define TERRARIUM_MOUNT_API_H

#include <stdint.h>

/* A detached copy of the mount (and those below it) at PATH. */
int mount_api_clone(const char *path);

/* Attributes (MOUNT_ATTR_*) to add to a mount and those below it. */
int mount_api_restrict(int fd, uint64_t attributes);

/* Attach the detached mount FD at PATH below DIR. */
int mount_api_attach(int fd, int dir, const char *path);

/* One option of a tmpfs, as the kernel spells it. */
struct mount_api_option {
	const char *name;
	const char *value;
};

/* A detached tmpfs. OPTIONS ends with a row whose name is NULL. */
int mount_api_tmpfs(const struct mount_api_option *options,
		    uint64_t attributes);

#endif
