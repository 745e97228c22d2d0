/*
 * wire - the messages between a worker and its guest, writer and reader side by
 * side.
 *
 * Job pipe (worker to guest; the guest's descriptor 0): one header, the
 * sections in the order of its sizes, then the bytes of standard input until
 * the end of the file.
 *
 * Result pipe (guest to worker; the guest's descriptor 3): frames. Each is an
 * 8-byte header {type, size} in the machine's byte order, and SIZE bytes. The
 * guest is hostile: a frame that breaks its row of wire_rows[] ends the run
 * with OUTCOME_PROTOCOL, before a byte is allocated for it.
 */
#ifndef TERRARIUM_WIRE_H
#define TERRARIUM_WIRE_H

#include "sandbox/base/job.h"
#include "sandbox/base/limits.h"

/* All descriptors of a guest. */
enum wire_fd { WIRE_FD_JOB, WIRE_FD_OUT, WIRE_FD_ERR, WIRE_FD_RESULT,
	       WIRE_FD_COUNT };

struct wire_job {
	uint32_t name_size;
	uint32_t args_size; /* NUL-terminated arguments, adjacent */
	uint32_t code_size;
	uint32_t arguments_size;
	uint32_t env_size; /* NUL-terminated assignments, adjacent */
	uint32_t imported;
	uint32_t call_main;
	uint32_t task;	/* enum job_task */
	uint32_t value; /* enum job_value */
	uint32_t merge_output;
	uint32_t displays;
	uint32_t forms;	 /* enum job_form */
	uint32_t habits; /* enum job_habit */
	uint32_t timeout_ms, memory_mb; /* for the program to be told */
};

/* Begins a session's job, before struct wire_job. Standard input has a size
 * here and precedes the other sections. */
struct wire_call {
	uint32_t input_size;
	uint32_t rest; /* 1: nothing follows, and no program is run */
	uint32_t timeout_ms, value_kb, displays, displays_mb; /* this call's
							       * limits */
};

enum wire_type {
	WIRE_ARMED,   /* every wall is up; ready for a job */
	WIRE_DISPLAY, /* one rich value: JSON object, media type to data */
	WIRE_VALUE,   /* the final value: JSON text */
	WIRE_ERROR,   /* class name, NUL, traceback */
	WIRE_DROPPED, /* number of displays that were not sent, decimal */
	WIRE_END,     /* struct wire_end: the program ran to its end */
	WIRE_FAILED,  /* a step of arming failed: its error text */
	WIRE_STARTED, /* the program compiled and runs */
	WIRE_REFUSED, /* 'f' (a file) or 's', then the call's name */
	WIRE_WARNING, /* a sentence for the client (warnings.h) */
	WIRE_WHERE, /* where the program is, for the log: lines "FILE:LINE
		     * FUNCTION", the innermost first */
	WIRE_TYPES
};

struct wire_end {
	uint64_t cpu_us;      /* by its own getrusage(2) */
	uint64_t max_rss_kb;
	uint64_t exit_code; /* 0 to 255 */
};

struct wire_header {
	uint32_t type;
	uint32_t size;
};

/* The part of a frame that a worker has read. */
struct wire_reader {
	struct wire_header header;
	size_t header_have;
	struct bytes payload; /* SIZE counts the bytes read */
	unsigned seen[WIRE_TYPES];
	size_t value_max; /* bytes, from the limits */
	size_t displays_left;
	unsigned displays_max;
};

void wire_reader_init(struct wire_reader *reader,
		      const struct limits *limits);
void wire_reader_free(struct wire_reader *reader);

/*
 * Read from the non-blocking FD. 1: a frame is complete in reader->header and
 * reader->payload, valid until the next call. 0: no more bytes now. -EPIPE: the
 * guest closed its end. -EPROTO: not a valid frame at this point. Other
 * negative errno values: failure of the worker.
 */
int wire_read(struct wire_reader *reader, int fd);

/* Write one frame to the blocking FD (guest). 0 or negative errno. */
int wire_write(int fd, enum wire_type type, const void *data, size_t size);

/* Copy JOB's header and sections, without standard input, into one allocation
 * (worker). Release OUT->data. */
int wire_pack_job(const struct job *job, struct bytes *out);

/* A job and its standard input as they go down the pipe, one part after
 * another. Large parts are borrowed from the job. */
#define WIRE_PARTS 6
struct wire_feed {
	struct bytes parts[WIRE_PARTS];
	char *own; /* allocation behind the parts that are not borrowed */
};

/* Encode JOB (worker). 0 or a negative errno value; release FEED->own. */
int wire_feed_job(const struct job *job, struct wire_feed *feed);

/* Encode JOB for a session: a head with LIMITS in front (session keeper). */
int wire_pack_call(const struct job *job, const struct limits *limits,
		   struct bytes *out);

/* Read SIZE bytes from FD (guest). Release OUT->data. */
int wire_read_section(int fd, size_t size, struct bytes *out);

/* Read a job from FD (guest): its sections and flags, without its input. ENV receives the
 * assignments as sent. JOB and ENV start empty; release them by job_free() and
 * free(ENV->data), also after a failure. */
int wire_read_job(int fd, struct job *job, struct bytes *env);

#endif
