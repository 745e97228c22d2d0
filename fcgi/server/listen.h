/*
 * listen - opens the server's unix sockets.
 */
#ifndef TERRARIUM_LISTEN_H
#define TERRARIUM_LISTEN_H

#include "sandbox/base/base.h"

#define LISTEN_ERROR_MAX 256

/*
 * Listen at PATH, non-blocking, with MODE and, unless it is "", GROUP. A socket
 * file without a listener is replaced; one with a listener is an error. Returns
 * the descriptor, or a negative errno value with a sentence in ERROR.
 */
int listen_unix(const char *path, unsigned mode, const char *group,
		unsigned backlog, char error[LISTEN_ERROR_MAX]);

#endif
