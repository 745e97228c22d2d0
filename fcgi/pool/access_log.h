/*
 * access_log - one line of JSON for each request that a worker has answered.
 *
 * It holds figures, names and reasons; never code, output, files or tokens. A
 * program chooses the name of its exception's class and the client its own
 * texts, so all are bounded, and escaped as JSON.
 */
#ifndef TERRARIUM_ACCESS_LOG_H
#define TERRARIUM_ACCESS_LOG_H

#include "route.h"

/* Write the line of CALL. Its reply and its request must still be there. */
void access_log_write(const struct route_call *call);

#endif
