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

unsigned generation_keep_listeners(void)
{
	unsigned count = 0;

	for (int fd = GENERATION_TCP; fd <= GENERATION_TCP_LAST; fd++) {
		int listens = 0;
		socklen_t size = sizeof(listens);

		getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size);
		if (listens)
			count++;
		else
			close(fd);
	}
	return count;
}

void generation_close_listeners(unsigned count)
{
	close(GENERATION_LISTENER);
	for (unsigned i = 0; i < count; i++)
		close(GENERATION_TCP + (int)i);
}

void generation_report(enum generation_event event)
{
	char byte = (char)event;

	if (write(GENERATION_EVENTS, &byte, 1) < 0)
		log_warn("report to the master: %s", log_errno(errno));
}
