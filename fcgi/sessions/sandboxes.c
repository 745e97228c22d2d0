/* sandboxes - see sandboxes.h. */
#include "sandboxes.h"

#include <string.h>
#include <sys/socket.h>

#include "sandbox/base/io.h"

unsigned sandboxes_idle_s(const struct registry *registry,
				unsigned seconds)
{
	return seconds && seconds < registry->conf->idle_s
		       ? seconds : registry->conf->idle_s;
}

/* The number of a member among those of all families, from 1. */
static uint32_t sandboxes_place(const struct registry *registry,
			       struct session_ref ref)
{
	return (uint32_t)((ref.family - registry->table.families) *
				  SESSION_MEMBERS_MAX + ref.member + 1);
}

/* A new stream has room for all of it. A failure means that the worker has
 * gone. */
static void sandboxes_send(int channel, const void *data, size_t size)
{
	(void)!send(channel, data, size, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/* Describe the sandbox REF on CHANNEL, with NOTE; without one, say so. */
static int sandboxes_answer(const struct registry *registry,
				   struct session_ref ref, const char *note,
				   int channel)
{
	const struct family *family = ref.family && ref.family->note
					      ? ref.family : NULL;
	const struct session_order_answer head = {
		.kind = family ? SESSION_ORDER_SANDBOX : SESSION_ORDER_OK};
	struct session_order_sandbox sandbox = {0};

	sandboxes_send(channel, &head, sizeof(head));
	if (!family)
		return -1;
	sandbox.place = sandboxes_place(registry, ref);
	sandbox.idle_s = family->idle_s;
	sandbox.began_ms = session_table_at(ref)->began_ms;
	sandbox.used_ms = family_pending(family) > 0 ? io_now_ms()
						     : family_used_ms(family);
	memcpy(sandbox.id, session_table_at(ref)->id, sizeof(sandbox.id));
	if (note)
		memcpy(sandbox.note, note, strlen(note));
	sandboxes_send(channel, &sandbox, sizeof(sandbox));
	return -1;
}

static int sandboxes_describe(const struct registry *registry,
			     struct session_ref ref, int channel)
{
	return sandboxes_answer(registry, ref,
				       ref.family ? ref.family->note : NULL,
				       channel);
}

int sandboxes_look(struct registry *registry,
			 const struct session_order *order, int channel)
{
	return sandboxes_describe(registry,
				 session_table_find(&registry->table,
						    order->owner, order->id),
				 channel);
}

/* Branches of a sandbox are none themselves, and have a slash in their
 * names. */
int sandboxes_next(struct registry *registry,
			 const struct session_order *order, int channel)
{
	struct session_ref ref = SESSION_REF_NONE;

	while ((ref = session_table_next(&registry->table, ref)).family)
		if (sandboxes_place(registry, ref) > order->place &&
		    ref.family->note &&
		    !strchr(session_table_at(ref)->id, '/') &&
		    strcmp(ref.family->owner, order->owner) == 0)
			break;
	return sandboxes_describe(registry, ref, channel);
}

int sandboxes_member(struct registry *registry,
			   const struct session_order *order, int channel)
{
	struct session_ref ref = session_table_find(
		&registry->table, order->owner, order->id);
	const struct family *family = ref.family;

	ref = SESSION_REF_NONE;
	while (family && (ref = session_table_next(&registry->table,
						   ref)).family)
		if (ref.family == family &&
		    sandboxes_place(registry, ref) > order->place &&
		    !session_table_at(ref)->beginning)
			break;
	return sandboxes_answer(registry, ref,
				       ref.family ? session_table_at(ref)->note
						  : NULL,
				       channel);
}

int sandboxes_use(struct registry *registry,
			const struct session_order *order, int channel)
{
	struct session_ref ref = session_table_find(&registry->table,
						    order->owner, order->id);

	if (ref.family && ref.family->note) {
		const unsigned idle_s = sandboxes_idle_s(registry,
							order->idle_s);

		session_table_at(ref)->used_ms = io_now_ms();
		if (order->idle_s && !(order->longer &&
				       idle_s < ref.family->idle_s))
			ref.family->idle_s = idle_s;
	}
	return sandboxes_describe(registry, ref, channel);
}

/* ---- branches ---------------------------------------------------------- */

int sandboxes_branch(const struct registry *registry,
			   const struct session_order *order,
			   struct session_ref ref, struct session_ref had)
{
	const unsigned most = registry->conf->branches + 1;
	unsigned there = 0;

	if (!ref.family->note)
		return family_free_member(ref.family, most);
	for (unsigned i = 0; i < SESSION_MEMBERS_MAX; i++)
		there += ref.family->members[i].there &&
			 !ref.family->members[i].beginning;
	if (!had.family && !order->beginning &&
	    (there >= most || there >= SESSION_MEMBERS_MAX - 2))
		return -1;
	return family_free_member(ref.family, SESSION_MEMBERS_MAX);
}

void sandboxes_end_headless(struct registry *registry)
{
	for (unsigned i = 0; i < registry->table.count; i++)
		if (family_is_headless(&registry->table.families[i]))
			family_release_all(&registry->table.families[i]);
}
