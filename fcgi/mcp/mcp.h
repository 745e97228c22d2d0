/*
 * mcp - the door of the Model Context Protocol: POST /mcp with JSON-RPC.
 *
 * Two eras of the protocol are served on one path, without state. A client of
 * the first (2025-03-26 to 2025-11-25) begins with "initialize". One of the
 * second (2026-07-28) sends its version and capabilities with each request, and
 * repeats version, method and tool in headers. Most messages are answered
 * here. A call of the tool run_python becomes a job.
 *
 * The old transport of 2024-11-05, POST /messages, has the methods of the first
 * era that need no session, and the tool python (mcp_python.h).
 */
#ifndef TERRARIUM_MCP_H
#define TERRARIUM_MCP_H

#include "sandbox/text/json.h"
#include "fcgi/api/door.h"

#define MCP_TOOL "run_python"
#define MCP_ID_MAX 1024		 /* bytes of a message's id */
#define MCP_BATCH_MAX 100	 /* messages of a batch */

/* Values of HTTP headers; "": it was not sent. */
struct mcp_headers {
	const char *version; /* MCP-Protocol-Version */
	const char *method;  /* Mcp-Method */
	const char *name;    /* Mcp-Name */
};

/* The server's side of an answer. All is borrowed. */
struct mcp_facts {
	const struct door_limits *most;
	const struct limits *limits;
	const struct bytes *packages; /* the pool's JSON list */
	const char *python;	      /* version */
};

struct mcp;

/* The tool that clients of a path see. */
struct mcp_kind {
	const char *tool, *server; /* names */
	bool old; /* the old transport: its versions, methods and statuses */
	void (*describe)(const struct mcp_facts *facts, struct reply *reply);
	void (*put)(const struct mcp_facts *facts, struct reply *reply);
	int (*read)(const struct door_limits *limits,
		    struct json_span arguments, struct job *job,
		    struct refusal *why);
	void (*result)(const struct mcp *mcp, const struct door_answer *answer,
		       struct reply *reply);
	void (*refuse)(const struct mcp *mcp, const struct refusal *why,
		       struct reply *reply);
};

extern const struct mcp_kind mcp_kind_present, mcp_kind_old;

struct mcp {
	struct job job; /* the first member: mcp_render() finds the rest */
	const struct mcp_kind *kind;
	const struct mcp_facts *facts;
	const struct mcp_headers *headers;
	bool modern;	/* of the era that began with 2026-07-28 */
	bool batch;	/* the body is a list of messages */
	bool called;	/* a batch calls the tool already */
	bool run;	/* JOB is to be run, for the message ID */
	bool fetch; /* the file of JOB's session is to be read, for ID */
	size_t answers; /* in the reply */
	struct bytes id; /* JSON text */
	struct bytes token; /* JSON text: of the progress of the run; or no
			     * data */
	struct bytes uri; /* JSON text: of FETCH */
};

/*
 * Read MCP->job.body, and write the answers that need no run to REPLY. If then
 * MCP->run is set, the caller runs MCP->job and calls mcp_render() or
 * mcp_refuse_run(). If MCP->fetch is set, it reads the file and calls
 * mcp_render_fetch() or mcp_refuse_fetch(). Otherwise the reply is complete.
 * KIND, FACTS and HEADERS must live as long as MCP, which mcp_free() releases.
 *
 * On the old transport an answer with a status of 400 or more is one to the
 * request itself; any other belongs on the stream.
 */
void mcp_read(struct mcp *mcp, struct reply *reply);
void mcp_free(struct mcp *mcp);

/* Write the answer to the run of the job of a struct mcp (door.h). */
void mcp_render(const struct door_answer *answer, struct reply *reply);

/* Write the answer to a call that could not be run. */
void mcp_refuse_run(struct mcp *mcp, const struct refusal *why,
		    struct reply *reply);

/* The same for the file of a session. */
void mcp_render_fetch(struct mcp *mcp, const struct outcome_file *file,
		      struct reply *reply);
void mcp_refuse_fetch(struct mcp *mcp, const struct refusal *why,
		      struct reply *reply);

/* Complete the reply, when all answers are there: the end of a batch, or 202 if
 * there are none. */
void mcp_finish(struct mcp *mcp, struct reply *reply);

/* The door for errors before a message is read. It has no parse(): see
 * route_mcp.c. */
extern const struct door mcp_door;

#endif
