/*
 * registry_place - finding sessions in a registry.
 */
#ifndef TERRARIUM_REGISTRY_PLACE_H
#define TERRARIUM_REGISTRY_PLACE_H

#include "registry.h"

/* Where a session is. */
struct registry_place {
	struct registry_family *family; /* NULL: nowhere */
	unsigned member;
};

#define REGISTRY_NOWHERE ((struct registry_place){NULL, 0})

/* PLACE must be somewhere. */
struct registry_session *registry_at(struct registry_place place);

/* The session behind PLACE, nowhere for the first, that lives. */
struct registry_place registry_next(struct registry *registry,
				    struct registry_place place);

struct registry_place registry_find(struct registry *registry,
				    const char *owner, const char *id);

/* How many live; of OWNER, unless that is NULL, whose are also those that
 * were released and run still. */
unsigned registry_count(struct registry *registry, const char *owner);

/* The one that was idle for longest; OWNER's, unless that is NULL, and not
 * BUT. */
struct registry_place registry_idlest(struct registry *registry,
				      const char *owner,
				      const struct registry_session *but);

#endif
