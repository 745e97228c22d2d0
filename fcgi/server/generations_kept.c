/*
 * generations_kept - the generations that one program leaves to the next: the
 * functions for an upgrade of generations.h.
 */
#include <string.h>

#include "generations.h"

void generations_hand_over(struct generations *all,
			   struct generations_kept *kept)
{
	const struct scoreboard *board = all->board;

	generations_abort_others(all);
	*kept = (struct generations_kept){
		.current = all->current,
		.edition = all->edition,
		.number = all->number,
		.started = all->started,
		.needed = all->needed,
		.ever_ready = all->ever_ready,
		.measured = all->measured,
		.fork_server = atomic_load(&board->fork_server),
		.reload_asked = atomic_load(&board->reload_asked),
		.reload_done = atomic_load(&board->reload_done),
		.reload_failed = atomic_load(&board->reload_failed)};
	memcpy(kept->handles, all->handles, sizeof(kept->handles));
}

void generations_take_over(struct generations *all,
			   const struct generations_kept *kept)
{
	struct scoreboard *board = all->board;

	memcpy(all->handles, kept->handles, sizeof(all->handles));
	all->current = all->former = kept->current;
	all->edition = kept->edition;
	all->number = kept->number;
	all->started = kept->started;
	all->needed = kept->needed;
	all->ever_ready = kept->ever_ready;
	all->measured = kept->measured;
	atomic_store(&board->reload_asked, kept->reload_asked);
	atomic_store(&board->reload_done, kept->reload_done);
	atomic_store(&board->reload_failed, kept->reload_failed);
	atomic_store(&board->generation, kept->number);
	if (kept->current < 0)
		return;
	atomic_store(&board->former, 1);
	atomic_store(&board->pool, all->handles[kept->current].pool);
	atomic_store(&board->fork_server, kept->fork_server);
	scoreboard_set_state(board, SCOREBOARD_SERVING, "");
}

void generations_accept(struct generations *all, struct bytes text)
{
	const struct generation_handle *now =
		all->current < 0 ? NULL : &all->handles[all->current];

	free(all->text.data);
	all->text = text;
	if (!now)
		return;
	all->needed = now->number;
	all->edition = now->edition;
}
