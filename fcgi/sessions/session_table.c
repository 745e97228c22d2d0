/* session_table - see session_table.h. */
#include "session_table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct family_member *session_table_at(struct session_ref ref)
{
	return &ref.family->members[ref.member];
}

struct session_ref session_table_next(struct session_table *table,
				      struct session_ref ref)
{
	struct family *end = table->families + table->count;

	if (ref.family)
		ref.member++;
	else
		ref.family = table->families;
	for (; ref.family < end; ref.family++, ref.member = 0)
		for (; ref.member < SESSION_MEMBERS_MAX; ref.member++)
			if (session_table_at(ref)->there)
				return ref;
	return SESSION_REF_NONE;
}

struct session_ref session_table_find(struct session_table *table,
				      const char *owner, const char *id)
{
	struct session_ref ref = SESSION_REF_NONE;

	while ((ref = session_table_next(table, ref)).family)
		if (strcmp(ref.family->owner, owner) == 0 &&
		    strcmp(session_table_at(ref)->id, id) == 0)
			break;
	return ref;
}

/* ---- room ------------------------------------------------------------ */

static bool session_table_counts(const struct family_member *session)
{
	return session->there && !session->beginning;
}

/* Was the session released while a call of it runs? */
static bool session_table_lingers(const struct family_member *session)
{
	return !session->there && session->pending > 1;
}

unsigned session_table_count(struct session_table *table, const char *owner)
{
	unsigned count = 0;

	for (unsigned i = 0; i < table->count; i++) {
		const struct family *family = &table->families[i];

		if (owner && strcmp(family->owner, owner) != 0)
			continue;
		for (unsigned m = 0; m < SESSION_MEMBERS_MAX; m++)
			count += session_table_counts(&family->members[m]) ||
				 (owner && session_table_lingers(
						   &family->members[m]));
	}
	return count;
}

/* Is REF's session the first one of its owner in the table? */
static bool session_table_is_first(struct session_table *table,
				   struct session_ref ref)
{
	struct session_ref first = SESSION_REF_NONE;

	while ((first = session_table_next(table, first)).family)
		if (strcmp(first.family->owner, ref.family->owner) == 0)
			break;
	return first.family == ref.family && first.member == ref.member;
}

/* MOST sessions divided by the owners that have any, and OWNER; 1 or more. */
static unsigned session_table_share(struct session_table *table,
				    const char *owner, unsigned most)
{
	struct session_ref ref = SESSION_REF_NONE;
	unsigned owners = 1;

	while ((ref = session_table_next(table, ref)).family)
		owners += strcmp(ref.family->owner, owner) != 0 &&
			  session_table_is_first(table, ref);
	return most > owners ? most / owners : 1;
}

/* The idlest session of which WANTED is true; see session_table_idlest(). */
struct session_table_search {
	struct session_table *table;
	const char *owner;
	unsigned share;
	int64_t before;
	const struct family_member *but;
};

static bool session_table_is_own(const struct session_table_search *search,
				 struct session_ref ref)
{
	return strcmp(ref.family->owner, search->owner) == 0;
}

static bool session_table_is_other(const struct session_table_search *search,
				   struct session_ref ref)
{
	return !session_table_is_own(search, ref);
}

static bool session_table_is_above(const struct session_table_search *search,
				   struct session_ref ref)
{
	return session_table_is_other(search, ref) &&
	       session_table_count(search->table, ref.family->owner) >
		       search->share;
}

/* A sandbox ends as a whole, so its members are as idle as the last that was
 * used. */
static int64_t session_table_used(struct session_ref ref)
{
	return ref.family->note ? family_used_ms(ref.family)
				: session_table_at(ref)->used_ms;
}

static bool session_table_is_idle(const struct session_table_search *search,
				  struct session_ref ref)
{
	const struct family_member *session = session_table_at(ref);
	const struct family *family = ref.family;

	if (session_table_used(ref) > search->before)
		return false;
	if (!family->note)
		return session->pending == 0 && session != search->but;
	return family_pending(family) == 0 &&
	       !(search->but >= family->members &&
		 search->but < family->members + SESSION_MEMBERS_MAX);
}

static struct session_ref session_table_search(
	const struct session_table_search *search,
	bool (*wanted)(const struct session_table_search *search,
		       struct session_ref ref))
{
	struct session_ref ref = SESSION_REF_NONE, found = SESSION_REF_NONE;

	while ((ref = session_table_next(search->table, ref)).family) {
		if (!session_table_is_idle(search, ref))
			continue;
		if ((!found.family || session_table_used(ref) <
					      session_table_used(found)) &&
		    wanted(search, ref))
			found = ref;
	}
	return found;
}

struct session_ref session_table_idlest(struct session_table *table,
					const char *owner, int64_t before,
					const struct family_member *but)
{
	const struct session_table_search search = {
		.table = table, .owner = owner, .before = before, .but = but};

	return session_table_search(&search, session_table_is_own);
}

struct session_ref session_table_victim(struct session_table *table,
					const char *owner, unsigned most,
					int64_t before,
					const struct family_member *but)
{
	const struct session_table_search search = {
		.table = table, .owner = owner, .before = before, .but = but,
		.share = session_table_share(table, owner, most)};

	if (session_table_count(table, owner) >= search.share)
		return session_table_search(&search, session_table_is_own);
	struct session_ref ref = session_table_search(&search,
						      session_table_is_above);

	return ref.family ? ref
			  : session_table_search(&search,
						 session_table_is_other);
}

/* The next note of TABLE, from *AT on, which begins at 0; NULL: the last one
 * has passed. */
static char **session_table_next_note(struct session_table *table, size_t *at)
{
	const size_t each = 1 + SESSION_MEMBERS_MAX;

	while (*at < SESSION_TABLE_MAX * each) {
		struct family *family = &table->families[*at / each];
		const size_t place = (*at)++ % each;
		char **note = place == 0 ? &family->note
					 : &family->members[place - 1].note;

		if (*note)
			return note;
	}
	return NULL;
}

int session_table_pack_notes(struct session_table *table, struct bytes *notes)
{
	size_t size = 0, at = 0;

	for (char **note; (note = session_table_next_note(table, &at));)
		size += strlen(*note) + 1;
	*notes = (struct bytes){malloc(size + 1), size};
	if (!notes->data)
		return -ENOMEM;
	char *to = notes->data;

	at = 0;
	for (char **note; (note = session_table_next_note(table, &at));)
		to = stpcpy(to, *note) + 1;
	return 0;
}

int session_table_unpack_notes(struct session_table *table,
			       const struct bytes *notes)
{
	const char *from = notes->data, *end = from + notes->size;
	size_t at = 0;

	for (char **note; (note = session_table_next_note(table, &at));) {
		const size_t size = strnlen(from, (size_t)(end - from));

		*note = size < (size_t)(end - from) ? strdup(from) : NULL;
		if (!*note)
			return size < (size_t)(end - from) ? -ENOMEM : -EPROTO;
		from += size + 1;
	}
	return from == end ? 0 : -EPROTO;
}
