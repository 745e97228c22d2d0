/*
 * session_order - messages about sessions, all of one size each: a worker's
 * order to the master, the master's to a session keeper, what a session keeper
 * tells the master, and what stands in front of each answer to the worker.
 *
 * An order comes with one end of a new stream, the call's channel; it is
 * handed on with the order, and whoever holds it answers on it. When it ends
 * without an answer no process is left that could give one. The worker ends
 * it when it gives up: what is found in a channel that has ended is not done.
 */
#ifndef TERRARIUM_CALL_H
#define TERRARIUM_CALL_H

#include "sandbox/base/limits.h"

/* With its NUL: a name of 63 bytes, and its generation (session_order_name()).
 */
#define SESSION_ORDER_OWNER_MAX 96
#define SESSION_ORDER_ID_MAX 129 /* with its NUL; a session's name */

enum session_order_kind {
	SESSION_ORDER_RUN,
	SESSION_ORDER_RELEASE,
	SESSION_ORDER_FORK,
	SESSION_ORDER_KINDS
};

/* Worker to master. */
struct session_order {
	uint32_t kind; /* enum session_order_kind */
	char owner[SESSION_ORDER_OWNER_MAX];
	char id[SESSION_ORDER_ID_MAX];
	char other[SESSION_ORDER_ID_MAX]; /* FORK: the new one's */
};

/* Master to keeper. RELEASE comes without a channel. */
struct session_order_task {
	uint32_t kind;
	uint32_t member;
	uint32_t other; /* FORK: which member is to be made */
};

/* Session keeper to master: the first, with its process id; a task is done; a
 * member is no more. */
enum session_order_news_kind {
	SESSION_ORDER_HELLO,
	SESSION_ORDER_DONE,
	SESSION_ORDER_GONE,
	SESSION_ORDER_NEWS_KINDS
};

struct session_order_news {
	uint32_t kind;
	uint32_t member;
	uint32_t fate; /* DONE: enum session_fate */
	int32_t pid;
	uint64_t ran, cpu_ms, memory_peak_kb; /* DONE: what it took */
};

/* In front of an answer on the channel. */
enum session_order_answer_kind {
	SESSION_ORDER_GO, /* session keeper: send the job */
	SESSION_ORDER_OUTCOME, /* session keeper: an outcome follows; WHAT is an
				* enum session_fate */
	SESSION_ORDER_OK, /* done; WHAT is 1 if there was such a session */
	SESSION_ORDER_REFUSED, /* WHAT is an enum session_order_refusal */
	SESSION_ORDER_TAKEN, /* master, before it hands the order on: WHAT is an
			      * enum session_order_wait */
	SESSION_ORDER_ANSWER_KINDS
};

/* What a call waits for, once the master has it. */
enum session_order_wait {
	SESSION_ORDER_WAIT_NOTHING, /* the session is idle */
	SESSION_ORDER_WAIT_TURN, /* for earlier calls of the same session */
	SESSION_ORDER_WAIT_START, /* for a session keeper and a guest */
	SESSION_ORDER_WAITS
};

enum session_order_refusal {
	SESSION_ORDER_BUSY, /* too many calls wait for this session */
	SESSION_ORDER_FULL, /* the pool's sessions are all busy */
	SESSION_ORDER_CLIENT_FULL, /* this client's are */
	SESSION_ORDER_STARTING, /* no generation could start a session keeper
				   now */
	SESSION_ORDER_UNKNOWN, /* FORK: there is no such session */
	SESSION_ORDER_EXISTS, /* FORK: there is one of the new name */
	SESSION_ORDER_BRANCHES, /* FORK: a family has no more room */
	SESSION_ORDER_FAILED, /* the session could not be copied, and has ended
			       */
	SESSION_ORDER_REFUSALS
};

struct session_order_answer {
	uint32_t kind;
	uint32_t what;
};

/* Before a job passes, the session keeper sends its terms behind the answer
 * GO. The worker, whose limits may be another generation's, sends its own in
 * front of the job. The smaller value of the two holds (limits_narrow()). */
struct session_order_terms {
	struct limits limits;
	uint32_t body_mb; /* of a job in all */
};

/* Send SIZE bytes over the socket FD, with the descriptor WITH unless it is
 * -1, without waiting. 0 or a negative errno value. */
int session_order_send(int fd, const void *data, size_t size, int with);

/*
 * Receive a message of exactly SIZE bytes without waiting, with at most one
 * descriptor in *WITH (else -1; NULL: none may come). 1; 0 for nothing there
 * or a message that is not one; -EPIPE for the other side's end, or another
 * negative errno value.
 */
int session_order_receive(int fd, void *data, size_t size, int *with);

/* Does the other side of CHANNEL still wait for an answer? */
bool session_order_is_wanted(int channel);

/*
 * An owner is the name of a client, or NAME|GENERATION: hexadecimal digits of
 * one length, greater for a later token. The size of the name in OWNER.
 */
size_t session_order_name(const char *owner);

/* Is OWNER the client of OTHER by a later token? */
bool session_order_succeeds(const char *owner, const char *other);

/* Are ORDER's kind and texts what they may be? Any bytes but NUL make a
 * name. */
bool session_order_is_sane(const struct session_order *order);

#endif
