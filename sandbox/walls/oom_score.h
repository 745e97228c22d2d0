/*
 * oom_score - which processes the kernel ends first when memory is short
 * (oom_score_adj of proc(5)). Children inherit it.
 */
#ifndef TERRARIUM_OOM_SCORE_H
#define TERRARIUM_OOM_SCORE_H

#include "sandbox/base/base.h"

/* The master, if it may; what all need (fork server, helpers); a worker; a
 * guest. */
enum { OOM_SCORE_MASTER = -500, OOM_SCORE_NEEDED = 0, OOM_SCORE_WORKER = 500,
       OOM_SCORE_GUEST = 1000 };

/* Open the calling process's, in the directory PROC, which is /proc. Returns
 * a descriptor, which stays that of this process in its children, or a negative
 * errno value. */
int oom_score_open(int proc);

/* Set it, if the kernel allows: without CAP_SYS_RESOURCE it cannot be lowered
 * below what a process with that capability, such as systemd, has set. Returns
 * the score that is in force then; SCORE for an FD of -1. */
int oom_score_set(int fd, int score);

/* The same for the calling process, once. */
void oom_score_set_own(int score);

#endif
