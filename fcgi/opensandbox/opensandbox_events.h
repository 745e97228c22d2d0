/*
 * opensandbox_events - the events of a run in a sandbox of OpenSandbox's API.
 *
 *	{"type":"init","text":the context's id,"timestamp":…}	first
 *	{"type":"execution_count","execution_count":…,"timestamp":…}
 *	{"type":"stdout","text":…,"timestamp":…}	likewise "stderr"
 *	{"type":"result","results":{"text":…,"image/png":…},"timestamp":…}
 *	{"type":"ping","text":"pong","timestamp":…}	after a silence
 *
 * Timestamps are in milliseconds since 1970. Clients of the API know text/plain
 * as "text", because its own server writes it so.
 */
#ifndef TERRARIUM_OPENSANDBOX_EVENTS_H
#define TERRARIUM_OPENSANDBOX_EVENTS_H

#include "fcgi/api/events.h"

/* The context of the lines. All is borrowed. */
struct opensandbox_run {
	const char *id; /* of the context that runs it */
	const uint32_t *programs; /* that had run in it before */
};

extern const struct events_lines opensandbox_events;

/* Milliseconds since 1970. */
int64_t opensandbox_events_now(void);

#endif
