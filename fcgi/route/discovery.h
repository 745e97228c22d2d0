/*
 * discovery - the answer to GET /: what a client can find out about the server.
 * It is made of the tables that the server itself uses.
 */
#ifndef TERRARIUM_DISCOVERY_H
#define TERRARIUM_DISCOVERY_H

#include "conf/conf.h"
#include "fcgi/http/reply.h"

/* One path, and the name of the API that it belongs to. */
struct discovery_path {
	const char *door, *method, *path;
};

struct discovery {
	const struct conf *conf;
	const char *python; /* version */
	bool sessions, streaming; /* switched on */
	const struct discovery_path *paths;
	size_t paths_count;
};

void discovery_answer(const struct discovery *facts, struct reply *reply);

#endif
