/*
 * listen - opens the server's sockets.
 */
#ifndef TERRARIUM_LISTEN_H
#define TERRARIUM_LISTEN_H

#include "conf/address.h"

#define LISTEN_ERROR_MAX 256

/*
 * Listen at PATH, non-blocking, with MODE and, unless it is "", GROUP. A socket
 * file without a listener is replaced; one with a listener is an error. Returns
 * the descriptor, or a negative errno value with a sentence in ERROR.
 */
int listen_unix(const char *path, unsigned mode, const char *group,
		unsigned backlog, char error[LISTEN_ERROR_MAX]);

/* Listen at the internet address AT, non-blocking. The same returns. */
int listen_tcp(const struct address_listen *at, unsigned backlog,
	       char error[LISTEN_ERROR_MAX]);

/* Could listen_tcp() have AT now? 0 or a negative errno value. */
int listen_tcp_try(const struct address_listen *at);

#endif
