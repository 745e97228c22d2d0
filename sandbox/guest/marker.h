/*
 * marker - how often a text comes in bytes that stream by, in pieces of any
 * size, and none of them kept.
 */
#ifndef TERRARIUM_MARKER_H
#define TERRARIUM_MARKER_H

#include "sandbox/base/job.h"

struct marker {
	struct bytes text; /* borrowed; its first byte comes nowhere else in
			    * it. No data: nothing is counted */
	size_t matched;	   /* how much of it the last bytes are */
	uint64_t count;	   /* how often all of it has come */
};

/* The next SIZE bytes are at DATA. */
void marker_pass(struct marker *marker, const char *data, size_t size);

#endif
