/*
 * registry_support - for tests of the master's list of sessions: the list,
 * and a pool process, session keepers and workers that are played.
 */
#ifndef TERRARIUM_REGISTRY_SUPPORT_H
#define TERRARIUM_REGISTRY_SUPPORT_H

#include "tests/unit/support.h"

#include "fcgi/sessions/registry.h"

extern struct conf_sessions conf;
extern struct scoreboard board;
extern struct registry registry;
extern int orders[2]; /* ours: the pool process's end is 1 */

/* Set-up and tear-down of each test. */
int set_up(void **state);
int tear_down(void **state);

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

/* The master's: take in the messages that have come. */
void step(void);

/* Send WHAT to the registry, with these names. The end of the channel for its
 * answers. */
int send_order(struct session_order what, const char *owner, const char *id,
	       const char *other);

/* Send an order; the worker's end of its channel. */
int order(enum session_order_kind kind, const char *owner, const char *id,
	  const char *other);

/* The same for a run in a session that must exist. */
int demand(const char *owner, const char *id);

/* The answer on CHANNEL, which is closed: a kind * 100 + its detail; -1: no
 * answer yet, -2: it has ended. */
int answer(int channel);

/* The origin that is told with the first answer on CHANNEL, which is closed. */
enum session_origin origin(int channel);

#define REFUSED(why) (SESSION_ORDER_REFUSED * 100 + (why))
#define OK(what) (SESSION_ORDER_OK * 100 + (what))

/* The pool process's: the control socket of the session keeper to be started.
 */
int started(uint32_t *slot);
void nothing_started(void);

/* A session keeper's: the next task, its channel closed; some news; the next
 * task, which is done at once. */
struct session_order_task task(int control);
void tell(int control, enum session_order_news_kind kind, unsigned member);
void done(int control);

/* A session that has served one call; its session keeper's control socket. */
int open_session(const char *owner, const char *id);

#endif
