/*
 * listing - the names in a directory, but not "." and "..".
 *
 *	owned_listing struct listing list = listing_of(dir);
 *	const char *name;
 *
 *	while ((name = listing_next(&list)))
 *		...
 *	return list.error;
 */
#ifndef TERRARIUM_LISTING_H
#define TERRARIUM_LISTING_H

#include <dirent.h>

struct listing {
	DIR *dir;
	int error; /* 0 or a negative errno value: why there are no more */
};

/* List the open directory DIR from its first entry. DIR stays the caller's,
 * and its position does not move. */
struct listing listing_of(int dir);

/* The next name, valid until the next call. NULL: the end, or an error. */
const char *listing_next(struct listing *list);

void listing_close(struct listing *list);
#define owned_listing __attribute__((cleanup(listing_close)))

#endif
