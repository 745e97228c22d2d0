/*
 * status_pages - the pages of the status process: the server's state for
 * operators, clients, balancers and monitors, read from the scoreboard.
 */
#ifndef TERRARIUM_STATUS_PAGES_H
#define TERRARIUM_STATUS_PAGES_H

#include "fcgi/http/request.h"
#include "fcgi/shared/scoreboard.h"
#include "sandbox/text/text.h"

/* Map the client shares of the descriptor SHARES, once, before the first page
 * is asked for. 0, or a negative errno value. */
int status_pages_open(int shares);

/* Answer REQUEST with the page of its path, or with 404. Fills in REPLY, which
 * the caller has set up and sends; on failure REPLY->error is set. */
void status_pages_answer(const struct scoreboard *board,
			 const struct request *request, struct reply *reply);

/* Append the description of the whole API (openapi.h). 0, or a negative errno
 * value. It needs no status_pages_open(). */
int status_pages_describe(struct text *text);

#endif
