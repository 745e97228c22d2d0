/*
 * job - one program to run, with its input. Data only.
 *
 * An API (a "door") makes a job of a request's body, and the worker sends it to
 * its guest. The job owns all its pointers: each is an allocation of its own or
 * points into the job's body. job_free() releases them.
 */
#ifndef TERRARIUM_JOB_H
#define TERRARIUM_JOB_H

#include "digest.h"
#include "warnings.h"

#define JOB_FILE_NAME_MAX 1024 /* bytes of an input file's name */
#define JOB_FILE_COMPONENT_MAX 255 /* bytes between two slashes */
#define JOB_FILE_COMPONENTS_MAX 16

/* SIZE bytes of any value, NUL included. */
struct bytes {
	char *data;
	size_t size;
};

/* An input file. NAME is relative, has no empty, "." or ".." component and no
 * NUL, and is unique in its job: the API has checked that. A NAME that ends
 * with a slash is an empty directory. */
struct job_file {
	char *name;
	struct bytes content;
	bool once;	      /* a large content may be replaced by its digest
			       * once it has been written */
	struct digest digest; /* begun: the content was replaced; its size
			       * stays */
};

/* A variable for os.environ, as "NAME=value". */
struct job_env {
	char *assignment;
};

/* The use of the code. */
enum job_task {
	JOB_RUN,     /* compile and run it */
	JOB_COMPILE, /* compile it only */
	JOB_PARSE,   /* parse it; ARGUMENTS is empty or an array of the modules
		      * that it may import. The value is a text of what it has
		      * and may not have (runner/snippet.py), or empty */
	JOB_TASKS
};

/* The form of the final value. */
enum job_value {
	JOB_VALUE_JSON,	  /* JSON, or its repr as text; none for None */
	JOB_VALUE_REPR,	  /* its repr as text; none for None */
	JOB_VALUE_STRICT, /* JSON, null for None; else a TypeError */
	JOB_VALUES
};

/* Habits of other interpreters that clients of single APIs expect, as bits. */
enum job_habit {
	JOB_OWN_BACKEND = 1, /* a figure left open is not shown if the program
			      * chose matplotlib's back end itself */
	JOB_EXIT_RAISES = 2, /* sys.exit(0) is an exception, too */
	JOB_VALUE_ALWAYS = 4, /* a final semicolon keeps the value */
	JOB_HOME_SANDBOX = 8, /* in a session that begins, HOME and the working
			       * directory are called /sandbox */
	JOB_SCRIPT = 16, /* as a script: no final value, no lines of notebooks,
			  * no message for sys.exit(n) */
	JOB_TRACEBACK = 32, /* the message is the traceback and no more */
	JOB_BOUND = 64,	 /* os, sys and traceback are bound */
	JOB_OPTIMIZE = 128, /* compile as python3 -O does */
	JOB_MODULE = 256, /* the name is that of a module, which runs as by
			   * python3 -m; there is no code */
	JOB_ORDERED = 512, /* the outcome has the order of both streams' output:
			    * in a session only as its session keeper reads */
	JOB_ERROR_VALUE = 1024, /* the value of a program that failed is str() of
				 * its exception, as text */
	JOB_ENV_ONCE = 2048, /* in a session the environment is afterwards as it
			      * was */
	JOB_SETUP = 4096 /* in a session: no program of the client's, so that it
			  * is not counted and not remembered */
};

/*
 * The forms of rich values that are sent, as bits; shared with the runner. A
 * job that names none gets all that values have, and figures as PNG. DATA and
 * CHART are made only when they are named.
 */
enum job_form {
	JOB_FORM_TEXT = 1, /* text/plain, which each value has */
	JOB_FORM_HTML = 2,
	JOB_FORM_MARKDOWN = 4,
	JOB_FORM_SVG = 8,
	JOB_FORM_PNG = 16,
	JOB_FORM_JPEG = 32,
	JOB_FORM_PDF = 64,
	JOB_FORM_LATEX = 128,
	JOB_FORM_JSON = 256,
	JOB_FORM_JAVASCRIPT = 512,
	JOB_FORM_DATA = 1024,  /* a DataFrame's columns: JOB_MEDIA_DATA */
	JOB_FORM_CHART = 2048, /* a figure's points: JOB_MEDIA_CHART */
	JOB_FORM_OTHER = 4096, /* all other media types */
	JOB_FORM_ALL = 8191,
	JOB_FORM_DRAW = 8192, /* figures and PIL's images are drawn in each of
			       * SVG, PNG, JPEG and PDF that is named, not as
			       * PNG alone */
	JOB_FORM_MAIN = 16384 /* the final value is sent even if it has no rich
			       * form, and bears JOB_MEDIA_MAIN */
};

#define JOB_MEDIA_DATA "application/vnd.terrarium.data+json"
#define JOB_MEDIA_CHART "application/vnd.terrarium.chart+json"
#define JOB_MEDIA_MAIN "application/vnd.terrarium.main+json" /* true */

/* Requests of single APIs. Other code passes them on and does not interpret
 * them. */
struct job_probe {
	struct bytes marker; /* text to count in standard output (watch.h), or
			      * no data; not in sessions */
};

struct job {
	struct bytes body;	/* the text that the other members were read
				 * from and may point into, NUL terminated; or
				 * empty */
	enum job_task task;
	enum job_value value;
	bool merge_output;	/* standard error goes to standard output */
	bool displays;		/* rich values are wanted */
	unsigned forms;		/* enum job_form; with displays */
	unsigned habits;	/* enum job_habit */
	struct bytes code;	/* UTF-8 source text */
	bool imported;		/* its module is named main, not __main__, as
				 * if another program had imported it; not in
				 * sessions */
	bool call_main;		/* call main(**arguments) after the module */
	struct bytes arguments; /* JSON text of an object; for CALL_MAIN. Of
				 * an array; for JOB_PARSE */
	struct bytes args;	/* sys.argv[1:], each NUL terminated, one
				 * behind the other */
	struct bytes name;	/* of the program in tracebacks, and
				 * sys.argv[0], which is "-c" for "<string>";
				 * no data: "<exec>" */
	struct bytes input;	/* the content of standard input */
	struct job_file *files;
	size_t files_count;
	struct job_env *env;
	size_t env_count;
	unsigned timeout_ms;	/* 0: the pool's limit */
	unsigned memory_mb;	/* 0: the pool's limit */
	unsigned threads;	/* 0: the pool's limit; needs guests with uids
				 * of their own */
	bool session_must_exist; /* begin none */
	struct bytes session;	/* name of the session to run it in; no data:
				 * without a session */
	struct warnings warnings; /* about the request; no guest gets them */
	struct job_probe probe;
};

/* Release all that the job owns and make it empty. */
void job_free(struct job *job);

/* Whether DATA points into the job's body. */
bool job_holds(const struct job *job, const void *data);

/* Add a file, empty and without a name. NULL: memory ran out. */
struct job_file *job_add_file(struct job *job);

/* Release the file at INDEX, which stays in the list without a name; and remove
 * all those from the list. */
void job_drop_file(struct job *job, size_t index);
void job_close_ranks(struct job *job);

/* The fault in an input file's NAME, as the end of a sentence that begins with
 * "filename"; NULL: there is none. A directory's name has a fault. */
const char *job_file_name_fault(const char *name);

/* Add "NAME=VALUE" to the environment: copies of both, or ASSIGNMENT, which the
 * job owns afterwards. 0 or -ENOMEM; then ASSIGNMENT is still the caller's. */
int job_add_env(struct job *job, const struct bytes *name,
		const struct bytes *value);
int job_add_assignment(struct job *job, char *assignment);

/* The reason that a request cannot be run: the client's mistake, or ours. */
struct refusal {
	int status;		/* HTTP status; 0 means "not refused" */
	const char *code;	/* stable, for programs: "bad_type", ... */
	char message[240];	/* a sentence for people; it names the field */
	size_t offset;		/* in the body; only with HAS_OFFSET */
	bool has_offset;
	char *list;		/* JSON text of all faults, for an API that
				 * lists them; to be freed; or NULL */
	bool own_share;		/* the client itself has used up its share: 429
				 * in an API that tells it from a full server */
};

/* Fill in *WHY. Returns -EINVAL, for `return refuse(...)`. */
int refuse(struct refusal *why, int status, const char *code,
	   const char *fmt, ...) PRINTF_LIKE(4, 5);

#endif
