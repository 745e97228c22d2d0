/*
 * outcome - what the worker concludes about one run. Data only.
 *
 * The verdict is one row of a table: who is to blame, the error type a client
 * sees, the sentence, the metric's label. Doors render it; they never decide.
 */
#ifndef TERRARIUM_OUTCOME_H
#define TERRARIUM_OUTCOME_H

#include "job.h"

enum outcome_verdict {
	OUTCOME_OK,	    /* ran to its end */
	OUTCOME_RAISED,	    /* an exception was left uncaught */
	OUTCOME_PARSING,    /* nothing to run, or not parsable as a request */
	OUTCOME_TIMEOUT,    /* the wall clock's limit */
	OUTCOME_MEMORY,	    /* killed at a memory limit; detail: whose */
	OUTCOME_OUTPUT,	    /* flooded its output far past the cap */
	OUTCOME_EXITED,	    /* the process exited without an end frame */
	OUTCOME_KILLED,	    /* the process died of a signal */
	OUTCOME_PROTOCOL,   /* wrote what is not a frame on the result pipe */
	OUTCOME_CANCELLED,  /* the client went away; nobody reads this */
	OUTCOME_INTERNAL,   /* we failed; the guest is not to blame */
	OUTCOME_VERDICTS
};

/* How far the program came. */
enum outcome_phase {
	OUTCOME_COMPILE,  /* it was not started */
	OUTCOME_RUN,	  /* it was, and did not end well */
	OUTCOME_FINISHED, /* to its end */
	OUTCOME_PHASES
};

/* The limit on memory that was reached: one program's, or that of all. */
enum outcome_limit { OUTCOME_OWN, OUTCOME_OF_ALL };

struct outcome_row {
	const char *name;	/* metric label */
	const char *error_type; /* what a client sees; NULL: the exception's */
	const char *sentence;	/* default message; "%d" takes the detail,
				 * "%s" the name of the signal it numbers */
	bool ours;		/* we failed */
	bool started;		/* the code ran, at least in part */
};

extern const struct outcome_row outcome_rows[OUTCOME_VERDICTS];

#define OUTCOME_SENTENCE_MAX 160

struct outcome;

/* Write the verdict's sentence, the detail filled in, NUL terminated. */
void outcome_sentence(const struct outcome *outcome,
		      char out[OUTCOME_SENTENCE_MAX]);

/* Captured output: what was kept, and how many bytes were not. Not
 * necessarily valid UTF-8: the door repairs it. */
struct outcome_stream {
	struct bytes kept;
	uint64_t dropped;
};

#define OUTCOME_FILE_NAME_MAX 4096 /* bytes of an output file's name */

/* A new or changed regular file under home. NAME is its path relative to
 * home: any bytes but NUL; the door repairs it. FD is open for reading. */
struct outcome_file {
	char *name;
	uint64_t size;
	int fd;
};

/* Observations for single doors that the core makes and does not interpret. */
struct outcome_probe {
	enum outcome_phase phase;
	bool refused_file; /* outcome.refused was to reach a file */
	uint64_t marked;   /* how often the job's marker was printed */
};

struct outcome {
	enum outcome_verdict verdict;
	int detail;		 /* exit status, signal number, or outcome_limit */
	char *error_type;	 /* RAISED: the exception's class name */
	char *error_message;	 /* traceback and context, may be NULL */
	int exit_code;		 /* 0 to 255; 128 + the signal's number */
	char *refused;		 /* the call that was refused and of which an
				  * exception was left uncaught, or NULL */
	struct bytes value;	 /* JSON text of the final value, or empty */
	bool value_present;	 /* there is one: it may be null */
	struct outcome_stream out, err;
	struct outcome_probe probe;
	struct bytes *displays;	 /* JSON objects, media type to data */
	size_t displays_count;
	uint64_t displays_dropped;
	struct outcome_file *files;
	size_t files_count;
	uint64_t files_dropped;
	uint64_t runtime_ms;	 /* hand-over to last frame */
	uint64_t cpu_ms;
	uint64_t memory_peak_kb;
	uint64_t queue_ms;
	bool armed;		 /* a guest was waiting when it arrived */
};

/* Release what the outcome owns, its descriptors included. */
void outcome_free(struct outcome *outcome);

#endif
