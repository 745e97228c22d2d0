/* listing - see listing.h. */
#include "listing.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "base.h"

struct listing listing_of(int dir)
{
	/* Opened anew, because a descriptor's copy shares the position. */
	owned_fd int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct listing list = {.dir = fd < 0 ? NULL : fdopendir(fd)};

	if (list.dir)
		(void)take_fd(&fd);
	else
		list.error = -errno;
	return list;
}

const char *listing_next(struct listing *list)
{
	const struct dirent *entry = NULL;

	while (list->dir) {
		errno = 0;
		entry = readdir(list->dir);
		if (!entry)
			list->error = -errno;
		if (!entry || (strcmp(entry->d_name, ".") != 0 &&
			       strcmp(entry->d_name, "..") != 0))
			break;
	}
	return entry ? entry->d_name : NULL;
}

void listing_close(struct listing *list)
{
	if (list->dir)
		closedir(list->dir);
	list->dir = NULL;
}
