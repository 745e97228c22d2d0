/*
 * job - what is asked: one run of one program. Data only.
 *
 * A door makes a job out of a request's body; the worker hands it to its
 * guest. Every pointer belongs to the job and is released by job_free(): it
 * is memory of its own, or a place in the job's body.
 */
#ifndef TERRARIUM_JOB_H
#define TERRARIUM_JOB_H

#include "digest.h"

#define JOB_FILE_NAME_MAX 1024 /* bytes of an input file's name */
#define JOB_FILE_COMPONENT_MAX 255 /* bytes between two slashes */
#define JOB_FILE_COMPONENTS_MAX 16

/* A run of bytes that may hold anything, NUL included. */
struct bytes {
	char *data;
	size_t size;
};

/* An input file. NAME is relative, has no empty, "." or ".." component and
 * no NUL, and is unique in its job: the door has seen to it. One that ends
 * with a slash is a directory, empty for a start. */
struct job_file {
	char *name;
	struct bytes content;
	bool once;	      /* a large content may be given up for its digest
			       * when it has been written */
	struct digest digest; /* begun: that has been done; the size stays */
};

/* One variable for os.environ, as "NAME=value". */
struct job_env {
	char *assignment;
};

/* What is done with the code. */
enum job_task {
	JOB_RUN,     /* compile and run it */
	JOB_COMPILE, /* compile it, and no more */
	JOB_PARSE,   /* parse it; the value names the modules that it imports */
	JOB_TASKS
};

/* What becomes of the final value. */
enum job_value {
	JOB_VALUE_JSON,	  /* JSON, or its repr as text; none for None */
	JOB_VALUE_REPR,	  /* always its repr, as text; none for None */
	JOB_VALUE_STRICT, /* JSON, null for None; else a TypeError */
	JOB_VALUES
};

/* Requests of single doors that the core passes on and does not interpret. */
struct job_probe {
	struct bytes marker; /* text to count in all of standard output (see
			      * watch.h), or no data */
	struct bytes note;   /* kept for the door's answer; no guest gets it */
};

struct job {
	struct bytes body;	/* the text that the rest was read from and may
				 * still lie in, or empty; a NUL behind it */
	enum job_task task;
	enum job_value value;
	bool merge_output;	/* standard error goes where output goes */
	struct bytes code;	/* UTF-8 source text */
	bool call_main;		/* call main(**arguments) after the module */
	struct bytes arguments; /* JSON text of an object; only with call_main */
	struct bytes input;	/* what standard input holds */
	struct job_file *files;
	size_t files_count;
	struct job_env *env;
	size_t env_count;
	unsigned timeout_ms;	/* 0: the pool's limit */
	unsigned memory_mb;	/* 0: the pool's limit */
	unsigned threads;	/* 0: the pool's limit; where guests have uids
				 * of their own */
	struct bytes session;	/* name of the session to run it in; no data:
				 * in none */
	struct job_probe probe;
};

/* Release what the job owns and make it empty. */
void job_free(struct job *job);

/* Does DATA lie in the job's body? */
bool job_holds(const struct job *job, const void *data);

/* One more file, empty and without a name, or NULL when memory ran out. */
struct job_file *job_add_file(struct job *job);

/* The fault in an input file's NAME, as the end of a sentence that begins
 * with "filename"; NULL: there is none. A directory's name has one. */
const char *job_file_name_fault(const char *name);

/* Add "NAME=VALUE" to the environment: a copy of both, or ASSIGNMENT, which
 * is the job's from then on. 0; or -ENOMEM, and it is still the caller's. */
int job_add_env(struct job *job, const struct bytes *name,
		const struct bytes *value);
int job_add_assignment(struct job *job, char *assignment);

/* Why a request cannot be run: the client's mistake, or ours. */
struct refusal {
	int status;		/* HTTP status; 0 means "not refused" */
	const char *code;	/* stable, for programs: "bad_type", ... */
	char message[240];	/* a sentence that names the field, for people */
	size_t offset;		/* where in the body, when has_offset */
	bool has_offset;
};

/* Fill in *WHY and return -EINVAL, for `return refuse(...)`. */
int refuse(struct refusal *why, int status, const char *code,
	   const char *fmt, ...) PRINTF_LIKE(4, 5);

#endif
