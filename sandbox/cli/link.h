/*
 * link - what passes between the command and its sandbox, by one stream
 * socket: a job there, an outcome back. The command believes that what comes
 * is an outcome, and nothing that it says.
 */
#ifndef TERRARIUM_LINK_H
#define TERRARIUM_LINK_H

#include "sandbox/base/limits.h"
#include "sandbox/base/outcome.h"

#define LINK_SECTION_MAX (1u << 30) /* bytes of one part of a message */

/* Command: hand JOB over. 0 or a negative errno value. */
int link_send_job(int fd, const struct job *job);

/* Worker: the job that comes, released by job_free() either way. -EPIPE:
 * the command has gone. */
int link_read_job(int fd, struct job *job);

/* Worker: hand the outcome over, its files' contents with it. */
int link_send_outcome(int fd, const struct outcome *outcome);

/* Command: the outcome that comes, released by outcome_free() either way.
 * Its files are memory files of ours, together at most LIMITS' size. */
int link_read_outcome(int fd, const struct limits *limits,
		      struct outcome *outcome);

#endif
