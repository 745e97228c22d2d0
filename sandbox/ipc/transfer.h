/*
 * transfer - a job, and its outcome, as they pass over a stream between two
 * processes: a worker and a session keeper, or the local command and its
 * sandbox.
 *
 * Each side takes the other for an enemy. The receiver compares each size with
 * its limits before it allocates memory, and checks names and numbers. All
 * bytes of one message must pass within TRANSFER_MS.
 *
 * The stream is in transfer.c, jobs are in transfer_job.c, outcomes in
 * transfer_outcome.c. In each, the sender stands next to the receiver.
 */
#ifndef TERRARIUM_TRANSFER_H
#define TERRARIUM_TRANSFER_H

#include "sandbox/base/limits.h"
#include "sandbox/base/outcome.h"

#define TRANSFER_MS 60000 /* for one message, however slowly it passes */

/* One side of a stream. */
struct transfer {
	int fd;	     /* non-blocking; borrowed */
	int client;  /* its hang-up ends the transfer with -ECANCELED; or -1 */
	int64_t end; /* deadline of the present message, io_now_ms() */
	int error;   /* 0, or a negative errno value; then nothing passes */
	size_t used; /* bytes of buffer that are still to be sent */
	char buffer[4096];
};

/* The largest job that a receiver takes. */
struct transfer_limits {
	uint64_t bytes; /* of all that the job holds */
	size_t files;
};

/* A message begins: it must pass within TRANSFER_MS. */
void transfer_begin(struct transfer *transfer);

/*
 * Send SIZE bytes; small pieces wait in the buffer until transfer_flush().
 * Receive SIZE bytes. False once there is an error: -ETIMEDOUT, -ECANCELED,
 * -EPIPE (the other side has closed its end), -EPROTO (the bytes are no
 * message, or are past a limit), or another one.
 */
bool transfer_send(struct transfer *transfer, const void *data, size_t size);
bool transfer_flush(struct transfer *transfer);
bool transfer_receive(struct transfer *transfer, void *data, size_t size);

/* Wait for bytes, TIMEOUT_MS at most (-1: for ever). */
bool transfer_wait(struct transfer *transfer, int timeout_ms);

/* Note ERROR unless there is one already. Returns false. */
bool transfer_fail(struct transfer *transfer, int error);

/*
 * Bytes with their size in front; no data (NULL) is not the same as none.
 * transfer_receive_bytes() takes the size off *LEFT, the bytes that the
 * limits still allow, before it allocates. It puts a NUL behind them. A text
 * must hold no other NUL. The caller releases OUT, also after an error.
 */
void transfer_send_bytes(struct transfer *transfer, const struct bytes *bytes);
void transfer_send_text(struct transfer *transfer, const char *text);
bool transfer_receive_bytes(struct transfer *transfer, uint64_t *left,
			    struct bytes *out);
bool transfer_receive_text(struct transfer *transfer, uint64_t *left,
			   char **out);

/* A job without its session and its note. job_free() releases it, also after
 * an error. 0 or a negative errno value. */
int transfer_job_send(struct transfer *transfer, const struct job *job);
int transfer_job_receive(struct transfer *transfer,
			 const struct transfer_limits *limits, struct job *job);

/* Would a receiver with these LIMITS take JOB? 0, or -EINVAL with *WHY, a
 * 413 that names the field: too_many_files, too_large. */
int transfer_job_check(const struct job *job,
		       const struct transfer_limits *limits,
		       struct refusal *why);

/* An outcome with its files' contents. The receiver takes no more than LIMITS
 * allow; the files are new ones in memory. outcome_free() releases it, also
 * after an error. 0 or a negative errno value. */
int transfer_outcome_send(struct transfer *transfer,
			  const struct outcome *outcome);
int transfer_outcome_receive(struct transfer *transfer,
			     const struct limits *limits,
			     struct outcome *outcome);

#endif
