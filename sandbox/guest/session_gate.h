/*
 * session_gate - the processes of a session: signals to them, and who of them
 * waits at the gate. For session.c only.
 */
#ifndef TERRARIUM_SESSION_GATE_H
#define TERRARIUM_SESSION_GATE_H

#include "session.h"

/* Stop MEMBER, who waits at the gate. */
void session_stop(const struct session_member *member);

/* Let MEMBER, who is stopped, come back to the gate. */
int session_wake(const struct session *session,
		 struct session_member *member);

/* Kill and forget MEMBER. The first guest is our child and is buried here;
 * whoever came later is buried by the init of their namespace. */
void session_kill(struct session *session, struct session_member *member);

/* The same of one that was running: wait for its death, at most
 * SESSION_SETTLE_MS. Before that it may go on to write, and the next call
 * would have its output. */
void session_bury(struct session *session, struct session_member *member);

/*
 * Wait until MEMBER knocks; or, with FRESH, until a new process does, which
 * is the copy then, or MEMBER does once more, since it could not fork. 1, 0
 * the latter, or a negative errno value: -ETIMEDOUT, -ECHILD: it is dead.
 */
int session_await(struct session *session, struct session_member *member,
		  bool fresh, int timeout_ms);

/* Answer MEMBER, who waits, with ANSWER (0: pass). It may have to knock
 * again first: a signal such as the one that stopped it interrupts. */
int session_answer(struct session *session, struct session_member *member,
		   int answer);

#endif
