/* brood - see brood.h. What is heard of the children is in brood_news.c. */
#include "children.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "sandbox/base/io.h"
#include "sandbox/base/log.h"
#include "fcgi/shared/generation.h"
#include "worker.h"

#define BROOD_BACKOFF_MS 10 /* after one early death; doubles */
#define BROOD_BACKOFF_MAX_MS 1000

struct scoreboard_slot *brood_slot(struct zygote *zygote, unsigned slot)
{
	return &zygote->board->slots[zygote->first + slot];
}

unsigned brood_count(struct zygote *zygote, enum slot_state state)
{
	unsigned count = 0;

	for (unsigned i = 0; i < zygote->conf.workers; i++)
		count += atomic_load(&brood_slot(zygote, i)->state) == state;
	return count;
}

bool brood_has_rival(const struct zygote *zygote)
{
	for (unsigned i = 0; i < SCOREBOARD_SLOTS_MAX; i++)
		if ((i < zygote->first ||
		     i >= zygote->first + zygote->conf.workers) &&
		    atomic_load(&zygote->board->slots[i].state) != SLOT_FREE)
			return true;
	return false;
}

void brood_set(struct zygote *zygote, unsigned slot, pid_t pid,
	       enum slot_state state)
{
	if (state == SLOT_FREE || state == SLOT_ARMING)
		atomic_store(&brood_slot(zygote, slot)->guest, 0);
	atomic_store(&brood_slot(zygote, slot)->pid, pid);
	atomic_store(&brood_slot(zygote, slot)->state, state);
	zygote->pids[slot] = pid;
}

bool brood_has_group(const struct zygote *zygote, unsigned group)
{
	return group >= zygote->first &&
	       group - zygote->first < zygote->conf.workers;
}

void brood_keep_groups(struct zygote *zygote)
{
	for (unsigned i = 0; i < zygote->box.slots; i++)
		if (!brood_has_group(zygote, i))
			cgroup_forget(&zygote->box.groups[i]);
}

/* ---- children -------------------------------------------------------- */

static struct worker_place brood_place(struct zygote *zygote, unsigned slot)
{
	const unsigned group = zygote->first + slot;

	return (struct worker_place){
		.conf = &zygote->conf, .box = &zygote->box, .slot = slot,
		.group = group, .cgroup = zygote->box.groups[group],
		.turn = zygote->turn,
		.crowd = zygote->crowd, .entry = CROWD_GRANTS + group,
		.registry = zygote->conf.sessions.max ? GENERATION_REGISTRY
						      : -1,
		.archive = *zygote->conf.artifacts_dir ? GENERATION_ARCHIVE
						       : -1,
		.report = zygote->report_out};
}

/* Workers are slower without; it is no reason not to serve. */
void brood_learn(struct zygote *zygote)
{
	struct worker_place place = brood_place(zygote, 0);
	struct warm *warm = &zygote->box.worker_warm;

	int rc = warm_learn(zygote->box.proc, worker_rehearse, &place, warm);

	if (rc < 0)
		log_warn("which pages workers need could not be learned: %s",
			 log_errno(rc));
	else
		log_info("a worker begins with %zu pages written, %zu read",
			 warm->written.pages, warm->read.pages);
}

/* What is the zygote's alone. The scoreboard is not inherited at all. */
static void brood_close_in_child(struct zygote *zygote)
{
	close(zygote->signals);
	close(zygote->report_in);
	close(GENERATION_NEWS);
	close(GENERATION_BOARD);
}

static void brood_start_worker(struct zygote *zygote, unsigned slot,
			       unsigned cradle)
{
	struct worker_place place = brood_place(zygote, slot);
	int rc = cradle_lay(cradle, &zygote->box.groups[place.group],
			    &place.cgroup);
	pid_t pid = rc < 0 ? -1 : cradle_fork(cradle);

	if (pid == 0) {
		place.born = cradle_keep(cradle);
		if (place.born == 0) /* else they are the zygote's, too */
			brood_close_in_child(zygote);
		worker_main(&place);
	}
	if (pid < 0) {
		log_error("%s: %s", rc < 0 ? "lay a cradle" : "fork a worker",
			  log_errno(rc < 0 ? rc : errno));
		zygote->next_fork = io_now_ms() + BROOD_BACKOFF_MAX_MS;
		return;
	}
	brood_set(zygote, slot, pid, SLOT_ARMING);
	zygote->births[cradle] = (struct brood_birth){slot, pid};
	zygote->forks++;
	atomic_fetch_add(&zygote->board->counters.forks, 1);
}

void brood_start_refuser(struct zygote *zygote)
{
	struct worker_place place = brood_place(zygote, 0);
	char reason[SCOREBOARD_REASON_MAX];

	memcpy(reason, zygote->board->reason, sizeof(reason));
	zygote->refuser = fork();
	if (zygote->refuser == 0) {
		brood_close_in_child(zygote);
		worker_refuse_main(&place, reason);
	}
	if (zygote->refuser < 0) {
		log_error("fork: %s", log_errno(errno));
		zygote->refuser = 0; /* tried again at the next failure */
	}
}

void brood_stop_refuser(struct zygote *zygote)
{
	if (zygote->refuser > 0)
		kill(zygote->refuser, SIGKILL);
	zygote->refuser = 0;
}

static int brood_free_slot(const struct zygote *zygote)
{
	for (unsigned i = 0; i < zygote->conf.workers; i++)
		if (zygote->pids[i] == 0)
			return (int)i;
	return -1;
}

static bool brood_lies(const struct zygote *zygote, unsigned cradle)
{
	const struct brood_birth *birth = &zygote->births[cradle];

	return birth->pid != 0 && zygote->pids[birth->slot] == birth->pid &&
	       !cradle_is_left(cradle);
}

bool brood_shares(const struct zygote *zygote)
{
	for (unsigned i = 0; i < CRADLES_MAX; i++)
		if (brood_lies(zygote, i))
			return true;
	return false;
}

static int brood_free_cradle(const struct zygote *zygote)
{
	for (unsigned i = 0; i < cradle_count(zygote->box.cores); i++)
		if (!brood_lies(zygote, i))
			return (int)i;
	return -1;
}

/* Does the pool lack a worker that may be forked now? */
static bool brood_lacks(struct zygote *zygote, unsigned want)
{
	unsigned arming = brood_count(zygote, SLOT_ARMING);

	return arming < cradle_count(zygote->box.cores) &&
	       arming + brood_count(zygote, SLOT_IDLE) < want;
}

/* Who is being served needs the processors more than who may come, as long
 * as half of the workers still stand ready. */
static bool brood_settles(struct zygote *zygote)
{
	return io_now_ms() < zygote->settle &&
	       brood_count(zygote, SLOT_IDLE) > zygote->conf.armed / 2;
}

void brood_fill(struct zygote *zygote)
{
	unsigned want = zygote->conf.armed;

	if (brood_settles(zygote))
		return;
	/* Without a guest that can be armed, one try at a time is enough. */
	if (zygote->arm_failures >= BROOD_ARM_FAILURES)
		want = 1;
	while (!zygote->leaving && io_now_ms() >= zygote->next_fork) {
		int slot = brood_free_slot(zygote);
		int cradle = brood_free_cradle(zygote);

		if (slot < 0 || cradle < 0 || !brood_lacks(zygote, want))
			return;
		brood_start_worker(zygote, (unsigned)slot, (unsigned)cradle);
	}
}

void brood_back_off(struct zygote *zygote)
{
	int64_t wait = BROOD_BACKOFF_MS;

	for (unsigned i = 0; i < zygote->bad && wait < BROOD_BACKOFF_MAX_MS;
	     i++)
		wait *= 2;
	zygote->bad++;
	zygote->next_fork = io_now_ms() + (wait < BROOD_BACKOFF_MAX_MS
						   ? wait
						   : BROOD_BACKOFF_MAX_MS);
}

unsigned brood_alive(const struct zygote *zygote)
{
	unsigned count = 0;

	for (unsigned i = 0; i < zygote->conf.workers; i++)
		count += zygote->pids[i] != 0;
	return count;
}
