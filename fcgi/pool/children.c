/* children - see children.h. What is heard of the children is in
 * children_news.c. */
#include "children.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "sandbox/base/io.h"
#include "sandbox/base/log.h"
#include "fcgi/shared/generation.h"
#include "worker.h"

#define CHILDREN_BACKOFF_MS 10 /* after one early death; doubles */
#define CHILDREN_BACKOFF_MAX_MS 1000

struct scoreboard_slot *children_slot(struct pool *pool, unsigned slot)
{
	return &pool->board->slots[pool->first + slot];
}

unsigned children_count(struct pool *pool, enum slot_state state)
{
	unsigned count = 0;

	for (unsigned i = 0; i < pool->conf.workers; i++)
		count += atomic_load(&children_slot(pool, i)->state) == state;
	return count;
}

bool children_has_rival(const struct pool *pool)
{
	for (unsigned i = 0; i < SCOREBOARD_SLOTS_MAX; i++)
		if ((i < pool->first ||
		     i >= pool->first + pool->conf.workers) &&
		    atomic_load(&pool->board->slots[i].state) != SLOT_FREE)
			return true;
	return false;
}

void children_set(struct pool *pool, unsigned slot, pid_t pid,
		  enum slot_state state)
{
	if (state == SLOT_FREE || state == SLOT_ARMING)
		atomic_store(&children_slot(pool, slot)->guest, 0);
	atomic_store(&children_slot(pool, slot)->pid, pid);
	atomic_store(&children_slot(pool, slot)->state, state);
	pool->pids[slot] = pid;
}

bool children_has_group(const struct pool *pool, unsigned group)
{
	return group >= pool->first && group - pool->first < pool->conf.workers;
}

void children_keep_groups(struct pool *pool)
{
	for (unsigned i = 0; i < pool->box.slots; i++)
		if (!children_has_group(pool, i))
			cgroup_forget(&pool->box.groups[i]);
}

/* ---- children -------------------------------------------------------- */

static struct worker_place children_place(struct pool *pool, unsigned slot)
{
	const unsigned group = pool->first + slot;

	return (struct worker_place){
		.conf = &pool->conf,
		.box = &pool->box,
		.slot = slot,
		.group = group,
		.cgroup = pool->box.groups[group],
		.accept_queue = pool->accept_queue,
		.shares = pool->shares,
		.entry = CLIENT_SHARE_GRANTS + group,
		.registry = pool->conf.sessions.max ? GENERATION_REGISTRY : -1,
		.archive = *pool->conf.artifacts_dir ? GENERATION_ARCHIVE : -1,
		.report = pool->report_out};
}

/* Workers are slower without; it is no reason not to serve. */
void children_learn(struct pool *pool)
{
	struct worker_place place = children_place(pool, 0);
	struct prefault *prefault = &pool->box.worker_prefault;

	int rc = prefault_learn(pool->box.proc, worker_rehearse, &place,
				prefault);

	if (rc < 0)
		log_warn("which pages workers need could not be learned: %s",
			 log_errno(rc));
	else
		log_info("a worker begins with %zu pages written, %zu read",
			 prefault->written.pages, prefault->read.pages);
}

/* What is the pool process's alone. The scoreboard is not inherited at all. */
static void children_close_in_child(struct pool *pool)
{
	close(pool->signals);
	close(pool->report_in);
	close(GENERATION_NEWS);
	close(GENERATION_BOARD);
}

static void children_start_worker(struct pool *pool, unsigned slot,
				  unsigned set)
{
	struct worker_place place = children_place(pool, slot);
	int rc = worker_fds_lend(set, &pool->box.groups[place.group],
				 &place.cgroup);
	pid_t pid = rc < 0 ? -1 : worker_fds_fork(set);

	if (pid == 0) {
		place.born = worker_fds_keep(set);
		if (place.born == 0) /* else they are the pool process's, too */
			children_close_in_child(pool);
		worker_main(&place);
	}
	if (pid < 0) {
		log_error("%s: %s",
			  rc < 0 ? "lend descriptors" : "fork a worker",
			  log_errno(rc < 0 ? rc : errno));
		pool->next_fork = io_now_ms() + CHILDREN_BACKOFF_MAX_MS;
		return;
	}
	children_set(pool, slot, pid, SLOT_ARMING);
	pool->births[set] = (struct children_birth){slot, pid};
	pool->forks++;
	atomic_fetch_add(&pool->board->counters.forks, 1);
}

void children_start_refuser(struct pool *pool)
{
	struct worker_place place = children_place(pool, 0);
	char reason[SCOREBOARD_REASON_MAX];

	memcpy(reason, pool->board->reason, sizeof(reason));
	pool->refuser = fork();
	if (pool->refuser == 0) {
		children_close_in_child(pool);
		worker_refuse_main(&place, reason);
	}
	if (pool->refuser < 0) {
		log_error("fork: %s", log_errno(errno));
		pool->refuser = 0; /* tried again at the next failure */
	}
}

void children_stop_refuser(struct pool *pool)
{
	if (pool->refuser > 0)
		kill(pool->refuser, SIGKILL);
	pool->refuser = 0;
}

static int children_free_slot(const struct pool *pool)
{
	for (unsigned i = 0; i < pool->conf.workers; i++)
		if (pool->pids[i] == 0)
			return (int)i;
	return -1;
}

static bool children_lies(const struct pool *pool, unsigned set)
{
	const struct children_birth *birth = &pool->births[set];

	return birth->pid != 0 && pool->pids[birth->slot] == birth->pid &&
	       !worker_fds_is_free(set);
}

bool children_shares(const struct pool *pool)
{
	for (unsigned i = 0; i < WORKER_FDS_SETS; i++)
		if (children_lies(pool, i))
			return true;
	return false;
}

static int children_free_fds(const struct pool *pool)
{
	for (unsigned i = 0; i < worker_fds_count(pool->box.cores); i++)
		if (!children_lies(pool, i))
			return (int)i;
	return -1;
}

/* Does the pool lack a worker that may be forked now? */
static bool children_lacks(struct pool *pool, unsigned want)
{
	unsigned arming = children_count(pool, SLOT_ARMING);

	return arming < worker_fds_count(pool->box.cores) &&
	       arming + children_count(pool, SLOT_IDLE) < want;
}

/* Who is being served needs the processors more than who may come, as long
 * as half of the workers still stand ready. */
static bool children_settles(struct pool *pool)
{
	return io_now_ms() < pool->settle &&
	       children_count(pool, SLOT_IDLE) > pool->conf.armed / 2;
}

void children_fill(struct pool *pool)
{
	unsigned want = pool->conf.armed;

	if (children_settles(pool))
		return;
	/* Without a guest that can be armed, one try at a time is enough. */
	if (pool->arm_failures >= CHILDREN_ARM_FAILURES)
		want = 1;
	while (!pool->leaving && io_now_ms() >= pool->next_fork) {
		int slot = children_free_slot(pool);
		int set = children_free_fds(pool);

		if (slot < 0 || set < 0 || !children_lacks(pool, want))
			return;
		children_start_worker(pool, (unsigned)slot, (unsigned)set);
	}
}

void children_back_off(struct pool *pool)
{
	int64_t wait = CHILDREN_BACKOFF_MS;

	for (unsigned i = 0; i < pool->bad && wait < CHILDREN_BACKOFF_MAX_MS;
	     i++)
		wait *= 2;
	pool->bad++;
	pool->next_fork = io_now_ms() + (wait < CHILDREN_BACKOFF_MAX_MS
						 ? wait
						 : CHILDREN_BACKOFF_MAX_MS);
}

unsigned children_alive(const struct pool *pool)
{
	unsigned count = 0;

	for (unsigned i = 0; i < pool->conf.workers; i++)
		count += pool->pids[i] != 0;
	return count;
}
