/*
 * listen - the server's unix sockets.
 */
#ifndef TERRARIUM_LISTEN_H
#define TERRARIUM_LISTEN_H

#include "sandbox/base/base.h"

#define LISTEN_ERROR_MAX 256

/*
 * Listen at PATH, non-blocking, with MODE and, unless it is "", GROUP. A
 * socket that nobody listens to any more is replaced; one that somebody
 * does is an error. Returns the descriptor, or a negative errno value with a
 * sentence in ERROR.
 */
int listen_unix(const char *path, unsigned mode, const char *group,
		unsigned backlog, char error[LISTEN_ERROR_MAX]);

#endif
