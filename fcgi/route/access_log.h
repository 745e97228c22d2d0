/*
 * access_log - one line of JSON for each request that a worker has answered,
 * and one while a slow run goes on.
 *
 * It holds figures, names and reasons; never code, output, files or tokens. A
 * program chooses the names of its exception's class, its functions and files,
 * and the client its own texts, so all are bounded, and escaped as JSON.
 */
#ifndef TERRARIUM_ACCESS_LOG_H
#define TERRARIUM_ACCESS_LOG_H

#include "route_call.h"

/* Write the line of CALL. Its reply and its request must still be there. */
void access_log_write(const struct route_call *call);

/* A struct run_slow's tell(): write the line of a run that is slow. CONTEXT is
 * its struct route_call. */
void access_log_tell_slow(void *context, const struct bytes *where, int64_t ms);

#endif
