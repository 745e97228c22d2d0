/* skeleton - see skeleton.h. */
#include "skeleton.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <string.h>

#include "io.h"

static int skeleton_add(const FTSENT *entry, size_t above,
			struct job_file **files, size_t *count)
{
	struct job_file file = {0};

	if (*count == SKELETON_FILES_MAX)
		return -E2BIG;
	int rc = io_read_file(AT_FDCWD, entry->fts_accpath,
			      SKELETON_BYTES_MAX, &file.content);

	if (rc < 0)
		return rc;
	file.name = strdup(entry->fts_path + above);
	struct job_file *grown =
		file.name ? reallocarray(*files, *count + 1, sizeof(file))
			  : NULL;

	if (!grown) {
		free(file.name);
		free(file.content.data);
		return -ENOMEM;
	}
	grown[(*count)++] = file;
	*files = grown;
	return 0;
}

/* The next entry; NULL at the end, or with an error in *RC. */
static FTSENT *skeleton_next(FTS *walk, int *rc)
{
	errno = 0;
	FTSENT *entry = fts_read(walk);

	if (!entry)
		*rc = -errno;
	else if (entry->fts_info == FTS_ERR || entry->fts_info == FTS_DNR ||
		 entry->fts_info == FTS_NS)
		*rc = -entry->fts_errno;
	return *rc < 0 ? NULL : entry;
}

int skeleton_read(const char *dir, struct job_file **files, size_t *count)
{
	owned_free char *top = strdup(dir);
	char *paths[] = {top, NULL};
	size_t total = 0;
	int rc = 0;

	*files = NULL;
	*count = 0;
	if (!top)
		return -ENOMEM;
	/* The walk appends "/name" to what it was given. */
	size_t size = strlen(top);

	while (size > 1 && top[size - 1] == '/')
		top[--size] = '\0';
	FTS *walk = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	FTSENT *entry;

	if (!walk)
		return -errno;
	while (rc == 0 && (entry = skeleton_next(walk, &rc))) {
		if (entry->fts_info == FTS_F)
			rc = skeleton_add(entry, size + 1, files, count);
		if (rc == 0 && entry->fts_info == FTS_F)
			total += (*files)[*count - 1].content.size;
		if (total > SKELETON_BYTES_MAX)
			rc = -EFBIG;
	}
	if (fts_close(walk) < 0 && rc == 0)
		rc = -errno;
	return rc;
}
