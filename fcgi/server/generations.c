/* succession - see succession.h. */
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

#define SUCCESSION_BACKOFF_MS 100 /* after one failure; doubles */
#define SUCCESSION_BACKOFF_SERVING_MS 2000
#define SUCCESSION_BACKOFF_MAX_MS 30000
#define SUCCESSION_REPEAT_MS 600000 /* so often the same failure is told */
#define SUCCESSION_IDLE_MS 10000 /* longest wait for an idle pool */
#define SUCCESSION_TELL_MS 5000 /* so often a start is told of */

int succession_read(const char *path, struct bytes *text, struct conf *conf,
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

void succession_init(struct succession *line, struct scoreboard *board,
		     int board_fd, int listener, int registry, int archive,
		     int queue, int crowd)
{
	line->board = board;
	line->board_fd = board_fd;
	line->listener = listener;
	line->registry = registry;
	line->archive = archive;
	line->queue = queue;
	line->crowd = crowd;
	line->held = crowd_map(crowd);
	if (!line->held ||
	    madvise(line->held, sizeof(*line->held), MADV_DONTFORK) < 0)
		die("map the crowd: %s", log_errno(errno));
	line->current = -1;
	line->standby = board->generations > 2;
	line->may_hurry = line->standby && succession_may_hurry();
	for (size_t i = 0; i < SUCCESSION_ROOM; i++)
		line->row[i] = (struct succession_generation){
			.leave = -1, .life = -1, .news = -1, .orders = -1,
			.serve = -1};
}

/* ---- which is which -------------------------------------------------- */

enum succession_state { SUCCESSION_GONE, /* dead, or told to leave */
			SUCCESSION_PREPARING, SUCCESSION_STANDBY,
			SUCCESSION_ARMING, SUCCESSION_SERVES };

static enum succession_state succession_state(
	const struct succession_generation *row)
{
	if (!row->there || row->zygote == 0 || row->leave < 0)
		return SUCCESSION_GONE;
	return row->ready      ? SUCCESSION_SERVES
	       : row->called   ? SUCCESSION_ARMING
	       : row->prepared ? SUCCESSION_STANDBY
			       : SUCCESSION_PREPARING;
}

/* The last begun in STATE, or -1. */
static int succession_find(const struct succession *line,
			   enum succession_state state)
{
	int found = -1;

	for (int i = 0; i < SUCCESSION_ROOM; i++)
		if (succession_state(&line->row[i]) == state &&
		    (found < 0 ||
		     line->row[i].number > line->row[found].number))
			found = i;
	return found;
}

/* The one that serves; NULL: none. */
static const struct succession_generation *succession_present(
	const struct succession *line)
{
	return line->current < 0 ? NULL : &line->row[line->current];
}

/* Shall another one than the present one serve? */
static bool succession_wanted(const struct succession *line)
{
	const struct succession_generation *now = succession_present(line);

	return !now || now->old || now->number < line->needed;
}

/* May the prepared one INDEX serve? Not if that would bring nothing new; but
 * rather than grow old for ever, when its successors fail. */
static bool succession_suits(const struct succession *line, int index)
{
	const struct succession_generation *row = &line->row[index];
	const struct succession_generation *now = succession_present(line);

	return !now || row->edition == line->edition ||
	       row->edition > now->edition || (now->old && line->failures);
}

/* Does one arm workers, and may come to serve? Not one that can arm none, once
 * a later one was asked for; it answers why until that one serves. */
static bool succession_is_arming(const struct succession *line)
{
	int index = succession_find(line, SUCCESSION_ARMING);

	return index >= 0 &&
	       (line->current >= 0 ||
		line->row[index].number >= line->needed ||
		atomic_load(&line->board->state) != SCOREBOARD_STOPPED);
}

/* Clients wait for the next one. */
static bool succession_urgent(const struct succession *line)
{
	const struct succession_generation *now = succession_present(line);

	return !now || now->edition != line->edition;
}

static void succession_show_standby(struct succession *line)
{
	int index = succession_find(line, SUCCESSION_STANDBY);

	atomic_store(&line->board->standby,
		     index < 0 ? 0 : line->row[index].zygote);
}

static void succession_retire(struct succession_generation *row)
{
	base_release_fd(&row->leave);
}

/* One that does not stand yet, and never shall. */
static void succession_give_up(struct succession_generation *row)
{
	succession_retire(row);
	kill(-row->group, SIGKILL);
}

void succession_reload(struct succession *line, struct bytes text)
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

void succession_renew(struct succession *line)
{
	for (int i = 0; i < SUCCESSION_ROOM; i++) {
		enum succession_state state = succession_state(&line->row[i]);

		if (state != SUCCESSION_GONE && state != SUCCESSION_SERVES)
			succession_give_up(&line->row[i]);
	}
	line->edition++;
	line->needed = line->begun + 1;
	line->not_before = 0;
}

/* ---- failures -------------------------------------------------------- */

/* While one serves there is no hurry, and each try costs seconds. */
static int64_t succession_delay(struct succession *line)
{
	int64_t wait = line->current < 0 ? SUCCESSION_BACKOFF_MS
					 : SUCCESSION_BACKOFF_SERVING_MS;

	for (unsigned i = 0;
	     i < line->failures && wait < SUCCESSION_BACKOFF_MAX_MS; i++)
		wait *= 2;
	if (wait > SUCCESSION_BACKOFF_MAX_MS)
		wait = SUCCESSION_BACKOFF_MAX_MS;
	line->failures++;
	line->not_before = io_now_ms() + wait;
	return wait;
}

/* Has the last try failed as well, and was that told of? */
static bool succession_quiet(const struct succession *line)
{
	return line->current >= 0 && line->failures > 0 &&
	       io_now_ms() - line->told_ms < SUCCESSION_REPEAT_MS;
}

/* An operator reads of it in the status; the log has each reason once. */
static void succession_trouble(struct succession *line, const char *words,
			       bool quiet, int64_t wait)
{
	struct scoreboard *board = line->board;

	if (!quiet || strcmp(words, board->trouble) != 0) {
		log_error("the next generation cannot serve, the present one "
			  "goes on: %s (tried again in %lld s, later twice a "
			  "minute, told again after %d minutes)", words,
			  (long long)(wait + 999) / 1000,
			  SUCCESSION_REPEAT_MS / 60000);
		line->told_ms = io_now_ms();
	}
	snprintf(board->trouble, sizeof(board->trouble), "%s", words);
}

/* The generation INDEX cannot serve, because of HOW unless it has said more
 * itself. */
static void succession_failed(struct succession *line, int index,
			      const char *how)
{
	struct scoreboard *board = line->board;
	const char *own = board->each[index].reason;
	char words[SCOREBOARD_REASON_MAX];
	const bool quiet = succession_quiet(line);

	snprintf(words, sizeof(words), "%s", *own ? own : how);
	atomic_fetch_add(&board->counters.generation_failures, 1);
	int64_t wait = succession_delay(line);

	if (line->current >= 0)
		succession_trouble(line, words, quiet, wait);
	else if (scoreboard_count(board, SLOT_IDLE) +
			 scoreboard_count(board, SLOT_BUSY) == 0)
		scoreboard_set_state(board, SCOREBOARD_STOPPED, words);
}

static void succession_succeeded(struct succession *line)
{
	line->failures = 0;
	*line->board->trouble = '\0';
}

/* ---- start ----------------------------------------------------------- */

static void succession_start(struct succession *line, int index)
{
	struct scoreboard *board = line->board;
	struct succession_generation *row = &line->row[index];

	atomic_store(&board->starting, (unsigned)index);
	atomic_store(&board->quiet, succession_quiet(line));
	atomic_store(&board->each[index].mold, 0);
	*board->each[index].reason = '\0';
	stage_begin(&board->stages[index].stage);
	line->busy_since = 0;
	int rc = succession_spawn(line, row);

	if (rc < 0) {
		log_error("start a zygote: %s", log_errno(rc));
		succession_delay(line);
	} else if (line->may_hurry && !succession_urgent(line)) {
		succession_slow(row);
	}
}

/* The prepared one INDEX shall serve. */
static void succession_call(struct succession *line, int index)
{
	struct succession_generation *row = &line->row[index];

	succession_hurry(row);
	if (write(row->serve, "s", 1) < 0) /* then we hear of its death */
		log_warn("tell a zygote to serve: %s", log_errno(errno));
	base_release_fd(&row->serve);
	row->called = true;
	row->began_ms = row->told_ms = io_now_ms();
	row->stall = (struct stall){0};
	line->number++;
}

static void succession_stalled(struct succession *line, int index)
{
	const struct stage *stage = &line->board->stages[index].stage;
	char words[SCOREBOARD_REASON_MAX];

	snprintf(words, sizeof(words),
		 "the start stands still: step=\"%s\" stall_s=%d; it is given "
		 "up", stage_words(stage), line->stall_ms / 1000);
	if (line->current < 0)
		log_error("%s", words);
	succession_give_up(&line->row[index]);
	line->hopeless = !line->ever_ready;
	succession_failed(line, index, words);
}

static void succession_tell(struct succession *line,
			    struct succession_generation *row,
			    const struct stage *stage, int64_t now)
{
	if (now - row->told_ms < SUCCESSION_TELL_MS)
		return;
	row->told_ms = now;
	if (!succession_wanted(line))
		return;
	log_info("starting: step=\"%s\" elapsed_s=%lld", stage_words(stage),
		 (long long)(now - row->began_ms) / 1000);
	/* A service manager has a bound of its own (sd_notify(3)). */
	notify_send("EXTEND_TIMEOUT_USEC=30000000");
}

/* Nothing but the start itself knows how long it takes on this machine. One
 * that cannot arm a guest has said why, and is not a start any more; the
 * board's state may still be that of the start before. */
static void succession_watch(struct succession *line, int index)
{
	struct succession_generation *row = &line->row[index];
	const struct stage *stage = &line->board->stages[index].stage;
	enum succession_state state = succession_state(row);
	int64_t now = io_now_ms();

	if ((state != SUCCESSION_PREPARING && state != SUCCESSION_ARMING) ||
	    (atomic_load(&stage->step) == STAGE_ARM &&
	     atomic_load(&line->board->state) == SCOREBOARD_STOPPED))
		return;
	if (succession_urgent(line))
		succession_hurry(row);
	succession_tell(line, row, stage, now);
	if (stall_stands(&row->stall, stage_moved(stage, row->zygote), now,
			 line->stall_ms))
		succession_stalled(line, index);
}

/* One that stands by is begun at once if it can be slow; else when nothing
 * runs, or when something has run for long. */
static bool succession_is_idle(struct succession *line)
{
	if (line->may_hurry)
		return true;
	if (line->busy_since == 0)
		line->busy_since = io_now_ms();
	return scoreboard_count(line->board, SLOT_BUSY) == 0 ||
	       io_now_ms() - line->busy_since >= SUCCESSION_IDLE_MS;
}

/* One is prepared at a time. */
static bool succession_may_begin(struct succession *line)
{
	if (succession_find(line, SUCCESSION_PREPARING) >= 0 ||
	    succession_is_arming(line) || io_now_ms() < line->not_before)
		return false;
	return succession_wanted(line) ||
	       (line->standby &&
		succession_find(line, SUCCESSION_STANDBY) < 0 &&
		succession_is_idle(line));
}

/* A place for one more; what stands by in vain makes room for it. -1 while
 * somebody of the generation before the last still runs. */
static int succession_room(struct succession *line)
{
	int standby = succession_find(line, SUCCESSION_STANDBY);

	for (unsigned i = 0; i < line->board->generations; i++)
		if (!line->row[i].there)
			return (int)i;
	if (standby >= 0)
		succession_give_up(&line->row[standby]);
	return -1;
}

/* What stands by serves if it shall, and goes if it is of no use any more. */
static void succession_use(struct succession *line)
{
	int standby = succession_find(line, SUCCESSION_STANDBY);

	if (standby < 0)
		return;
	if (!succession_wanted(line)) {
		if (line->row[standby].number < line->needed)
			succession_give_up(&line->row[standby]);
	} else if (succession_suits(line, standby) &&
		   !succession_is_arming(line)) {
		succession_call(line, standby);
	}
}

void succession_keep(struct succession *line)
{
	for (int i = 0; i < SUCCESSION_ROOM; i++)
		succession_watch(line, i);
	succession_use(line);
	int room = succession_may_begin(line) ? succession_room(line) : -1;

	if (room >= 0)
		succession_start(line, room);
	succession_show_standby(line);
}

/* ---- news ------------------------------------------------------------ */

static void succession_prepared(struct succession *line, int index)
{
	line->row[index].prepared = true;
	if (!succession_wanted(line))
		succession_succeeded(line);
	if (!line->standby || line->current < 0 || line->measured)
		return;
	line->measured = true;
	log_info("the next generation stands by: memory_mb=%llu "
		 "(pool.standby)",
		 (unsigned long long)footprint_mb(line->row[index].group));
}

static void succession_ready(struct succession *line, int index)
{
	struct scoreboard *board = line->board;

	line->row[index].ready = true;
	line->current = index;
	line->ever_ready = true;
	succession_succeeded(line);
	atomic_store(&board->generation, line->number);
	atomic_store(&board->zygote, line->row[index].zygote);
	atomic_store(&board->mold, atomic_load(&board->each[index].mold));
	atomic_fetch_add(&board->counters.generations, 1);
	log_info("generation %u stands armed", line->number);
	for (int i = 0; i < SUCCESSION_ROOM; i++)
		if (i != index && line->row[i].called)
			succession_retire(&line->row[i]);
}

/* A new generation that cannot serve leaves the field to the old one. */
static void succession_reject(struct succession *line, int index)
{
	struct succession_generation *row = &line->row[index];

	if (row->ready || row->leave < 0)
		return;
	succession_give_up(row);
	succession_failed(line, index, "no guest can be armed");
}

static void succession_read_news(struct succession *line, int index)
{
	char byte;

	while (line->row[index].news >= 0 &&
	       read(line->row[index].news, &byte, 1) == 1) {
		if (byte == GENERATION_PREPARED)
			succession_prepared(line, index);
		else if (byte == GENERATION_READY)
			succession_ready(line, index);
		else if (byte == GENERATION_OLD)
			line->row[index].old = true;
		else if (byte == GENERATION_UNFIT)
			succession_reject(line, index);
	}
}

/* The worker of SLOT, of all the scoreboard's, has no zygote to say so: its
 * client holds it no more. */
static void succession_free(struct succession *line, size_t slot)
{
	atomic_store(&line->board->slots[slot].pid, 0);
	atomic_store(&line->board->slots[slot].guest, 0);
	atomic_store(&line->board->slots[slot].state, SLOT_FREE);
	atomic_store(&line->held->running[CROWD_GRANTS + slot], 0);
}

/* All of it is gone: its slots are free for a new one. */
static void succession_forget(struct succession *line, int index)
{
	struct succession_generation *row = &line->row[index];
	unsigned first = (unsigned)index * line->board->workers;

	for (unsigned i = 0; i < line->board->workers; i++)
		succession_free(line, first + i);
	succession_close(row);
	row->there = false;
}

static bool succession_hung_up(int fd)
{
	struct pollfd polled = {.fd = fd};

	return poll(&polled, 1, 0) > 0 && (polled.revents & POLLHUP);
}

size_t succession_poll(const struct succession *line, struct pollfd *polled)
{
	size_t count = 0;

	for (size_t i = 0; i < SUCCESSION_ROOM; i++) {
		if (!line->row[i].there)
			continue;
		if (line->row[i].zygote > 0) /* else it is only a hang-up */
			polled[count++] = (struct pollfd){
				.fd = line->row[i].news, .events = POLLIN};
		polled[count++] = (struct pollfd){.fd = line->row[i].life};
	}
	return count;
}

void succession_hear(struct succession *line)
{
	for (int i = 0; i < SUCCESSION_ROOM; i++) {
		if (!line->row[i].there)
			continue;
		succession_read_news(line, i);
		if (line->row[i].zygote == 0 &&
		    succession_hung_up(line->row[i].life))
			succession_forget(line, i);
	}
}

/* ---- deaths ---------------------------------------------------------- */

/* A worker whose zygote is dead was ours to bury. */
static void succession_buried_worker(struct succession *line, pid_t pid)
{
	for (size_t i = 0; i < SCOREBOARD_SLOTS_MAX; i++)
		if (atomic_load(&line->board->slots[i].pid) == pid)
			succession_free(line, i);
}

static void succession_say_death(const struct succession *line, int status)
{
	if (WIFSIGNALED(status))
		log_error("a zygote was killed by signal %d; its workers go "
			  "on until the next generation stands",
			  WTERMSIG(status));
	else if (!atomic_load(&line->board->quiet))
		log_error("a zygote has ended with status %d",
			  WEXITSTATUS(status));
}

static void succession_zygote_died(struct succession *line, int index,
				   int status)
{
	struct succession_generation *row = &line->row[index];
	bool expected = row->leave < 0; /* it was told to leave */

	succession_read_news(line, index);
	row->zygote = 0;
	if (!row->ready) /* it would keep the room of the next try */
		succession_retire(row);
	if (expected)
		return;
	succession_say_death(line, status);
	if (index == line->current) {
		line->current = -1;
		atomic_store(&line->board->zygote, 0);
		atomic_store(&line->board->mold, 0);
	}
	line->hopeless = !line->ever_ready && WIFEXITED(status);
	if (row->ready)
		line->not_before = 0;
	else
		succession_failed(line, index, "its zygote has died");
}

void succession_buried(struct succession *line, pid_t pid, int status)
{
	for (int i = 0; i < SUCCESSION_ROOM; i++)
		if (line->row[i].there && line->row[i].zygote == pid) {
			succession_zygote_died(line, i, status);
			return;
		}
	succession_buried_worker(line, pid);
}

/* ---- the end --------------------------------------------------------- */

/* One that has no worker yet has nothing to finish. */
void succession_retire_all(struct succession *line)
{
	for (size_t i = 0; i < SUCCESSION_ROOM; i++) {
		enum succession_state state = succession_state(&line->row[i]);

		if (state == SUCCESSION_PREPARING ||
		    state == SUCCESSION_STANDBY)
			succession_give_up(&line->row[i]);
		succession_retire(&line->row[i]);
	}
}

void succession_kill(struct succession *line)
{
	succession_retire_all(line);
	/* The group's number is not used again while one of it lives. */
	for (size_t i = 0; i < SUCCESSION_ROOM; i++)
		if (line->row[i].there &&
		    !succession_hung_up(line->row[i].life))
			kill(-line->row[i].group, SIGKILL);
}

bool succession_serving(const struct succession *line)
{
	return line->current >= 0;
}

int succession_orders(const struct succession *line)
{
	return line->current < 0 ? -1 : line->row[line->current].orders;
}

bool succession_gone(const struct succession *line)
{
	for (size_t i = 0; i < SUCCESSION_ROOM; i++)
		if (line->row[i].there)
			return false;
	return true;
}

void succession_close_in_child(struct succession *line)
{
	for (size_t i = 0; i < SUCCESSION_ROOM; i++)
		succession_close(&line->row[i]);
}
