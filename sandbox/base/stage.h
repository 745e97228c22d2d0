/*
 * stage - the present step of a generation's start.
 *
 * Processes that take part in a start write its step and their process ids to
 * shared memory. The process that watches the start reads which step is slow
 * and whether there is any progress.
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

/* In shared memory. Readers check each number before use. */
struct stage {
	_Atomic uint32_t step;	/* enum stage_step */
	_Atomic uint32_t moves; /* number of steps that have begun */
	_Atomic uint32_t joined; /* number of pids that were written */
	_Atomic pid_t pids[STAGE_PIDS];
};

/* Reset STAGE to the beginning of a start. */
void stage_begin(struct stage *stage);

/* STEP begins. */
void stage_set(struct stage *stage, enum stage_step step);

/* Make STAGE the present stage of the calling process and of its later
 * children. STAGE is borrowed; NULL: no stage. */
void stage_use(struct stage *stage);

/* Set STEP in the present stage, if there is one. */
void stage_enter(enum stage_step step);

/* Add PID, which takes part, to the present stage, if there is one. */
void stage_join(pid_t pid);

/* The name of STAGE's step. */
const char *stage_words(const struct stage *stage);

/* A number that changes when a step begins, and when PID or a process that
 * takes part uses processor time. */
uint64_t stage_moved(const struct stage *stage, pid_t pid);

#endif
