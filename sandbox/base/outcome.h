/*
 * outcome - the result of one run, as its worker sees it. Data only.
 *
 * Each verdict has a row in a table: the error type that a client sees, the
 * sentence, the metric's label, and whether the server failed. The APIs render
 * an outcome and do not change its verdict.
 */
#ifndef TERRARIUM_OUTCOME_H
#define TERRARIUM_OUTCOME_H

#include "job.h"

enum outcome_verdict {
	OUTCOME_OK,	    /* the program ran to its end */
	OUTCOME_RAISED,	    /* an exception was not caught */
	OUTCOME_PARSING,    /* no program, or not parsable as a request */
	OUTCOME_TIMEOUT,    /* the limit on wall clock time was reached */
	OUTCOME_MEMORY,	    /* killed at a memory limit; detail: which one */
	OUTCOME_OUTPUT,	    /* output far past the cap */
	OUTCOME_EXITED,	    /* the process exited without an end frame */
	OUTCOME_KILLED,	    /* the process died of a signal */
	OUTCOME_PROTOCOL,   /* the program wrote on the result pipe */
	OUTCOME_CANCELLED,  /* the client went away; there is no reply */
	OUTCOME_INTERNAL,   /* the server failed, not the guest */
	OUTCOME_VERDICTS
};

/* The phase in which the program ended. */
enum outcome_phase {
	OUTCOME_COMPILE,  /* it was not started */
	OUTCOME_RUN,	  /* it was started and failed */
	OUTCOME_FINISHED, /* it ran to its end */
	OUTCOME_PHASES
};

/* The memory limit that was reached: the program's, or that of all programs
 * together. */
enum outcome_limit { OUTCOME_OWN, OUTCOME_OF_ALL };

struct outcome_row {
	const char *name;	/* metric label */
	const char *error_type; /* for clients; NULL: the exception's class */
	const char *sentence;	/* default message; %d is the detail, %s the
				 * name of the signal with that number */
	bool ours;		/* the server failed */
	bool started;		/* at least a part of the program ran */
};

extern const struct outcome_row outcome_rows[OUTCOME_VERDICTS];

#define OUTCOME_SENTENCE_MAX 160

struct outcome;

/* Write the verdict's sentence, with the detail, NUL terminated. */
void outcome_sentence(const struct outcome *outcome,
		      char out[OUTCOME_SENTENCE_MAX]);

/* Captured output, and the number of bytes past the cap. It may be invalid
 * UTF-8, which the APIs repair. A sink may have taken it instead (sink.h). */
struct outcome_stream {
	struct bytes kept;
	uint64_t passed; /* bytes that a sink took, and that are not kept */
	uint64_t dropped;
};

#define OUTCOME_TURNS_MAX 65536

/* The order in which the kept bytes of both streams came: SIZES[0] of out, then
 * SIZES[1] of err, and so on in turns. Only with JOB_ORDERED. Behind
 * OUTCOME_TURNS_MAX turns it is not told any more. */
struct outcome_order {
	uint32_t *sizes;
	size_t count;
};

#define OUTCOME_FILE_NAME_MAX 4096 /* bytes of an output file's name */

/* A new or changed regular file below home. NAME is its path relative to home,
 * of any bytes but NUL; the APIs repair it. FD is open for reading. */
struct outcome_file {
	char *name;
	uint64_t size;
	int fd;
};

/* Observations for single APIs, which other code does not interpret. */
struct outcome_probe {
	enum outcome_phase phase;
	bool refused_file; /* outcome.refused was a call for a file */
	uint64_t marked;   /* number of the job's markers in the output */
};

struct outcome {
	enum outcome_verdict verdict;
	int detail;		 /* exit status, signal or outcome_limit */
	char *error_type;	 /* RAISED: the exception's class name */
	char *error_message;	 /* traceback and context, may be NULL */
	int exit_code;		 /* 0 to 255; 128 + the signal's number */
	char *refused;		 /* the refused call that raised the uncaught
				  * exception, or NULL */
	struct bytes value;	 /* JSON text of the final value, or empty */
	bool value_present;	 /* there is a value; it may be null */
	struct outcome_stream out, err;
	struct outcome_order order;
	struct outcome_probe probe;
	struct bytes *displays;	 /* JSON objects: media type to data */
	size_t displays_count;
	uint64_t displays_dropped;
	struct warnings warnings; /* the runner's sentences */
	struct outcome_file *files;
	size_t files_count;
	uint64_t files_dropped;
	uint64_t runtime_ms;	 /* from the job's sending to the last frame */
	uint64_t cpu_ms;
	uint64_t memory_peak_kb;
	uint64_t queue_ms;
	bool armed;		 /* a guest waited when the request arrived */
};

/* Release all that the outcome owns, its descriptors included. */
void outcome_free(struct outcome *outcome);

#endif
