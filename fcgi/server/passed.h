/*
 * passed - listening sockets that a service manager passes to the server, by
 * the protocol of sd_listen_fds(3).
 *
 * Their names are `socket` (server.socket) and `status` (server.status_socket).
 * The manager keeps them, so requests that come during a restart wait.
 */
#ifndef TERRARIUM_PASSED_H
#define TERRARIUM_PASSED_H

#include "conf/conf.h"

#define PASSED_ERROR_MAX 400

struct passed {
	int socket, status; /* -1: it was not passed */
};

/*
 * Take the descriptors and their variables. Each must be a listening unix
 * socket at the address that CONF has for its name; CONF's backlog is set.
 * Returns 0, or a negative errno value with a sentence in ERROR.
 */
int passed_take(const struct conf *conf, struct passed *passed,
		char error[PASSED_ERROR_MAX]);

#endif
