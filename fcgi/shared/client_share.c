/* crowd - see crowd.h. */
#include "client_share.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#define CROWD_HASH 14695981039346656037u /* FNV-1a */
#define CROWD_PRIME 1099511628211u

int crowd_create(void)
{
	owned_fd int fd = memfd_create("crowd", MFD_CLOEXEC);

	if (fd < 0 || ftruncate(fd, sizeof(struct crowd)) < 0)
		return -errno;
	return take_fd(&fd);
}

struct crowd *crowd_map(int fd)
{
	void *at = mmap(NULL, sizeof(struct crowd), PROT_READ | PROT_WRITE,
			MAP_SHARED, fd, 0);

	return at == MAP_FAILED ? NULL : at;
}

uint64_t crowd_key(const char *client)
{
	uint64_t key = CROWD_HASH;

	for (; *client; client++)
		key = (key ^ (unsigned char)*client) * CROWD_PRIME;
	return key ? key : 1;
}

bool crowd_admits(const struct crowd *crowd, const struct crowd_rule *rule,
		  uint64_t key, unsigned at)
{
	const unsigned slots = SCOREBOARD_GENERATIONS * rule->workers;
	unsigned own = 0, all = 0;

	/* Generations live side by side, each with slots of its own. */
	for (unsigned i = 0; i < CROWD_GRANTS + slots; i++) {
		uint64_t there = i == at ? 0 : atomic_load(&crowd->running[i]);

		all += there != 0;
		own += there == key;
	}
	unsigned free = all < rule->workers ? rule->workers - all : 0;

	return own == 0 ||
	       own * (100 - rule->percent) < free * rule->percent;
}

/* The entry is taken first, so that of two that come at once none is missed;
 * both may then be told to wait, and the queue lets one of them go on. */
bool crowd_enter(struct crowd *crowd, const struct crowd_rule *rule,
		 uint64_t key, unsigned at)
{
	atomic_store(&crowd->running[at], key);
	if (rule->percent >= 100 || crowd_admits(crowd, rule, key, at))
		return true;
	atomic_store(&crowd->running[at], 0);
	return false;
}

unsigned crowd_waits(const struct crowd *crowd, uint64_t key)
{
	unsigned count = 0;

	for (unsigned i = 0; i < CROWD_WAITING; i++)
		count += atomic_load(&crowd->queued[i]) == key;
	return count;
}
