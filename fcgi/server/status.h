/*
 * status - the process that says how the server is. See status.c.
 */
#ifndef TERRARIUM_STATUS_H
#define TERRARIUM_STATUS_H

#include "fcgi/shared/scoreboard.h"

/* Be the status process. Called in the freshly forked process; LISTENER is
 * its socket, BOARD the scoreboard's descriptor, CROWD the client shares's, UID
 * whom to become as root, MASTER whom to end with. */
void status_main(int board, int shares, int listener, uid_t uid,
		 pid_t master) NORETURN;

#endif
