/*
 * e2b_events - the lines of a run in a sandbox of E2B's API.
 */
#ifndef TERRARIUM_E2B_EVENTS_H
#define TERRARIUM_E2B_EVENTS_H

#include "fcgi/api/events.h"

/*
 * Those of the native API, but
 *
 *	{"type":"number_of_executions","execution_count":…}	first
 *	{"type":"result",…,"extra":{…},"is_main_result":…}
 *
 * where a media type without a short name stands in "extra", and is_main_result
 * is true for the final value. The context is a uint32_t: the number of programs
 * that had run before.
 */
extern const struct events_lines e2b_events;

#endif
