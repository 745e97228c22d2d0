/* registry_place - see registry_place.h. */
#include "registry_place.h"

#include <string.h>

struct registry_session *registry_at(struct registry_place place)
{
	return &place.family->members[place.member];
}

struct registry_place registry_next(struct registry *registry,
				    struct registry_place place)
{
	struct registry_family *end =
		registry->families + registry->families_max;

	if (place.family)
		place.member++;
	else
		place.family = registry->families;
	for (; place.family < end; place.family++, place.member = 0)
		for (; place.member < SESSION_MEMBERS_MAX; place.member++)
			if (registry_at(place)->there)
				return place;
	return REGISTRY_NOWHERE;
}

struct registry_place registry_find(struct registry *registry,
				    const char *owner, const char *id)
{
	struct registry_place place = REGISTRY_NOWHERE;

	while ((place = registry_next(registry, place)).family)
		if (strcmp(place.family->owner, owner) == 0 &&
		    strcmp(registry_at(place)->id, id) == 0)
			break;
	return place;
}

/* Released, with more to be done than that: a call of it still runs. */
static bool registry_lingers(const struct registry_session *session)
{
	return !session->there && session->pending > 1;
}

unsigned registry_count(struct registry *registry, const char *owner)
{
	unsigned count = 0;

	for (unsigned i = 0; i < registry->families_max; i++) {
		const struct registry_family *family = &registry->families[i];

		if (owner && strcmp(family->owner, owner) != 0)
			continue;
		for (unsigned m = 0; m < SESSION_MEMBERS_MAX; m++)
			count += family->members[m].there ||
				 (owner && registry_lingers(
						   &family->members[m]));
	}
	return count;
}

struct registry_place registry_idlest(struct registry *registry,
				      const char *owner,
				      const struct registry_session *but)
{
	struct registry_place place = REGISTRY_NOWHERE;
	struct registry_place found = REGISTRY_NOWHERE;

	while ((place = registry_next(registry, place)).family) {
		const struct registry_session *session = registry_at(place);

		if (session->pending > 0 || session == but ||
		    (owner && strcmp(place.family->owner, owner) != 0))
			continue;
		if (!found.family ||
		    session->used_ms < registry_at(found)->used_ms)
			found = place;
	}
	return found;
}
