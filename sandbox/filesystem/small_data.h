/*
 * small_data - copies small files and directories of the host into a guest's
 * root.
 *
 * A mount makes each request 3 us longer, because the kernel copies all mounts
 * of a namespace for each guest. A copy in the root's tmpfs costs its memory
 * once, and no request anything.
 */
#ifndef TERRARIUM_SMALL_DATA_H
#define TERRARIUM_SMALL_DATA_H

#include "sandbox/base/base.h"

#define SMALL_DATA_MAX (2u << 20) /* bytes of one file or directory */
#define SMALL_DATA_ENTRIES_MAX 512

/* Memory and inodes of a tmpfs. */
struct small_data_size {
	uint64_t bytes;
	uint64_t inodes;
};

/*
 * Open the file or directory PATH if it is small enough to be copied, and add
 * its need to SIZE. Returns a descriptor, or -1: it is too large, or not all
 * users may read it.
 */
int small_data_open(const char *path, struct small_data_size *size);

/*
 * Copy FROM, of small_data_open(), to PATH in the directory TOP, where nothing
 * is yet. Regular files and directories that all users may read and links are
 * copied; the rest is left out. Owners and modes are not copied. 0 or a
 * negative errno value.
 */
int small_data_copy(int from, int top, const char *path);

#endif
