/*
 * upgrade - the master executes the program that is on disk in place of the
 * present one.
 *
 * First a child tries whether that can take over (upgrade_trial.h). Then the
 * master executes it itself, so that its process id, its locks and its children
 * stay (handover.h). The present generation goes on, and the new program
 * prepares another one. If none of its own can serve, it executes the former
 * program, which is still open.
 */
#ifndef TERRARIUM_UPGRADE_H
#define TERRARIUM_UPGRADE_H

#include "master_state.h"

/* At the start: note the path of the running program. */
void upgrade_init(struct master *master);

/* Begin an upgrade, unless one goes on. */
void upgrade_begin(struct master *master);

/* The child PID was reaped. Returns whether it was the trial. */
bool upgrade_reaped(struct master *master, pid_t pid, int status);

/* Take the step of an upgrade that is due. */
void upgrade_step(struct master *master);

/* Instead of a start: go on where the former program left off. */
void upgrade_take_over(struct master *master, struct handover *kept);

/* Close its descriptors in a forked helper. */
void upgrade_close_in_child(struct master *master);

#endif
