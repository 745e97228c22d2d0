/*
 * stage - the present step of a start.
 *
 * The processes that take part in a start write its step, and their process
 * ids, to memory that they share with the process that watches the start. The
 * watcher can tell which step takes so long, and whether anything moves.
 */
#ifndef TERRARIUM_STAGE_H
#define TERRARIUM_STAGE_H

#include <stdatomic.h>
#include <sys/types.h>

#include "base.h"

enum stage_step {
	STAGE_BEGIN,
	STAGE_NAMESPACES,
	STAGE_TRACER_IMPORTS,
	STAGE_TRACER_PROGRAMS,
	STAGE_IMPORT,
	STAGE_FREEZE,
	STAGE_PREFAULT,
	STAGE_REHEARSE,
	STAGE_ARM,
	STAGE_STEPS
};

#define STAGE_PIDS 16 /* the last ones are remembered */

/* In shared memory. A reader checks every number before it uses it. */
struct stage {
	_Atomic uint32_t step;	/* enum stage_step */
	_Atomic uint32_t moves; /* how often a step began */
	_Atomic uint32_t joined; /* pids that were written */
	_Atomic pid_t pids[STAGE_PIDS];
};

/* Nothing has happened yet. */
void stage_begin(struct stage *stage);

/* A step begins. */
void stage_set(struct stage *stage, enum stage_step step);

/* In the processes of a start, and those that they fork from then on: STAGE,
 * which is borrowed, is the present one. NULL: there is none. */
void stage_use(struct stage *stage);

/* In such a process: a step begins; PID takes part. Without a present stage
 * they do nothing. */
void stage_enter(enum stage_step step);
void stage_join(pid_t pid);

/* The words for the present step. */
const char *stage_words(const struct stage *stage);

/* A number that changes when a step begins, or when a process that takes part,
 * or PID, uses processor time. */
uint64_t stage_moved(const struct stage *stage, pid_t pid);

#endif
