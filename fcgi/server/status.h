/*
 * status - the process that reports the server's state. See status.c.
 */
#ifndef TERRARIUM_STATUS_H
#define TERRARIUM_STATUS_H

#include "fcgi/shared/scoreboard.h"

/* Be the status process. Called in the freshly forked process. BOARD and SHARES
 * are descriptors of the scoreboard and of the client shares; LISTENER is its
 * socket. As root it becomes the user UID. It ends with MASTER. */
void status_main(int board, int shares, int listener, uid_t uid,
		 pid_t master) NORETURN;

#endif
