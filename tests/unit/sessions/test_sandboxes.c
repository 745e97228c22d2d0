/*
 * test_sandboxes - sessions with a note: they are found by it, end by a limit
 * of their own and as a whole, and keep a beginning for branches.
 */
#include "tests/unit/sessions/registry_support.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "fcgi/sessions/sandboxes.h"
#include "sandbox/base/io.h"

#define NOTE "{\"metadata\":{}}"

static void free_notes(struct session_table *table)
{
	for (size_t i = 0; i < SESSION_TABLE_MAX; i++) {
		free(table->families[i].note);
		for (size_t j = 0; j < SESSION_MEMBERS_MAX; j++)
			free(table->families[i].members[j].note);
	}
	memset(table, 0, sizeof(*table));
}

/* Begin OWNER's sandbox ID. Returns its session keeper's socket. */
static int begin(const char *owner, const char *id, unsigned idle_s)
{
	uint32_t slot;
	int channel = send_order((struct session_order){
					 .kind = SESSION_ORDER_RUN,
					 .note = NOTE, .idle_s = idle_s},
				 owner, id, "");
	int control = started(&slot);

	close(channel);
	done(control);
	return control;
}

/* Read the answer on CHANNEL. Is it about a sandbox? */
static bool told(int channel, struct session_order_sandbox *found)
{
	struct session_order_answer head;

	assert_int_equal(recv(channel, &head, sizeof(head), MSG_DONTWAIT),
			 sizeof(head));
	const bool there = head.kind == SESSION_ORDER_SANDBOX;

	if (there)
		assert_int_equal(recv(channel, found, sizeof(*found),
				      MSG_DONTWAIT),
				 sizeof(*found));
	close(channel);
	return there;
}

static bool look(const char *owner, const char *id,
		 struct session_order_sandbox *found)
{
	return told(order(SESSION_ORDER_LOOK, owner, id, ""), found);
}

static bool next(enum session_order_kind kind, const char *owner,
		 const char *id, struct session_order_sandbox *found)
{
	return told(send_order((struct session_order){.kind = kind,
						      .place = found->place},
			       owner, id, ""),
		    found);
}

static void it_is_found_by_its_owner_alone(void **state)
{
	(void)state;
	struct session_order_sandbox found = {0};
	int a = begin("alice", "a", 10), b = begin("alice", "b", 5000);
	int plain = open_session("bob", "a");

	assert_true(look("alice", "a", &found));
	assert_string_equal(found.note, NOTE);
	assert_string_equal(found.id, "a");
	assert_int_equal(found.idle_s, 10);
	assert_true(look("alice", "b", &found));
	assert_int_equal(found.idle_s, conf.idle_s);
	assert_false(look("bob", "a", &found)); /* it has no note */
	assert_false(look("bob", "b", &found));
	found.place = 0;
	assert_true(next(SESSION_ORDER_NEXT, "alice", "-", &found));
	assert_string_equal(found.id, "a");
	assert_true(next(SESSION_ORDER_NEXT, "alice", "-", &found));
	assert_string_equal(found.id, "b");
	assert_false(next(SESSION_ORDER_NEXT, "alice", "-", &found));
	found.place = 0;
	assert_false(next(SESSION_ORDER_NEXT, "bob", "-", &found));
	close(a);
	close(b);
	close(plain);
}

static void it_has_an_idle_limit_of_its_own(void **state)
{
	(void)state;
	struct session_order_sandbox found = {0};
	struct session_order ask = {.kind = SESSION_ORDER_USE, .idle_s = 100,
				    .longer = true};
	int control = begin("alice", "a", 200);

	assert_true(told(send_order(ask, "alice", "a", ""), &found));
	assert_int_equal(found.idle_s, 200); /* it is not lowered */
	ask.longer = false;
	assert_true(told(send_order(ask, "alice", "a", ""), &found));
	assert_int_equal(found.idle_s, 100);
	assert_false(told(send_order(ask, "bob", "a", ""), &found));
	registry.table.families[0].members[0].used_ms -= 99000;
	step();
	assert_true(look("alice", "a", &found));
	registry.table.families[0].members[0].used_ms -= 2000;
	step();
	assert_int_equal(task(control).kind, SESSION_ORDER_RELEASE);
	assert_false(look("alice", "a", &found));
	close(control);
}

/* Make the branch OTHER of the sandbox "a". Returns the answer. */
static int branch(int control, const char *from, const char *other, bool replace,
		  bool beginning)
{
	int channel = send_order((struct session_order){
					 .kind = SESSION_ORDER_FORK,
					 .whole = replace,
					 .beginning = beginning,
					 .note = "\"/tmp\""},
				 "alice", from, other);
	int said = answer(channel);

	if (said < REFUSED(0) || said >= REFUSED(SESSION_ORDER_REFUSALS)) {
		if (replace)
			done(control);
		done(control);
	}
	return said;
}

static void its_beginning_does_not_count(void **state)
{
	(void)state;
	struct session_order_sandbox found = {0};
	int control = begin("alice", "a", 100);

	conf.per_client = 3;
	branch(control, "a", "a/0", false, true);
	assert_int_equal(session_table_count(&registry.table, "alice"), 1);
	branch(control, "a/0", "a/x", false, false);
	branch(control, "a/0", "a/y", false, false);
	assert_int_equal(session_table_count(&registry.table, "alice"), 3);
	assert_int_equal(branch(control, "a/0", "a/z", false, false),
			 REFUSED(SESSION_ORDER_BRANCHES));
	/* one is replaced, which needs no room */
	branch(control, "a/0", "a/x", true, false);
	assert_int_equal(session_table_count(&registry.table, "alice"), 3);
	/* the sandbox itself, and its branches with their notes */
	assert_true(next(SESSION_ORDER_MEMBER, "alice", "a", &found));
	assert_string_equal(found.id, "a");
	assert_string_equal(found.note, "");
	for (int i = 0; i < 2; i++) {
		assert_true(next(SESSION_ORDER_MEMBER, "alice", "a", &found));
		assert_string_equal(found.note, "\"/tmp\"");
	}
	assert_false(next(SESSION_ORDER_MEMBER, "alice", "a", &found));
	found.place = 0;
	assert_true(next(SESSION_ORDER_NEXT, "alice", "-", &found));
	assert_false(next(SESSION_ORDER_NEXT, "alice", "-", &found));
	close(control);
}

static void it_ends_as_a_whole(void **state)
{
	(void)state;
	int control = begin("alice", "a", 100);

	branch(control, "a", "a/0", false, true);
	close(send_order((struct session_order){.kind = SESSION_ORDER_RELEASE,
						.whole = true},
			 "alice", "a", ""));
	assert_int_equal(task(control).kind, SESSION_ORDER_RELEASE);
	assert_int_equal(task(control).kind, SESSION_ORDER_RELEASE);
	close(control);
}

static void without_its_own_session_it_ends(void **state)
{
	(void)state;
	int control = begin("alice", "a", 100);

	branch(control, "a", "a/0", false, true);
	tell(control, SESSION_ORDER_GONE, 0);
	const struct session_order_task got = task(control);

	assert_int_equal(got.kind, SESSION_ORDER_RELEASE);
	assert_int_equal(got.member, 1);
	close(control);
}

static void it_makes_room_as_a_whole(void **state)
{
	(void)state;
	struct session_order_sandbox found;
	uint32_t slot;
	int a = begin("alice", "a", 100), other;

	branch(a, "a", "a/0", false, true);
	registry.table.families[0].members[0].used_ms -= 1000;
	registry.table.families[0].members[1].used_ms -= 1000;
	other = open_session("alice", "b");
	conf.evict_after_s = 0;
	close(order(SESSION_ORDER_RUN, "alice", "c", ""));
	assert_int_equal(task(a).kind, SESSION_ORDER_RELEASE);
	assert_int_equal(task(a).kind, SESSION_ORDER_RELEASE);
	assert_false(look("alice", "a", &found));
	close(started(&slot));
	close(a);
	close(other);
}

static void notes_go_to_another_program(void **state)
{
	(void)state;
	static struct session_table table;
	struct bytes notes;

	memset(&table, 0, sizeof(table));
	table.families[0].note = strdup(NOTE);
	table.families[0].members[1].note = strdup("\"/tmp\"");
	table.families[SESSION_TABLE_MAX - 1].note = strdup("{}");
	struct family former[] = {table.families[0],
				  table.families[SESSION_TABLE_MAX - 1]};

	assert_int_equal(session_table_pack_notes(&table, &notes), 0);
	assert_int_equal(session_table_unpack_notes(&table, &notes), 0);
	assert_ptr_not_equal(table.families[0].note, former[0].note);
	assert_string_equal(table.families[0].note, NOTE);
	assert_string_equal(table.families[0].members[1].note, "\"/tmp\"");
	assert_string_equal(table.families[SESSION_TABLE_MAX - 1].note, "{}");
	free(former[0].note);
	free(former[0].members[1].note);
	free(former[1].note);
	free_notes(&table);
	notes.size--; /* the last one has no end */
	table.families[0].note = table.families[1].note = (char[]){""};
	table.families[2].note = (char[]){""};
	assert_int_equal(session_table_unpack_notes(&table, &notes), -EPROTO);
	free_notes(&table);
	notes.size++;
	table.families[0].note = (char[]){""}; /* and two texts are left */
	assert_int_equal(session_table_unpack_notes(&table, &notes), -EPROTO);
	free_notes(&table);
	free(notes.data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(notes_go_to_another_program),
		TEST(it_is_found_by_its_owner_alone),
		TEST(it_has_an_idle_limit_of_its_own),
		TEST(its_beginning_does_not_count),
		TEST(it_ends_as_a_whole),
		TEST(without_its_own_session_it_ends),
		TEST(it_makes_room_as_a_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
