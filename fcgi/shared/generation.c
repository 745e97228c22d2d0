/* generation - see generation.h. */
#include "generation.h"

#include <errno.h>
#include <unistd.h>

#include "sandbox/base/log.h"
#include "sandbox/base/spawn.h"

pid_t generation_spawn(const int fds[GENERATION_FD_END - GENERATION_CONF])
{
	return spawn_pool(GENERATION_ARGV0, fds,
			  GENERATION_FD_END - GENERATION_CONF);
}

void generation_report(enum generation_event event)
{
	char byte = (char)event;

	if (write(GENERATION_EVENTS, &byte, 1) < 0)
		log_warn("report to the master: %s", log_errno(errno));
}
