/*
 * archive - the code, input and output of the last solver runs, each run in a
 * directory that is named by the execution's id.
 *
 * Workers cannot write files. They send pieces over a socket to the archive
 * process. That process alone can write, and only below its directory.
 */
#ifndef TERRARIUM_ARCHIVE_H
#define TERRARIUM_ARCHIVE_H

#include "sandbox/base/job.h"
#include "sandbox/base/outcome.h"

#define ARCHIVE_ID 32	   /* hexadecimal digits of an id */
#define ARCHIVE_LOST 64 /* failed runs that are remembered */
#define ARCHIVE_PIECE 32768 /* bytes of content in one message */

/* The kept parts of a run. Their file names are in archive.c. */
enum archive_part { ARCHIVE_CODE, ARCHIVE_INPUT, ARCHIVE_OUT, ARCHIVE_ERR,
		    ARCHIVE_RESULT, ARCHIVE_PARTS };

/* One message from a worker. */
struct archive_piece {
	char id[ARCHIVE_ID];
	uint32_t part; /* enum archive_part */
	uint32_t size; /* valid bytes of DATA */
	uint64_t offset;
	char data[ARCHIVE_PIECE];
};

struct archive_plan {
	const char *dir;
	unsigned keep; /* runs that are kept */
	uint64_t part_max;  /* bytes of one part */
	uid_t uid; /* the user to become, if started as root */
	pid_t master; /* the process to end with */
	int landlock_abi;   /* 0: not used */
};

/* Master: make the directory, give it to the archive's user, and open both ends
 * of the socket. 0, or a negative errno value. */
int archive_open(const struct archive_plan *plan, int *ours, int *workers);

/* Be the archive process. Called in the freshly forked process; IN is its
 * end. */
void archive_main(const struct archive_plan *plan, int in) NORETURN;

/* Worker: send the parts of JOB and OUTCOME that exist, under the id ID. 0, or
 * a negative errno value when the archive process does not receive them. */
int archive_send(int fd, const char *id, const struct job *job,
		 const struct outcome *outcome);

/* Archive process: is PIECE, received as SIZE bytes, well-formed and within the
 * limits? */
bool archive_is_sane(const struct archive_piece *piece, size_t size,
		     uint64_t part_max);

/* Archive process: write a checked PIECE below DIR, and keep no more than KEEP
 * runs. 0 or a negative errno value. */
int archive_write(int dir, const struct archive_piece *piece, unsigned keep);

/* The last runs that could not be kept. Begins as zeros. */
struct archive_lost {
	char ids[ARCHIVE_LOST][ARCHIVE_ID];
	unsigned count;
};

/* The same, but if one piece of a run cannot be written, remove the run: half a
 * result would look like a whole one. Later pieces of such a run are ignored
 * and return 0, so that its error is logged once. */
int archive_take(int dir, const struct archive_piece *piece, unsigned keep,
		 struct archive_lost *lost);

#endif
