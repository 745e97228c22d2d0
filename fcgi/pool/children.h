/*
 * brood - the children of a zygote: workers, one for each of its slots, and
 * who answers 503 while no guest can be armed.
 */
#ifndef TERRARIUM_BROOD_H
#define TERRARIUM_BROOD_H

#include "conf/loan.h"
#include "sandbox/guest/box.h"
#include "worker_fds.h"
#include "fcgi/shared/client_share.h"
#include "fcgi/shared/scoreboard.h"
#include "accept_queue.h"

#define BROOD_ARM_FAILURES 3 /* in a row, before service stops */

/* Who was born in a cradle. */
struct brood_birth {
	unsigned slot;
	pid_t pid; /* 0: nobody yet */
};

/* What a zygote knows. */
struct zygote {
	struct conf conf;
	struct conf_loan *loan; /* of its texts, until there is a mold */
	struct sandbox box;
	struct scoreboard *board;
	struct stage *stage; /* of our start, until workers are forked */
	unsigned index; /* of our generation, among those that may live */
	unsigned session_slots; /* the last ones of all */
	unsigned first; /* of our slots, among all of the scoreboard's */
	int report_in, report_out;
	struct turn turn; /* of our workers */
	struct crowd *crowd; /* which clients they serve */
	int signals;
	pid_t pids[SCOREBOARD_WORKERS_MAX]; /* of the worker in each slot */
	struct brood_birth births[CRADLES_MAX]; /* the last of each cradle */
	pid_t mold; /* who has the warm Python */
	pid_t refuser; /* who answers 503 meanwhile; 0: nobody */
	unsigned forks;
	unsigned stood; /* workers that were armed so far */
	unsigned bad; /* early deaths in a row */
	unsigned arm_failures;
	int64_t next_fork, born;
	int64_t settle; /* until then, refills wait for requests */
	bool ready, leaving, left, told_old;
};

/* Our slot number SLOT, on the scoreboard. */
struct scoreboard_slot *brood_slot(struct zygote *zygote, unsigned slot);

/* Slots of ours in STATE. */
unsigned brood_count(struct zygote *zygote, enum slot_state state);

/* Workers that live. */
unsigned brood_alive(const struct zygote *zygote);

/* Does a worker of another generation live? */
bool brood_has_rival(const struct zygote *zygote);

/* Is GROUP, of box.groups, that of a worker of ours? */
bool brood_has_group(const struct zygote *zygote, unsigned group);

/* Forget the control groups of all others: sessions' are the nursery's. */
void brood_keep_groups(struct zygote *zygote);

/* SLOT is PID's, in STATE: here and on the scoreboard. */
void brood_set(struct zygote *zygote, unsigned slot, pid_t pid,
	       enum slot_state state);

/* Learn from one worker which pages all will need. */
void brood_learn(struct zygote *zygote);

/* Does any worker still share our descriptors? */
bool brood_shares(const struct zygote *zygote);

/* Bring the pool to its size. */
void brood_fill(struct zygote *zygote);

/* A worker died early: wait before the next is forked, longer each time. */
void brood_back_off(struct zygote *zygote);

void brood_start_refuser(struct zygote *zygote);
void brood_stop_refuser(struct zygote *zygote);

/* Hear what workers report (brood_news.c). */
void brood_hear(struct zygote *zygote);

/* Bury who has died, after hearing what they had to say. */
void brood_reap(struct zygote *zygote);

#endif
