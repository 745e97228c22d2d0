/*
 * mount_api - the kernel's new mount calls, which glibc before 2.36 lacks.
 *
 * Each function returns a descriptor or 0, or a negative errno value. Sources:
 * fsopen(2), fsmount(2), move_mount(2), open_tree(2), mount_setattr(2) of the
 * Linux man-pages project.
 */
#ifndef TERRARIUM_MOUNT_API_H
#define TERRARIUM_MOUNT_API_H

#include <stdint.h>

/* Make a detached copy of the mount at PATH and of the mounts below it. */
int mount_api_clone(const char *path);

/* Add ATTRIBUTES (MOUNT_ATTR_*) to the mount FD and to the mounts below it. */
int mount_api_restrict(int fd, uint64_t attributes);

/* Attach the detached mount FD at PATH, relative to the directory DIR. */
int mount_api_attach(int fd, int dir, const char *path);

/* An option of a tmpfs, as in tmpfs(5). */
struct mount_api_option {
	const char *name;
	const char *value;
};

/* Make a detached tmpfs with ATTRIBUTES (MOUNT_ATTR_*). A row with the name
 * NULL ends OPTIONS. */
int mount_api_tmpfs(const struct mount_api_option *options,
		    uint64_t attributes);

#endif
