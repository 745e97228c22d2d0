/*
 * archive - what solvers' runs left, kept for looking at: the last few, each
 * in a directory of its own that is named by the execution's id.
 *
 * Workers have no files. They send pieces to a process of its own, the
 * archive process, by one socket; it alone can write, and only below its
 * directory.
 */
#ifndef TERRARIUM_ARCHIVE_H
#define TERRARIUM_ARCHIVE_H

#include "sandbox/base/job.h"
#include "sandbox/base/outcome.h"

#define ARCHIVE_ID 32	   /* hexadecimal digits of an id */
#define ARCHIVE_LOST 64	   /* runs that come at a time, at most */
#define ARCHIVE_PIECE 32768 /* bytes of content in one message */

/* What is kept of a run; the names are in archive.c. */
enum archive_part { ARCHIVE_CODE, ARCHIVE_INPUT, ARCHIVE_OUT, ARCHIVE_ERR,
		    ARCHIVE_RESULT, ARCHIVE_PARTS };

/* One message. */
struct archive_piece {
	char id[ARCHIVE_ID];
	uint32_t part; /* enum archive_part */
	uint32_t size; /* bytes of DATA that count */
	uint64_t offset;
	char data[ARCHIVE_PIECE];
};

struct archive_plan {
	const char *dir;
	unsigned keep;	    /* runs */
	uint64_t part_max;  /* bytes of one part */
	uid_t uid;	    /* whom to become, as root */
	pid_t master;	    /* whom to end with */
	int landlock_abi;   /* 0: not used */
};

/* Master: make the directory, the archive process's, and both ends of the
 * socket. 0, or a negative errno value. */
int archive_open(const struct archive_plan *plan, int *ours, int *workers);

/* Be the archivist. Called in the freshly forked process; IN is its end. */
void archive_main(const struct archive_plan *plan, int in) NORETURN;

/* Worker: send what there is of JOB and OUTCOME, under the id ID, to the
 * archivist. 0, or a negative errno value when it does not listen. */
int archive_send(int fd, const char *id, const struct job *job,
		 const struct outcome *outcome);

/* Archive process: is PIECE, of SIZE bytes as it came, one that may be written?
 */
bool archive_is_sane(const struct archive_piece *piece, size_t size,
		     uint64_t part_max);

/* Archive process: write a sane PIECE below DIR, and keep no more than KEEP
 * runs. 0 or a negative errno value. */
int archive_write(int dir, const struct archive_piece *piece, unsigned keep);

/* The last runs that could not be kept. Begins as zeros. */
struct archive_lost {
	char ids[ARCHIVE_LOST][ARCHIVE_ID];
	unsigned count;
};

/* The same, but that a run of which one piece cannot be written, for want of
 * room say, is removed: half a result looks like one. What follows of it is
 * passed over with 0, so that its error is told once. */
int archive_take(int dir, const struct archive_piece *piece, unsigned keep,
		 struct archive_lost *lost);

#endif
