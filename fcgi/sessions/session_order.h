/*
 * session_order - messages about sessions, each of a fixed size: a worker's
 * order to the master, the master's task to a session keeper, the session
 * keeper's report (news) to the master, and the head of each answer to the
 * worker.
 *
 * An order comes with one end of a new stream, the call's channel. The master
 * hands it on with the task; its holder answers on it. If it ends without an
 * answer, no process is left that could answer. The worker closes its end when
 * it gives up: an order with an ended channel is not carried out.
 */
#ifndef TERRARIUM_SESSION_ORDER_H
#define TERRARIUM_SESSION_ORDER_H

#include "sandbox/base/limits.h"

/* A name of 63 bytes, its token's generation (session_order_name()), a NUL. */
#define SESSION_ORDER_OWNER_MAX 96
#define SESSION_ORDER_ID_MAX 129 /* with its NUL; a session's name */
#define SESSION_ORDER_NOTE_MAX 4608 /* with its NUL; of a sandbox */

enum session_order_kind {
	SESSION_ORDER_RUN,
	SESSION_ORDER_RELEASE,
	SESSION_ORDER_FORK,
	/* Files (session_files.h), whose names come as those of a job. PUT
	 * begins a session if there is none; the others need one. */
	SESSION_ORDER_PUT,
	SESSION_ORDER_GET,
	SESSION_ORDER_REMOVE,
	SESSION_ORDER_LIST,
	/* Files and directories below home and /tmp (home_tree.h). Their names
	 * are relative to the tmpfs. */
	SESSION_ORDER_TREE_PUT,
	SESSION_ORDER_TREE_GET,
	SESSION_ORDER_TREE_LIST, /* the job's first argument is the depth */
	SESSION_ORDER_TREE_STAT,
	SESSION_ORDER_TREE_MAKE,
	SESSION_ORDER_TREE_MOVE, /* two names: from, to */
	SESSION_ORDER_TREE_REMOVE,
	/* Sandboxes: sessions that have a note and an idle limit of their own.
	 * The master answers with struct session_order_sandbox. */
	SESSION_ORDER_LOOK, /* the one of this name */
	SESSION_ORDER_NEXT, /* the first one behind PLACE */
	SESSION_ORDER_USE,  /* LOOK; it counts as a call, and sets IDLE_S */
	SESSION_ORDER_MEMBER, /* the first of its members behind PLACE, with
			       * the member's own note */
	/* A stream of events (fcgi/streams): ID is its own, not a session's.
	 * The master hands it on to the process that holds streams, which
	 * answers OK or REFUSED. */
	SESSION_ORDER_STREAM,
	SESSION_ORDER_KINDS
};

/* Worker to master. */
struct session_order {
	uint32_t kind; /* enum session_order_kind */
	uint32_t must_exist; /* RUN, PUT to LIST: begin no session, see
			      * SESSION_ORDER_ABSENT */
	char owner[SESSION_ORDER_OWNER_MAX];
	char id[SESSION_ORDER_ID_MAX];
	char other[SESSION_ORDER_ID_MAX]; /* FORK: the new one's */
	uint32_t whole; /* RELEASE: the sandbox, with all branches. FORK: OTHER
			 * may be one of them, which ends */
	uint32_t beginning; /* FORK: OTHER never runs, and is not counted */
	uint32_t place; /* NEXT, MEMBER: the last one's; 0: begin */
	uint32_t idle_s; /* RUN with a note, USE: the sandbox's idle limit; 0:
			  * keep it */
	uint32_t longer; /* USE: never lower the limit */
	uint32_t run; /* STREAM: a program is going to run */
	/* RUN: a session that begins is a sandbox with this note, which the
	 * master keeps and does not read; "": it is none. FORK: the branch's
	 * own. The last member, because a message ends with its text. */
	char note[SESSION_ORDER_NOTE_MAX];
};

/* Master to the process that holds streams, with the channel. */
struct session_order_stream {
	char owner[SESSION_ORDER_OWNER_MAX];
	char id[SESSION_ORDER_ID_MAX];
	uint32_t run;
};

/* Behind the answer SESSION_ORDER_SANDBOX. Times are those of io_now_ms(). */
struct session_order_sandbox {
	uint32_t place, idle_s;
	int64_t began_ms, used_ms;
	char id[SESSION_ORDER_ID_MAX];
	char note[SESSION_ORDER_NOTE_MAX];
};

/* Master to session keeper. RELEASE comes without a channel. */
struct session_order_task {
	uint32_t kind;
	uint32_t member;
	uint32_t other; /* FORK: number of the new member */
};

/* Session keeper to master. */
enum session_order_news_kind {
	SESSION_ORDER_HELLO, /* the first: it has started */
	SESSION_ORDER_DONE,  /* a task is done */
	SESSION_ORDER_GONE,  /* a member has ended */
	SESSION_ORDER_NEWS_KINDS
};

struct session_order_news {
	uint32_t kind;
	uint32_t member;
	uint32_t fate; /* DONE: enum session_fate */
	int32_t pid;
	uint64_t ran, cpu_ms, memory_peak_kb; /* DONE: the task's use */
};

/* The session of a call was there, or begins with it: no session of this name
 * is known, or the last one has ended. */
enum session_origin {
	SESSION_THERE,
	SESSION_NEW,
	SESSION_AFTER_EXPIRED, /* it was idle for too long */
	SESSION_AFTER_EVICTED, /* another one needed its room */
	SESSION_AFTER_RELEASED, /* a client ended it */
	SESSION_AFTER_ENDED, /* a call of it, or a fault, ended it */
	SESSION_AFTER_RESTARTED, /* the server was restarted */
	SESSION_ORIGINS
};

/* The head of an answer on the channel. */
enum session_order_answer_kind {
	SESSION_ORDER_GO, /* session keeper: send the job; DETAIL is the number
			   * of programs that have run */
	SESSION_ORDER_OUTCOME, /* session keeper: an outcome follows; DETAIL is
				* an enum session_fate */
	SESSION_ORDER_FILES, /* session keeper: struct session_files follows */
	SESSION_ORDER_OK, /* done; DETAIL is 1 if there was a session */
	SESSION_ORDER_REFUSED, /* DETAIL is an enum session_order_refusal */
	SESSION_ORDER_TAKEN, /* master, before it hands the order on; DETAIL is
			      * an enum session_order_wait */
	SESSION_ORDER_PIECE, /* session keeper, before the outcome: DETAIL is an
			      * enum session_order_piece, and bytes with their
			      * size follow */
	SESSION_ORDER_SANDBOX, /* master: struct session_order_sandbox follows */
	SESSION_ORDER_ANSWER_KINDS
};

/* The calls of a sink (sink.h). */
enum session_order_piece {
	SESSION_ORDER_PIECE_BEGIN,
	SESSION_ORDER_PIECE_OUT,
	SESSION_ORDER_PIECE_ERR,
	SESSION_ORDER_PIECE_DISPLAY,
	SESSION_ORDER_PIECES
};

/* The reason for which a call waits after the master has taken it. */
enum session_order_wait {
	SESSION_ORDER_WAIT_NOTHING, /* the session is idle */
	SESSION_ORDER_WAIT_TURN, /* for earlier calls of the same session */
	SESSION_ORDER_WAIT_START, /* for a session keeper and a guest */
	SESSION_ORDER_WAITS
};

enum session_order_refusal {
	SESSION_ORDER_BUSY, /* too many calls wait for this session; STREAM:
			     * too many programs run */
	SESSION_ORDER_FULL, /* all sessions of the server are busy */
	SESSION_ORDER_CLIENT_FULL, /* all sessions of this client are busy */
	SESSION_ORDER_STARTING, /* no session keeper can be started now */
	SESSION_ORDER_UNKNOWN, /* FORK: there is no such session. STREAM: this
				* client has no such stream */
	SESSION_ORDER_EXISTS, /* FORK: there is one of the new name */
	SESSION_ORDER_BRANCHES, /* FORK: the family has no room */
	SESSION_ORDER_FAILED, /* the session has ended, or no copy was made */
	SESSION_ORDER_ABSENT, /* RUN: there is none, and it must exist */
	SESSION_ORDER_REFUSALS
};

struct session_order_answer {
	uint32_t kind;
	uint32_t detail;
	uint32_t origin; /* TAKEN, ABSENT: enum session_origin */
};

/* Before a job passes, the session keeper sends its terms behind the answer
 * GO. The worker may be of another generation, with other limits, and sends
 * its own in front of the job. The smaller limits hold (limits_narrow()). */
struct session_order_terms {
	struct limits limits;
	uint32_t call_ms; /* a session keeper's: for calls by doors that have
			   * a time limit of their own; else 0 */
	uint32_t own_time; /* a worker's: LIMITS has such a door's time */
	uint32_t body_mb; /* of a job in all */
	uint32_t pieces; /* of the worker: send the results as they come */
	uint32_t declined; /* of the worker: there will be no job */
};

/* Send SIZE bytes over the socket FD, with the descriptor WITH unless it is
 * -1, without waiting. 0 or a negative errno value. */
int session_order_send(int fd, const void *data, size_t size, int with);

/*
 * Receive a message of exactly SIZE bytes without waiting, with at most one
 * descriptor in *WITH (else -1; NULL: close it). 1; 0 if there is no message
 * or a bad one; -EPIPE if the other side has closed its end; or another
 * negative errno value.
 */
int session_order_receive(int fd, void *data, size_t size, int *with);

/* Send ORDER, without the room behind its note, and receive one: errors as of
 * the two above. */
int session_order_give(int fd, const struct session_order *order, int with);
int session_order_take(int fd, struct session_order *order, int *with);

/* Does the worker still wait for an answer on CHANNEL? */
bool session_order_is_wanted(int channel);

/*
 * The size of the client's name in OWNER, which is NAME or NAME|GENERATION. A
 * generation is a hexadecimal number of fixed length, greater for a later
 * token of the same name.
 */
size_t session_order_name(const char *owner);

/* Is OWNER the same client as OTHER, with a later token? */
bool session_order_succeeds(const char *owner, const char *other);

/* Are ORDER's kind and texts valid? A name may hold any bytes but NUL. */
bool session_order_is_sane(const struct session_order *order);

#endif
