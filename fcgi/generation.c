/* generation - see generation.h. */
#include "generation.h"

#include "../sandbox/spawn.h"

pid_t generation_spawn(const int fds[GENERATION_FD_END - GENERATION_CONF])
{
	return spawn_zygote(GENERATION_ARGV0, fds,
			    GENERATION_FD_END - GENERATION_CONF);
}
