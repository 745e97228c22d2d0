/* generation_failures - see generation_failures.h. */
#include "generation_failures.h"

#include <stdio.h>
#include <string.h>

#include "sandbox/base/io.h"
#include "sandbox/base/log.h"

#define GENERATION_FAILURES_BACKOFF_MS 100 /* after one failure; doubles */
#define GENERATION_FAILURES_BACKOFF_SERVING_MS 2000
#define GENERATION_FAILURES_BACKOFF_MAX_MS 30000
/* Time until the same failure is logged again. */
#define GENERATION_FAILURES_REPEAT_MS 600000

/* The wait before the next try doubles with each failure. It is longer while a
 * generation serves, because each try costs seconds of processor time. */
int64_t generation_failures_delay(struct generations *all)
{
	int64_t wait = all->current < 0
			       ? GENERATION_FAILURES_BACKOFF_MS
			       : GENERATION_FAILURES_BACKOFF_SERVING_MS;

	for (unsigned i = 0;
	     i < all->failures && wait < GENERATION_FAILURES_BACKOFF_MAX_MS;
	     i++)
		wait *= 2;
	if (wait > GENERATION_FAILURES_BACKOFF_MAX_MS)
		wait = GENERATION_FAILURES_BACKOFF_MAX_MS;
	all->failures++;
	all->not_before = io_now_ms() + wait;
	return wait;
}

bool generation_failures_are_quiet(const struct generations *all)
{
	return all->current >= 0 && all->failures > 0 &&
	       io_now_ms() - all->failure_logged_ms <
		       GENERATION_FAILURES_REPEAT_MS;
}

/* Log each reason once, and publish it for the status page. */
static void generation_failures_log(struct generations *all, const char *error,
				    bool quiet, int64_t wait)
{
	struct scoreboard *board = all->board;

	if (!quiet || strcmp(error, board->next_error) != 0) {
		log_error("the next generation cannot serve, the present one "
			  "goes on: retry_s=%lld error=\"%s\" (the same error "
			  "is logged again after %d minutes)",
			  (long long)(wait + 999) / 1000, error,
			  GENERATION_FAILURES_REPEAT_MS / 60000);
		all->failure_logged_ms = io_now_ms();
	}
	snprintf(board->next_error, sizeof(board->next_error), "%s", error);
}

void generation_failures_add_reload(struct generations *all, uint32_t number)
{
	struct scoreboard *board = all->board;

	if (number != 0 && atomic_load(&board->reload_failed) != number)
		atomic_fetch_add(&board->counters.reload_failures, 1);
	atomic_store(&board->reload_failed, number);
}

void generation_failures_add(struct generations *all, int index,
			     const char *how)
{
	struct scoreboard *board = all->board;
	const char *own = board->each[index].reason;
	char error[SCOREBOARD_REASON_MAX];
	const bool quiet = generation_failures_are_quiet(all);

	snprintf(error, sizeof(error), "%s", *own ? own : how);
	atomic_fetch_add(&board->counters.generation_failures, 1);
	int64_t wait = generation_failures_delay(all);

	if (all->current >= 0)
		generation_failures_log(all, error, quiet, wait);
	else if (scoreboard_count(board, SLOT_IDLE) +
			 scoreboard_count(board, SLOT_BUSY) == 0)
		scoreboard_set_state(board, SCOREBOARD_STOPPED, error);
	/* Last, because the reason must be there by then. */
	if (all->handles[index].number >= all->needed)
		generation_failures_add_reload(
			all, atomic_load(&board->reload_asked));
}

void generation_failures_end(struct generations *all)
{
	all->failures = 0;
	memcpy(all->board->next_error, all->refusal, sizeof(all->refusal));
}
