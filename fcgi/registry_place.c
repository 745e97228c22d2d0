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

unsigned registry_count(struct registry *registry, const char *owner)
{
	struct registry_place place = REGISTRY_NOWHERE;
	unsigned count = 0;

	while ((place = registry_next(registry, place)).family)
		count += !owner || strcmp(place.family->owner, owner) == 0;
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
