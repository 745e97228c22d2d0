/*
 * transfer - a job, and the outcome it had, as they pass between a worker and
 * the session keeper of a session: each a head of one size, then its sections.
 *
 * Each side takes the other for an enemy: sizes are compared with the limits
 * before memory is taken for them, names and numbers are checked, and every
 * byte has a time within which it must come.
 */
#ifndef TERRARIUM_PARCEL_H
#define TERRARIUM_PARCEL_H

#include "sandbox/base/limits.h"
#include "sandbox/base/outcome.h"

#define TRANSFER_MS 60000 /* for all of one, however slowly it comes */

/* A non-blocking stream. */
struct transfer {
	int fd;
	int client;  /* whose hang-up ends it, with -ECANCELED; or -1 */
	int64_t end; /* io_now_ms() by which all of it must have passed */
	int error;   /* 0, or a negative errno value; then nothing passes */
};

/* Before a job passes, its session keeper says what it takes and keeps, and
 * then the worker, whose limits may be those of another generation, the same of
 * itself. The smaller of the two holds (limits_narrow()). */
struct transfer_terms {
	struct limits limits;
	uint32_t body_mb; /* of a job in all */
};

/* The next TRANSFER_MS are for what follows. */
void transfer_begin(struct transfer *transfer);

/* Pass SIZE bytes. False once there is an error: -ETIMEDOUT, -ECANCELED,
 * -EPIPE for the other side's end, -EPROTO for what may not be. */
bool transfer_put(struct transfer *transfer, const void *data, size_t size);
bool transfer_take(struct transfer *transfer, void *data, size_t size);

/* Wait until something comes, TIMEOUT_MS at most (-1: for ever). */
bool transfer_wait(struct transfer *transfer, int timeout_ms);

/* Worker: JOB. Session keeper: the same, at most BYTES in all and FILES files,
 * which job_free() releases, also after an error. */
int transfer_put_job(struct transfer *transfer, const struct job *job);
int transfer_take_job(struct transfer *transfer, uint64_t bytes, size_t files,
		      struct job *job);

/* Worker: is JOB one that a session keeper with these TERMS takes? 0, or
 * -EINVAL with *WHY, which names the field: 413 too_many_files, too_large. */
int transfer_check_job(const struct job *job,
		       const struct transfer_terms *terms, struct refusal *why);

/* Session keeper: OUTCOME with the contents of its files, and FATE (of
 * session.h). Worker: the same, no larger than LIMITS allow; the files are
 * copies in memory. outcome_free() releases it, also after an error. */
int transfer_put_outcome(struct transfer *transfer,
			 const struct outcome *outcome, uint32_t fate);
int transfer_take_outcome(struct transfer *transfer,
			  const struct limits *limits, struct outcome *outcome,
			  uint32_t *fate);

#endif
