/* scoreboard - see scoreboard.h. */
#include "scoreboard.h"

#include <errno.h>
#include <stdio.h>
#include <sys/mman.h>

const char *const scoreboard_state_names[SCOREBOARD_STATES] = {
	[SCOREBOARD_STARTING] = "starting",
	[SCOREBOARD_SERVING] = "serving",
	[SCOREBOARD_STOPPED] = "stopped",
};

const char *const slot_state_names[SLOT_STATES] = {
	[SLOT_FREE] = "free",
	[SLOT_ARMING] = "arming",
	[SLOT_IDLE] = "idle",
	[SLOT_BUSY] = "busy",
};

int scoreboard_create(void)
{
	owned_fd int fd = memfd_create("scoreboard", MFD_CLOEXEC);

	if (fd < 0)
		return -errno;
	if (ftruncate(fd, sizeof(struct scoreboard)) < 0)
		return -errno;
	return take_fd(&fd);
}

struct scoreboard *scoreboard_map(int fd)
{
	void *at = mmap(NULL, sizeof(struct scoreboard),
			PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (at == MAP_FAILED)
		return NULL;
	if (madvise(at, sizeof(struct scoreboard), MADV_DONTFORK) < 0) {
		munmap(at, sizeof(struct scoreboard));
		return NULL;
	}
	return at;
}

struct stage *scoreboard_map_stage(int fd, unsigned index)
{
	const size_t page = offsetof(struct scoreboard, stages) +
			    index * sizeof(struct scoreboard_stage);
	void *at = mmap(NULL, SCOREBOARD_PAGE, PROT_READ | PROT_WRITE,
			MAP_SHARED, fd, (off_t)page);

	return at == MAP_FAILED ? NULL : at;
}

void scoreboard_unmap_stage(struct stage *stage)
{
	if (stage)
		munmap(stage, SCOREBOARD_PAGE);
}

void scoreboard_set_state(struct scoreboard *board,
			  enum scoreboard_state state, const char *reason)
{
	snprintf(board->reason, sizeof(board->reason), "%s", reason);
	atomic_store(&board->state, state);
}

void scoreboard_set_reason(struct scoreboard *board, unsigned index,
			   const char *reason)
{
	snprintf(board->each[index].reason, SCOREBOARD_REASON_MAX, "%s",
		 reason);
}

unsigned scoreboard_count(const struct scoreboard *board,
			  enum slot_state state)
{
	unsigned count = 0;

	for (size_t i = 0; i < SCOREBOARD_SLOTS_MAX; i++)
		count += atomic_load(&board->slots[i].state) == state;
	return count;
}
