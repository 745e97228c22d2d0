/*
 * generation_handle - one generation of workers, as its master holds it: the
 * pool process's ids, the master's ends of its pipes, and its state.
 */
#ifndef TERRARIUM_GENERATION_HANDLE_H
#define TERRARIUM_GENERATION_HANDLE_H

#include "conf/address.h"
#include "sandbox/base/job.h"
#include "sandbox/base/stall.h"

enum generation_handle_state {
	GENERATION_HANDLE_GONE, /* dead, or told to leave */
	GENERATION_HANDLE_PREPARING,
	GENERATION_HANDLE_STANDBY,
	GENERATION_HANDLE_ARMING,
	GENERATION_HANDLE_SERVING
};

/* Descriptors of the master that each generation gets a copy of. */
struct generation_handle_fds {
	int listener, board, registry, archive, queue, shares;
	int tcp[ADDRESS_LISTEN_MAX];
};

struct generation_handle {
	bool used; /* some process of the generation may live */
	bool prepared; /* it reported that it can serve */
	bool activated; /* it was told to serve */
	bool ready; /* it reported that its workers are armed */
	bool old; /* it reported that its age is reached */
	bool niced; /* it is prepared at a low priority */
	unsigned edition; /* of its configuration */
	uint64_t number; /* the first generation has 1 */
	pid_t pool; /* 0: dead */
	pid_t group; /* process group of the whole generation */
	int leave; /* closing it makes the workers leave; -1: closed */
	int life; /* hangs up when the last process has ended */
	int events; /* bytes of enum generation_event */
	int orders; /* a socket: start session keepers */
	int serve; /* a byte makes it arm workers; -1: it was sent */
	int64_t began_ms; /* start of the present phase */
	int64_t logged_ms; /* last log line about this phase */
	struct stall stall;
};

/* Make HANDLE an unused one. */
void generation_handle_init(struct generation_handle *handle);

/* Start a pool process that reads the configuration TEXT, and set HANDLE. 0 or
 * a negative errno value. */
int generation_handle_start(struct generation_handle *handle,
			    const struct generation_handle_fds *fds,
			    const struct bytes *text);

enum generation_handle_state
generation_handle_state(const struct generation_handle *handle);

/* Tell the generation to leave: idle workers exit, busy ones finish first. */
void generation_handle_retire(struct generation_handle *handle);

/* Kill a generation that does not serve and never will. */
void generation_handle_abort(struct generation_handle *handle);

/* Has every process of the generation ended? */
bool generation_handle_ended(const struct generation_handle *handle);

/* Close the master's descriptors of HANDLE. */
void generation_handle_close(struct generation_handle *handle);

/* Let the generation be prepared at a low priority; and undo that for all of
 * its processes. */
void generation_handle_lower_priority(struct generation_handle *handle);
void generation_handle_restore_priority(struct generation_handle *handle);

/* May this process undo a low priority? That needs a privilege. */
bool generation_handle_can_restore(void);

#endif
