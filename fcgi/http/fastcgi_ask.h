/*
 * fastcgi_ask - a client of a FastCGI server: asks for one page.
 */
#ifndef TERRARIUM_FASTCGI_ASK_H
#define TERRARIUM_FASTCGI_ASK_H

#include "sandbox/base/job.h"

#define FASTCGI_ASK_MAX (1 << 20) /* bytes of an answer */

/*
 * GET the page PATH (at most 100 bytes) from the server on the unix socket
 * SOCKET. All of the answer must arrive within TIMEOUT_MS. OUT becomes its body
 * with a NUL behind it, which the caller frees. 0; a negative errno value, such
 * as -ECONNREFUSED when no server listens; -EPROTO for an answer that is none.
 */
int fastcgi_ask(const char *socket, const char *path, int timeout_ms,
		struct bytes *out);

#endif
