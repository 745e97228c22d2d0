/* title - see title.h. */
#include "title.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>

void title_set(const char *role)
{
	/* glibc points program_invocation_name at the first argument itself.
	 * Its first length stays the room, however short later titles are. */
	static size_t room;
	char title[64];
	int size = snprintf(title, sizeof(title), "terrariumd: %s", role);

	if (room == 0)
		room = strlen(program_invocation_name);
	prctl(PR_SET_NAME, role, 0, 0, 0);
	if (size < 0 || (size_t)size > room)
		return;
	memset(program_invocation_name, 0, room);
	memcpy(program_invocation_name, title, (size_t)size);
}
