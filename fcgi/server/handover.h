/*
 * handover - what a master leaves to another program that it executes in its
 * place, so that sockets, locks, control groups, sessions and the generation
 * that serves live on.
 *
 * It is a file in memory; HANDOVER_VARIABLE has its descriptor. Descriptors
 * keep their numbers, and processes stay the children of the same process id.
 * Both programs must agree on its form, and on all messages between processes
 * that live on: HANDOVER_FORMAT.
 */
#ifndef TERRARIUM_HANDOVER_H
#define TERRARIUM_HANDOVER_H

#include <limits.h>

#include "fcgi/sessions/registry.h"
#include "generations.h"
#include "setup.h"

#define HANDOVER_VARIABLE "TERRARIUM_HANDOVER"
#define HANDOVER_ERROR_MAX SETUP_ERROR_MAX

/* Count it up with each change of struct session_order and its kin, of
 * transfers (sandbox/ipc/transfer.h), struct queue_call, struct client_share or
 * struct archive_piece. A change of a size is noticed without that. */
#define HANDOVER_FORMAT 2

struct handover {
	uint64_t format; /* handover_format() */
	char program[PATH_MAX]; /* path of the program on disk */
	/* The program to return to if this one cannot serve; -1 on the way
	 * back. */
	int former;
	char error[SCOREBOARD_REASON_MAX]; /* on the way back: the reason */
	pid_t status, queue, archive, log; /* helpers; 0: none */
	bool announced, reloading;
	uint32_t upgrades; /* programs that took over before this one */
	struct setup_kept setup;
	struct generations_kept generations;
	struct registry_kept registry;
	size_t start_size, present_size; /* of the texts that follow in the file */
	/* The configuration of the server's start, and that of the generation
	 * that serves. */
	struct bytes start, present;
};

/* A handover without descriptors, or NULL. */
struct handover *handover_make(void);

/* Write KEPT to a new file in memory, which a program finds that is executed
 * next. Returns the file's descriptor, or a negative errno value. */
int handover_write(struct handover *kept);

/* Let the descriptors of KEPT stay open over exec. */
void handover_keep_open(const struct handover *kept);

/* No other program was executed, or only a trial: undo both. */
void handover_undo(const struct handover *kept, int fd);

/* Read the handover of the former program, and remove its variable. Returns 1;
 * 0: there is none; or a negative errno value with a sentence in ERROR. The
 * caller frees KEPT by handover_free(). */
int handover_read(struct handover **kept, char error[HANDOVER_ERROR_MAX]);

void handover_free(struct handover **kept);

#endif
