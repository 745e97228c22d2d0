/*
 * scoreboard - the state and the counters of the server, in memory that its
 * processes share.
 *
 * The master makes it and writes the head. A pool process writes the slots and
 * the counters, from the reports of its workers. The status process reads it.
 * Workers and guests do not have it.
 */
#ifndef TERRARIUM_SCOREBOARD_H
#define TERRARIUM_SCOREBOARD_H

#include <stdatomic.h>
#include <sys/types.h>

#include "conf/conf.h"
#include "sandbox/walls/cgroup.h"
#include "sandbox/base/outcome.h"
#include "sandbox/base/stage.h"
#include "measures.h"

#define SCOREBOARD_WORKERS_MAX 512
/* Generations that may live at a time. Each has slots of its own. */
#define SCOREBOARD_GENERATIONS CONF_GENERATIONS_MAX
#define SCOREBOARD_SLOTS_MAX (SCOREBOARD_GENERATIONS * SCOREBOARD_WORKERS_MAX)
#define SCOREBOARD_REASON_MAX 200
#define SCOREBOARD_PAGE 4096

enum scoreboard_state { SCOREBOARD_STARTING, SCOREBOARD_SERVING,
			SCOREBOARD_STOPPED, SCOREBOARD_STATES };

extern const char *const scoreboard_state_names[SCOREBOARD_STATES];

enum slot_state { SLOT_FREE, SLOT_ARMING, SLOT_IDLE, SLOT_BUSY, SLOT_STATES };

extern const char *const slot_state_names[SLOT_STATES];

struct scoreboard_slot {
	_Atomic pid_t pid;
	_Atomic pid_t guest; /* once it is armed; else 0 */
	_Atomic uint32_t state; /* enum slot_state */
};

/* Counters that only grow. The rows with their names are in metrics.c. */
struct scoreboard_counters {
	_Atomic uint64_t outcomes[OUTCOME_VERDICTS];
	_Atomic uint64_t refused; /* answered 4xx, nothing ran */
	_Atomic uint64_t failed;  /* answered 5xx */
	_Atomic uint64_t served;  /* other requests answered */
	/* Waited, because their client held its share. */
	_Atomic uint64_t queued;
	/* Refused, because too many of their client waited. */
	_Atomic uint64_t client_refused;
	/* Connections from addresses that are not in allowed_clients. */
	_Atomic uint64_t peers_refused;
	_Atomic uint64_t forks;
	_Atomic uint64_t arm_failures;
	_Atomic uint64_t worker_deaths; /* before they had answered */
	_Atomic uint64_t workers_stopped; /* killed for it; also deaths */
	_Atomic uint64_t generations; /* that came to serve */
	_Atomic uint64_t generation_failures;
	_Atomic uint64_t reload_failures; /* reloads that could not serve */
	_Atomic uint64_t runtime_ms;
	_Atomic uint64_t queue_ms;
	_Atomic uint64_t cpu_ms;
	_Atomic uint64_t bytes_in;
	_Atomic uint64_t bytes_out;
	_Atomic uint64_t sessions; /* that were started, with branches */
	_Atomic uint64_t sessions_evicted;
	_Atomic uint64_t sessions_expired;
	_Atomic uint64_t sessions_refused;
	_Atomic uint64_t rollbacks;
	_Atomic uint64_t log_dropped; /* log lines without room */
	_Atomic uint64_t slow; /* runs of log.slow_after_ms or longer */
	/* A worker got a request, and then all of its generation were busy. */
	_Atomic uint64_t workers_max_reached;
};

#define SCOREBOARD_SESSIONS_MAX 256
#define SCOREBOARD_CLIENT_MAX 65 /* a token's name, with its NUL */

/* The usage of one session. The session's name is private to its client, so it
 * is not here. */
struct scoreboard_session {
	pid_t keeper;
	uint32_t pending; /* calls that run or wait */
	uint64_t calls, cpu_ms;
	uint64_t memory_peak_kb; /* of it and its branches */
	int64_t began_ms, used_ms;
	char client[SCOREBOARD_CLIENT_MAX];
};

/* The present sessions. Only the master writes them. A reader may see a row
 * that is half written. */
struct scoreboard_sessions {
	_Atomic uint32_t open;	  /* that live */
	_Atomic uint32_t busy; /* open sessions with a call */
	_Atomic uint32_t waiting; /* calls that wait for another call's end */
	_Atomic uint32_t ending; /* released, and not dead yet */
	_Atomic uint32_t listed;
	struct scoreboard_session list[SCOREBOARD_SESSIONS_MAX];
};

/* Written by the pool process of a generation, for its master. */
struct scoreboard_generation {
	_Atomic pid_t fork_server;
	char reason[SCOREBOARD_REASON_MAX]; /* why it cannot serve */
};

/* The present step of a start, on a page of its own. */
struct scoreboard_stage {
	_Alignas(SCOREBOARD_PAGE) struct stage stage;
};

struct scoreboard {
	/* Written by the master before it starts any process. */
	struct cgroup_host cgroups;
	unsigned workers; /* slots of one generation */
	unsigned generations; /* generations with slots */
	/* Copies of options that a reload does not change. */
	unsigned client_percent, client_waiting, backlog;
	unsigned uid_base;
	struct conf_sessions session_options;
	bool client_names;
	/* Memory of all control groups together; 0: no limit. */
	uint64_t all_mb;
	/* Memory of a run, if ALL_MB lowers it; 0: it does not. */
	unsigned ceiling_mb;
	unsigned session_slots;
	int landlock_abi; /* 0: not used */
	bool root;
	int64_t started_ms;
	/* Written by the master. */
	_Atomic pid_t master, status, streams;
	_Atomic pid_t pool, fork_server; /* of the generation that serves */
	_Atomic uint32_t generation; /* its number */
	_Atomic pid_t standby; /* the pool process that stands by, or 0 */
	_Atomic uint32_t starting; /* index of the generation that starts */
	/* Numbers of reloads since the start: the last one that was asked for,
	 * the last for which a generation serves, and the last for which none
	 * could be prepared. */
	_Atomic uint32_t reload_asked, reload_done, reload_failed;
	_Atomic uint32_t draining; /* a stop has begun */
	/* A generation of the program before an upgrade lives. Its slots are on
	 * a scoreboard of its own. */
	_Atomic uint32_t former;
	_Atomic uint32_t upgrades; /* programs that took over so far */
	_Atomic uint32_t quiet; /* the log already has this start's failure */
	/* Why no next generation can be prepared; "": it can. */
	char next_error[SCOREBOARD_REASON_MAX];
	/* Written by the pool process that serves. */
	_Atomic uint32_t state; /* enum scoreboard_state */
	char reason[SCOREBOARD_REASON_MAX];
	struct scoreboard_sessions sessions;
	struct scoreboard_slot slots[SCOREBOARD_SLOTS_MAX];
	struct scoreboard_counters counters;
	struct measures measures;
	_Atomic uint32_t streams_open; /* written by the streams process */
	_Atomic uint32_t busy_max; /* most workers that were busy at a time */
	/* Connections in the listening socket's queue, and the most of them
	 * that were seen. */
	_Atomic uint32_t listen_queue, listen_queue_max;
	struct scoreboard_generation each[SCOREBOARD_GENERATIONS];
	struct scoreboard_stage stages[SCOREBOARD_GENERATIONS];
};

/* Make a scoreboard. Returns its descriptor or a negative errno value. */
int scoreboard_create(void);

/* Map the scoreboard of FD. Guests must never have it, so a forked child does
 * not inherit the mapping. NULL on failure, with errno set. */
struct scoreboard *scoreboard_map(int fd);

/* Map only the page with the start step of the generation INDEX, which children
 * inherit. NULL on failure, with errno set. Unmap it before a process is forked
 * that reads untrusted input. */
struct stage *scoreboard_map_stage(int fd, unsigned index);
void scoreboard_unmap_stage(struct stage *stage);

/* Set the state and its reason. REASON may be "". */
void scoreboard_set_state(struct scoreboard *board,
			  enum scoreboard_state state, const char *reason);

/* Set the reason why the generation INDEX cannot serve. */
void scoreboard_set_reason(struct scoreboard *board, unsigned index,
			   const char *reason);

/* How many slots are in STATE. */
unsigned scoreboard_count(const struct scoreboard *board,
			  enum slot_state state);

#endif
