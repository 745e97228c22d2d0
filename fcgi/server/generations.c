/* generations - see generations.h. */
#include "generations.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "sandbox/base/io.h"
#include "fcgi/shared/client_share.h"
#include "footprint.h"
#include "fcgi/shared/generation.h"
#include "notify.h"
#include "generations_spawn.h"

#define GENERATIONS_BACKOFF_MS 100 /* after one failure; doubles */
#define GENERATIONS_BACKOFF_SERVING_MS 2000
#define GENERATIONS_BACKOFF_MAX_MS 30000
#define GENERATIONS_REPEAT_MS 600000 /* so often the same failure is told */
#define GENERATIONS_IDLE_MS 10000 /* longest wait for an idle pool */
#define GENERATIONS_TELL_MS 5000 /* so often a start is told of */

int generations_read(const char *path, struct bytes *text, struct conf *conf,
		     char error[CONF_ERROR_MAX])
{
	int rc = io_read_file(AT_FDCWD, path, CONF_TEXT_MAX, text);

	if (rc < 0) {
		snprintf(error, CONF_ERROR_MAX, "read %.200s: %s", path,
			 log_errno(rc));
		return rc;
	}
	rc = conf_parse(conf, path, text->data, text->size, error);
	if (rc < 0) {
		conf_free(conf);
		free(text->data);
		*text = (struct bytes){0};
	}
	return rc;
}

void generations_init(struct generations *line, struct scoreboard *board,
		      int board_fd, int listener, int registry, int archive,
		      int queue, int shares)
{
	line->board = board;
	line->board_fd = board_fd;
	line->listener = listener;
	line->registry = registry;
	line->archive = archive;
	line->queue = queue;
	line->shares = shares;
	line->held = client_share_map(shares);
	if (!line->held ||
	    madvise(line->held, sizeof(*line->held), MADV_DONTFORK) < 0)
		die("map the client shares: %s", log_errno(errno));
	line->current = -1;
	line->standby = board->generations > 2;
	line->may_hurry = line->standby && generations_may_hurry();
	for (size_t i = 0; i < GENERATIONS_ROOM; i++)
		line->row[i] = (struct generations_generation){.leave = -1,
							       .life = -1,
							       .news = -1,
							       .orders = -1,
							       .serve = -1};
}

/* ---- which is which -------------------------------------------------- */

enum generations_state {
	GENERATIONS_GONE, /* dead, or told to leave */
	GENERATIONS_PREPARING,
	GENERATIONS_STANDBY,
	GENERATIONS_ARMING,
	GENERATIONS_SERVES
};

static enum generations_state
generations_state(const struct generations_generation *row)
{
	if (!row->there || row->pool == 0 || row->leave < 0)
		return GENERATIONS_GONE;
	return row->ready      ? GENERATIONS_SERVES
	       : row->called   ? GENERATIONS_ARMING
	       : row->prepared ? GENERATIONS_STANDBY
			       : GENERATIONS_PREPARING;
}

/* The last begun in STATE, or -1. */
static int generations_find(const struct generations *line,
			    enum generations_state state)
{
	int found = -1;

	for (int i = 0; i < GENERATIONS_ROOM; i++)
		if (generations_state(&line->row[i]) == state &&
		    (found < 0 ||
		     line->row[i].number > line->row[found].number))
			found = i;
	return found;
}

/* The one that serves; NULL: none. */
static const struct generations_generation *
generations_present(const struct generations *line)
{
	return line->current < 0 ? NULL : &line->row[line->current];
}

/* Shall another one than the present one serve? */
static bool generations_wanted(const struct generations *line)
{
	const struct generations_generation *now = generations_present(line);

	return !now || now->old || now->number < line->needed;
}

/* May the prepared one INDEX serve? Not if that would bring nothing new; but
 * rather than grow old for ever, when its successors fail. */
static bool generations_suits(const struct generations *line, int index)
{
	const struct generations_generation *row = &line->row[index];
	const struct generations_generation *now = generations_present(line);

	return !now || row->edition == line->edition ||
	       row->edition > now->edition || (now->old && line->failures);
}

/* Does one arm workers, and may come to serve? Not one that can arm none, once
 * a later one was asked for; it answers why until that one serves. */
static bool generations_is_arming(const struct generations *line)
{
	int index = generations_find(line, GENERATIONS_ARMING);

	return index >= 0 &&
	       (line->current >= 0 ||
		line->row[index].number >= line->needed ||
		atomic_load(&line->board->state) != SCOREBOARD_STOPPED);
}

/* Clients wait for the next one. */
static bool generations_urgent(const struct generations *line)
{
	const struct generations_generation *now = generations_present(line);

	return !now || now->edition != line->edition;
}

static void generations_show_standby(struct generations *line)
{
	int index = generations_find(line, GENERATIONS_STANDBY);

	atomic_store(&line->board->standby,
		     index < 0 ? 0 : line->row[index].pool);
}

static void generations_retire(struct generations_generation *row)
{
	base_release_fd(&row->leave);
}

/* One that does not stand yet, and never shall. */
static void generations_give_up(struct generations_generation *row)
{
	generations_retire(row);
	kill(-row->group, SIGKILL);
}

void generations_reload(struct generations *line, struct bytes text)
{
	if (text.size != line->text.size ||
	    memcmp(text.data, line->text.data, text.size) != 0)
		line->edition++;
	free(line->text.data);
	line->text = text;
	line->needed = line->begun + 1;
	line->not_before = 0;
	line->failures = 0; /* an operator who asks again is told again */
}

void generations_renew(struct generations *line)
{
	for (int i = 0; i < GENERATIONS_ROOM; i++) {
		enum generations_state state = generations_state(&line->row[i]);

		if (state != GENERATIONS_GONE && state != GENERATIONS_SERVES)
			generations_give_up(&line->row[i]);
	}
	line->edition++;
	line->needed = line->begun + 1;
	line->not_before = 0;
}

/* ---- failures -------------------------------------------------------- */

/* While one serves there is no hurry, and each try costs seconds. */
static int64_t generations_delay(struct generations *line)
{
	int64_t wait = line->current < 0 ? GENERATIONS_BACKOFF_MS
					 : GENERATIONS_BACKOFF_SERVING_MS;

	for (unsigned i = 0;
	     i < line->failures && wait < GENERATIONS_BACKOFF_MAX_MS; i++)
		wait *= 2;
	if (wait > GENERATIONS_BACKOFF_MAX_MS)
		wait = GENERATIONS_BACKOFF_MAX_MS;
	line->failures++;
	line->not_before = io_now_ms() + wait;
	return wait;
}

/* Has the last try failed as well, and was that told of? */
static bool generations_quiet(const struct generations *line)
{
	return line->current >= 0 && line->failures > 0 &&
	       io_now_ms() - line->told_ms < GENERATIONS_REPEAT_MS;
}

/* An operator reads of it in the status; the log has each reason once. */
static void generations_trouble(struct generations *line, const char *words,
				bool quiet, int64_t wait)
{
	struct scoreboard *board = line->board;

	if (!quiet || strcmp(words, board->trouble) != 0) {
		log_error("the next generation cannot serve, the present one "
			  "goes on: %s (tried again in %lld s, later twice a "
			  "minute, told again after %d minutes)",
			  words, (long long)(wait + 999) / 1000,
			  GENERATIONS_REPEAT_MS / 60000);
		line->told_ms = io_now_ms();
	}
	snprintf(board->trouble, sizeof(board->trouble), "%s", words);
}

/* The generation INDEX cannot serve, because of HOW unless it has said more
 * itself. */
static void generations_failed(struct generations *line, int index,
			       const char *how)
{
	struct scoreboard *board = line->board;
	const char *own = board->each[index].reason;
	char words[SCOREBOARD_REASON_MAX];
	const bool quiet = generations_quiet(line);

	snprintf(words, sizeof(words), "%s", *own ? own : how);
	atomic_fetch_add(&board->counters.generation_failures, 1);
	int64_t wait = generations_delay(line);

	if (line->current >= 0)
		generations_trouble(line, words, quiet, wait);
	else if (scoreboard_count(board, SLOT_IDLE) +
			 scoreboard_count(board, SLOT_BUSY) == 0)
		scoreboard_set_state(board, SCOREBOARD_STOPPED, words);
}

static void generations_succeeded(struct generations *line)
{
	line->failures = 0;
	*line->board->trouble = '\0';
}

/* ---- start ----------------------------------------------------------- */

static void generations_start(struct generations *line, int index)
{
	struct scoreboard *board = line->board;
	struct generations_generation *row = &line->row[index];

	atomic_store(&board->starting, (unsigned)index);
	atomic_store(&board->quiet, generations_quiet(line));
	atomic_store(&board->each[index].fork_server, 0);
	*board->each[index].reason = '\0';
	stage_begin(&board->stages[index].stage);
	line->busy_since = 0;
	int rc = generations_spawn(line, row);

	if (rc < 0) {
		log_error("start a pool process: %s", log_errno(rc));
		generations_delay(line);
	} else if (line->may_hurry && !generations_urgent(line)) {
		generations_slow(row);
	}
}

/* The prepared one INDEX shall serve. */
static void generations_call(struct generations *line, int index)
{
	struct generations_generation *row = &line->row[index];

	generations_hurry(row);
	if (write(row->serve, "s", 1) < 0) /* then we hear of its death */
		log_warn("tell a pool process to serve: %s", log_errno(errno));
	base_release_fd(&row->serve);
	row->called = true;
	row->began_ms = row->told_ms = io_now_ms();
	row->stall = (struct stall){0};
	line->number++;
}

static void generations_stalled(struct generations *line, int index)
{
	const struct stage *stage = &line->board->stages[index].stage;
	char words[SCOREBOARD_REASON_MAX];

	snprintf(words, sizeof(words),
		 "the start stands still: step=\"%s\" stall_s=%d; it is given "
		 "up", stage_words(stage), line->stall_ms / 1000);
	if (line->current < 0)
		log_error("%s", words);
	generations_give_up(&line->row[index]);
	line->hopeless = !line->ever_ready;
	generations_failed(line, index, words);
}

static void generations_tell(struct generations *line,
			     struct generations_generation *row,
			     const struct stage *stage, int64_t now)
{
	if (now - row->told_ms < GENERATIONS_TELL_MS)
		return;
	row->told_ms = now;
	if (!generations_wanted(line))
		return;
	log_info("starting: step=\"%s\" elapsed_s=%lld", stage_words(stage),
		 (long long)(now - row->began_ms) / 1000);
	/* A service manager has a bound of its own (sd_notify(3)). */
	notify_send("EXTEND_TIMEOUT_USEC=30000000");
}

/* Nothing but the start itself knows how long it takes on this machine. One
 * that cannot arm a guest has said why, and is not a start any more; the
 * board's state may still be that of the start before. */
static void generations_watch(struct generations *line, int index)
{
	struct generations_generation *row = &line->row[index];
	const struct stage *stage = &line->board->stages[index].stage;
	enum generations_state state = generations_state(row);
	int64_t now = io_now_ms();

	if ((state != GENERATIONS_PREPARING && state != GENERATIONS_ARMING) ||
	    (atomic_load(&stage->step) == STAGE_ARM &&
	     atomic_load(&line->board->state) == SCOREBOARD_STOPPED))
		return;
	if (generations_urgent(line))
		generations_hurry(row);
	generations_tell(line, row, stage, now);
	if (stall_stands(&row->stall, stage_moved(stage, row->pool), now,
			 line->stall_ms))
		generations_stalled(line, index);
}

/* One that stands by is begun at once if it can be slow; else when nothing
 * runs, or when something has run for long. */
static bool generations_is_idle(struct generations *line)
{
	if (line->may_hurry)
		return true;
	if (line->busy_since == 0)
		line->busy_since = io_now_ms();
	return scoreboard_count(line->board, SLOT_BUSY) == 0 ||
	       io_now_ms() - line->busy_since >= GENERATIONS_IDLE_MS;
}

/* One is prepared at a time. */
static bool generations_may_begin(struct generations *line)
{
	if (generations_find(line, GENERATIONS_PREPARING) >= 0 ||
	    generations_is_arming(line) || io_now_ms() < line->not_before)
		return false;
	return generations_wanted(line) ||
	       (line->standby &&
		generations_find(line, GENERATIONS_STANDBY) < 0 &&
		generations_is_idle(line));
}

/* A place for one more; what stands by in vain makes room for it. -1 while
 * somebody of the generation before the last still runs. */
static int generations_room(struct generations *line)
{
	int standby = generations_find(line, GENERATIONS_STANDBY);

	for (unsigned i = 0; i < line->board->generations; i++)
		if (!line->row[i].there)
			return (int)i;
	if (standby >= 0)
		generations_give_up(&line->row[standby]);
	return -1;
}

/* What stands by serves if it shall, and goes if it is of no use any more. */
static void generations_use(struct generations *line)
{
	int standby = generations_find(line, GENERATIONS_STANDBY);

	if (standby < 0)
		return;
	if (!generations_wanted(line)) {
		if (line->row[standby].number < line->needed)
			generations_give_up(&line->row[standby]);
	} else if (generations_suits(line, standby) &&
		   !generations_is_arming(line)) {
		generations_call(line, standby);
	}
}

void generations_keep(struct generations *line)
{
	for (int i = 0; i < GENERATIONS_ROOM; i++)
		generations_watch(line, i);
	generations_use(line);
	int room = generations_may_begin(line) ? generations_room(line) : -1;

	if (room >= 0)
		generations_start(line, room);
	generations_show_standby(line);
}

/* ---- news ------------------------------------------------------------ */

static void generations_prepared(struct generations *line, int index)
{
	line->row[index].prepared = true;
	if (!generations_wanted(line))
		generations_succeeded(line);
	if (!line->standby || line->current < 0 || line->measured)
		return;
	line->measured = true;
	log_info("the next generation stands by: memory_mb=%llu "
		 "(pool.standby)",
		 (unsigned long long)footprint_mb(line->row[index].group));
}

static void generations_ready(struct generations *line, int index)
{
	struct scoreboard *board = line->board;

	line->row[index].ready = true;
	line->current = index;
	line->ever_ready = true;
	generations_succeeded(line);
	atomic_store(&board->generation, line->number);
	atomic_store(&board->pool, line->row[index].pool);
	atomic_store(&board->fork_server,
		     atomic_load(&board->each[index].fork_server));
	atomic_fetch_add(&board->counters.generations, 1);
	log_info("generation %u stands armed", line->number);
	for (int i = 0; i < GENERATIONS_ROOM; i++)
		if (i != index && line->row[i].called)
			generations_retire(&line->row[i]);
}

/* A new generation that cannot serve leaves the field to the old one. */
static void generations_reject(struct generations *line, int index)
{
	struct generations_generation *row = &line->row[index];

	if (row->ready || row->leave < 0)
		return;
	generations_give_up(row);
	generations_failed(line, index, "no guest can be armed");
}

static void generations_read_news(struct generations *line, int index)
{
	char byte;

	while (line->row[index].news >= 0 &&
	       read(line->row[index].news, &byte, 1) == 1) {
		if (byte == GENERATION_PREPARED)
			generations_prepared(line, index);
		else if (byte == GENERATION_READY)
			generations_ready(line, index);
		else if (byte == GENERATION_OLD)
			line->row[index].old = true;
		else if (byte == GENERATION_UNFIT)
			generations_reject(line, index);
	}
}

/* The worker of SLOT, of all the scoreboard's, has no pool process to say so:
 * its client holds it no more. */
static void generations_free(struct generations *line, size_t slot)
{
	atomic_store(&line->board->slots[slot].pid, 0);
	atomic_store(&line->board->slots[slot].guest, 0);
	atomic_store(&line->board->slots[slot].state, SLOT_FREE);
	atomic_store(&line->held->running[CLIENT_SHARE_GRANTS + slot], 0);
}

/* All of it is gone: its slots are free for a new one. */
static void generations_forget(struct generations *line, int index)
{
	struct generations_generation *row = &line->row[index];
	unsigned first = (unsigned)index * line->board->workers;

	for (unsigned i = 0; i < line->board->workers; i++)
		generations_free(line, first + i);
	generations_close(row);
	row->there = false;
}

static bool generations_hung_up(int fd)
{
	struct pollfd polled = {.fd = fd};

	return poll(&polled, 1, 0) > 0 && (polled.revents & POLLHUP);
}

size_t generations_poll(const struct generations *line, struct pollfd *polled)
{
	size_t count = 0;

	for (size_t i = 0; i < GENERATIONS_ROOM; i++) {
		if (!line->row[i].there)
			continue;
		if (line->row[i].pool > 0) /* else it is only a hang-up */
			polled[count++] = (struct pollfd){
				.fd = line->row[i].news, .events = POLLIN};
		polled[count++] = (struct pollfd){.fd = line->row[i].life};
	}
	return count;
}

void generations_hear(struct generations *line)
{
	for (int i = 0; i < GENERATIONS_ROOM; i++) {
		if (!line->row[i].there)
			continue;
		generations_read_news(line, i);
		if (line->row[i].pool == 0 &&
		    generations_hung_up(line->row[i].life))
			generations_forget(line, i);
	}
}

/* ---- deaths ---------------------------------------------------------- */

/* A worker whose pool process is dead was ours to bury. */
static void generations_buried_worker(struct generations *line, pid_t pid)
{
	for (size_t i = 0; i < SCOREBOARD_SLOTS_MAX; i++)
		if (atomic_load(&line->board->slots[i].pid) == pid)
			generations_free(line, i);
}

static void generations_say_death(const struct generations *line, int status)
{
	if (WIFSIGNALED(status))
		log_error("a pool process was killed by signal %d; its workers "
			  "go "
			  "on until the next generation stands",
			  WTERMSIG(status));
	else if (!atomic_load(&line->board->quiet))
		log_error("a pool process has ended with status %d",
			  WEXITSTATUS(status));
}

static void generations_pool_died(struct generations *line, int index,
				  int status)
{
	struct generations_generation *row = &line->row[index];
	bool expected = row->leave < 0; /* it was told to leave */

	generations_read_news(line, index);
	row->pool = 0;
	if (!row->ready) /* it would keep the room of the next try */
		generations_retire(row);
	if (expected)
		return;
	generations_say_death(line, status);
	if (index == line->current) {
		line->current = -1;
		atomic_store(&line->board->pool, 0);
		atomic_store(&line->board->fork_server, 0);
	}
	line->hopeless = !line->ever_ready && WIFEXITED(status);
	if (row->ready)
		line->not_before = 0;
	else
		generations_failed(line, index, "its pool process has died");
}

void generations_buried(struct generations *line, pid_t pid, int status)
{
	for (int i = 0; i < GENERATIONS_ROOM; i++)
		if (line->row[i].there && line->row[i].pool == pid) {
			generations_pool_died(line, i, status);
			return;
		}
	generations_buried_worker(line, pid);
}

/* ---- the end --------------------------------------------------------- */

/* One that has no worker yet has nothing to finish. */
void generations_retire_all(struct generations *line)
{
	for (size_t i = 0; i < GENERATIONS_ROOM; i++) {
		enum generations_state state = generations_state(&line->row[i]);

		if (state == GENERATIONS_PREPARING ||
		    state == GENERATIONS_STANDBY)
			generations_give_up(&line->row[i]);
		generations_retire(&line->row[i]);
	}
}

void generations_kill(struct generations *line)
{
	generations_retire_all(line);
	/* The group's number is not used again while one of it lives. */
	for (size_t i = 0; i < GENERATIONS_ROOM; i++)
		if (line->row[i].there &&
		    !generations_hung_up(line->row[i].life))
			kill(-line->row[i].group, SIGKILL);
}

bool generations_serving(const struct generations *line)
{
	return line->current >= 0;
}

int generations_orders(const struct generations *line)
{
	return line->current < 0 ? -1 : line->row[line->current].orders;
}

bool generations_gone(const struct generations *line)
{
	for (size_t i = 0; i < GENERATIONS_ROOM; i++)
		if (line->row[i].there)
			return false;
	return true;
}

void generations_close_in_child(struct generations *line)
{
	for (size_t i = 0; i < GENERATIONS_ROOM; i++)
		generations_close(&line->row[i]);
}
