/*
 * session_files - calls for the files of a session, between its programs'
 * calls: what a session keeper does, and how the result passes to a worker. The
 * files' names, and contents to put, come as those of a job (transfer.h).
 */
#ifndef TERRARIUM_SESSION_FILES_H
#define TERRARIUM_SESSION_FILES_H

#include "sandbox/filesystem/home_files.h"
#include "sandbox/filesystem/home_tree.h"
#include "sandbox/ipc/transfer.h"
#include "session_order.h"

#define SESSION_FILES_LISTED 1000 /* most entries of a listing */

enum session_files_result {
	SESSION_FILES_DONE,
	SESSION_FILES_MISSING,	 /* no such file, or none that may be read */
	SESSION_FILES_DIRECTORY, /* there is a directory of this name */
	SESSION_FILES_BLOCKED,	 /* a file or a link is on the way */
	SESSION_FILES_NO_ROOM,	 /* home has no room for all of them */
	SESSION_FILES_EXISTS,	 /* a directory that is to be made */
	SESSION_FILES_TOO_LARGE, /* more than one answer may hold */
	SESSION_FILES_FAILED,	 /* a fault of ours */
	SESSION_FILES_RESULTS
};

/* The result of a call. */
struct session_files {
	enum session_files_result result; /* of the first file that failed */
	uint32_t which;	 /* its number */
	uint32_t failed; /* files that failed; of FAILED at least one */
	struct home_files_list list; /* LIST, TREE_LIST; of the others about
				      * trees one entry, what is there now */
	struct outcome got;	     /* GET: its files, open, in order */
};

void session_files_free(struct session_files *files);

/* Do KIND, one of SESSION_ORDER_PUT to SESSION_ORDER_TREE_REMOVE, in HOME, whose guest
 * is stopped. The files that are read hold at most MOST bytes in all. LIST
 * takes the directory from the first file's name, or has no file. */
void session_files_do(const struct home *home, enum session_order_kind kind,
		      struct job *job, uint64_t most,
		      struct session_files *files);

/* Pass FILES on. The receiver takes at most MOST bytes of contents. 0 or a
 * negative errno value. */
int session_files_send(struct transfer *transfer,
		       const struct session_files *files);
int session_files_receive(struct transfer *transfer, uint64_t most,
			  struct session_files *files);

#endif
