/* client_share - see client_share.h. */
#include "client_share.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>


int client_share_create(void)
{
	owned_fd int fd = memfd_create("client-shares", MFD_CLOEXEC);

	if (fd < 0 || ftruncate(fd, sizeof(struct client_share)) < 0)
		return -errno;
	return take_fd(&fd);
}

struct client_share *client_share_map(int fd)
{
	void *at = mmap(NULL, sizeof(struct client_share),
			PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	return at == MAP_FAILED ? NULL : at;
}

bool client_share_admits(const struct client_share *shares,
			 const struct client_share_rule *rule, uint64_t key,
			 unsigned at)
{
	const unsigned slots = SCOREBOARD_GENERATIONS * rule->workers;
	unsigned own = 0, all = 0;

	/* Generations live side by side, and each has slots of its own. */
	for (unsigned i = 0; i < CLIENT_SHARE_GRANTS + slots; i++) {
		uint64_t there = i == at ? 0 : atomic_load(&shares->running[i]);

		all += there != 0;
		own += there == key;
	}
	unsigned free = all < rule->workers ? rule->workers - all : 0;

	return own == 0 ||
	       own * (100 - rule->percent) < free * rule->percent;
}

/* Take the entry before the check, so that two workers that enter at once see
 * each other. Both may then be told to wait, and the queue lets one of them go
 * on. */
bool client_share_enter(struct client_share *shares,
			const struct client_share_rule *rule, uint64_t key,
			unsigned at)
{
	atomic_store(&shares->running[at], key);
	if (rule->percent >= 100 || client_share_admits(shares, rule, key, at))
		return true;
	atomic_store(&shares->running[at], 0);
	return false;
}

unsigned client_share_waits(const struct client_share *shares, uint64_t key)
{
	unsigned count = 0;

	for (unsigned i = 0; i < CLIENT_SHARE_WAITING; i++)
		count += atomic_load(&shares->queued[i]) == key;
	return count;
}
