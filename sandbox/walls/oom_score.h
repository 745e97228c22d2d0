/*
 * oom_score - the order in which the kernel kills processes when memory is
 * short (oom_score_adj of proc(5)). Children inherit the score.
 */
#ifndef TERRARIUM_OOM_SCORE_H
#define TERRARIUM_OOM_SCORE_H

#include "sandbox/base/base.h"

/* The process with the highest score is killed first. */
enum {
	OOM_SCORE_MASTER = -500, /* if the master has the right to lower it */
	OOM_SCORE_NEEDED = 0,	 /* processes that all need: fork server... */
	OOM_SCORE_WORKER = 500,
	OOM_SCORE_GUEST = 1000
};

/* Open the calling process's score. PROC is a descriptor of /proc. Returns a
 * descriptor, or a negative errno value. In a child the descriptor still is for
 * the parent's score. */
int oom_score_open(int proc);

/* Set the score of FD's process, if the kernel allows it. Without
 * CAP_SYS_RESOURCE a score cannot be lowered below the value that a process
 * with that capability, such as systemd, has set. Returns the score that is in
 * force afterwards; SCORE for an FD of -1. */
int oom_score_set(int fd, int score);

/* Set the calling process's score, if the kernel allows it. */
void oom_score_set_own(int score);

#endif
