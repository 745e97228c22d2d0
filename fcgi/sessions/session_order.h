/*
 * call - messages about sessions, all of one size each: a worker's order to
 * the master, the master's to a keeper, what a keeper tells the master, and
 * what stands in front of each answer to the worker.
 *
 * An order comes with one end of a new stream, the call's channel; it is
 * handed on with the order, and whoever holds it answers on it. When it ends
 * without an answer no process is left that could give one. The worker ends
 * it when it gives up: what is found in a channel that has ended is not done.
 */
#ifndef TERRARIUM_CALL_H
#define TERRARIUM_CALL_H

#include "sandbox/base/base.h"

/* With its NUL: a name of 63 bytes, and its generation (call_name()). */
#define CALL_OWNER_MAX 96
#define CALL_ID_MAX 129   /* with its NUL; a session's name */

enum call_kind { CALL_RUN, CALL_RELEASE, CALL_FORK, CALL_KINDS };

/* Worker to master. */
struct call_order {
	uint32_t kind; /* enum call_kind */
	char owner[CALL_OWNER_MAX];
	char id[CALL_ID_MAX];
	char other[CALL_ID_MAX]; /* FORK: the new one's */
};

/* Master to keeper. RELEASE comes without a channel. */
struct call_task {
	uint32_t kind;
	uint32_t member;
	uint32_t other; /* FORK: which member is to be made */
};

/* Keeper to master: the first, with its process id; a task is done; a member
 * is no more. */
enum call_news_kind { CALL_HELLO, CALL_DONE, CALL_GONE, CALL_NEWS_KINDS };

struct call_news {
	uint32_t kind;
	uint32_t member;
	uint32_t fate; /* DONE: enum session_fate */
	int32_t pid;
	uint64_t ran, cpu_ms, memory_peak_kb; /* DONE: what it took */
};

/* In front of an answer on the channel. */
enum call_answer_kind {
	CALL_GO,      /* keeper: send the job */
	CALL_OUTCOME, /* keeper: an outcome follows */
	CALL_OK,      /* done; WHAT is 1 if there was such a session */
	CALL_REFUSED, /* WHAT is an enum call_refusal */
	CALL_TAKEN,   /* master, before it hands the order on: WHAT is an enum
		       * call_wait */
	CALL_ANSWER_KINDS
};

/* What a call waits for, once the master has it. */
enum call_wait {
	CALL_WAIT_NOTHING, /* the session is idle */
	CALL_WAIT_TURN,	   /* for earlier calls of the same session */
	CALL_WAIT_START,   /* for a keeper and a guest */
	CALL_WAITS
};

enum call_refusal {
	CALL_BUSY,	/* too many calls wait for this session */
	CALL_FULL,	/* the pool's sessions are all busy */
	CALL_CLIENT_FULL, /* this client's are */
	CALL_STARTING,	/* no generation could start a keeper now */
	CALL_UNKNOWN,	/* FORK: there is no such session */
	CALL_EXISTS,	/* FORK: there is one of the new name */
	CALL_BRANCHES,	/* FORK: a family has no more room */
	CALL_FAILED,	/* the session could not be copied, and has ended */
	CALL_REFUSALS
};

struct call_answer {
	uint32_t kind;
	uint32_t what;
};

/* Send SIZE bytes over the socket FD, with the descriptor WITH unless it is
 * -1, without waiting. 0 or a negative errno value. */
int call_send(int fd, const void *data, size_t size, int with);

/*
 * Receive a message of exactly SIZE bytes without waiting, with at most one
 * descriptor in *WITH (else -1; NULL: none may come). 1; 0 for nothing there
 * or a message that is not one; -EPIPE for the other side's end, or another
 * negative errno value.
 */
int call_receive(int fd, void *data, size_t size, int *with);

/* Does the other side of CHANNEL still wait for an answer? */
bool call_is_wanted(int channel);

/*
 * An owner is the name of a client, or NAME|GENERATION: hexadecimal digits of
 * one length, greater for a later token. The size of the name in OWNER.
 */
size_t call_name(const char *owner);

/* Is OWNER the client of OTHER by a later token? */
bool call_succeeds(const char *owner, const char *other);

/* Are ORDER's kind and texts what they may be? Any bytes but NUL make a
 * name. */
bool call_is_sane(const struct call_order *order);

#endif
