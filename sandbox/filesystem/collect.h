/*
 * collect - reading back the files that a guest leaves in its home.
 *
 * A program wrote them, so their names, kinds, sizes and number are all
 * checked.
 */
#ifndef TERRARIUM_COLLECT_H
#define TERRARIUM_COLLECT_H

#include "home.h"

/* Files that are skipped if their content is still the same. */
struct collect_known {
	const struct job_file *files;
	size_t count;
};

/*
 * Open every regular file below user/ that is new or changed, into
 * OUTCOME->files, sorted by name. At most COUNT files of BYTES bytes in all are
 * kept. The others are counted in files_dropped, and so is a file or directory
 * that the guest has made impossible to open. The guest must be dead or
 * stopped. Returns 0; or a negative errno value of the kernel call *CALL, which
 * failed for no reason of the guest's. Then the list is incomplete.
 */
int collect_files(const struct home *home, const struct collect_known *known,
		  size_t known_count, size_t count, uint64_t bytes,
		  struct outcome *outcome, const char **call);

#endif
