/*
 * test_registry_room - the sessions that end for others, and the memory of
 * sessions that have ended.
 */
#include "tests/unit/sessions/registry_support.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LIST_PATH "/tmp/terrarium-former-XXXXXX"

/* Time passes between two uses. */
static int later(const char *owner, const char *id)
{
	int control = open_session(owner, id);

	usleep(2000);
	return control;
}

static int run(const char *owner, const char *id)
{
	return order(SESSION_ORDER_RUN, owner, id, "");
}

static void one_that_was_just_used_is_safe(void **state)
{
	(void)state;
	uint32_t slot;
	int a = later("alice", "a"), b = later("alice", "b");
	int c = later("bob", "c");

	conf.evict_after_s = 60;
	assert_int_equal(answer(run("alice", "d")),
			 REFUSED(SESSION_ORDER_CLIENT_FULL));
	assert_int_equal(answer(run("carol", "d")),
			 REFUSED(SESSION_ORDER_FULL));
	nothing_started();
	assert_int_equal(atomic_load(&board.counters.sessions_evicted), 0);
	assert_int_equal(atomic_load(&board.counters.sessions_refused), 2);
	conf.evict_after_s = 0;
	close(run("alice", "d"));
	assert_int_equal(task(a).kind, SESSION_ORDER_RELEASE);
	close(started(&slot));
	close(a);
	close(b);
	close(c);
}

static void a_share_is_not_taken(void **state)
{
	(void)state;
	uint32_t slot;

	conf.max = 4;
	conf.per_client = 0; /* as many as there are */
	registry.table.count = 12;
	int b = later("bob", "b"); /* the idlest of all */
	int a1 = later("alice", "1"), a2 = later("alice", "2"),
	    a3 = later("alice", "3");

	/* alice has more than her half, so she gives */
	close(run("alice", "4"));
	assert_int_equal(task(a1).kind, SESSION_ORDER_RELEASE);
	int a4 = started(&slot);

	done(a4);
	/* bob has less than his */
	close(run("bob", "5"));
	assert_int_equal(task(a2).kind, SESSION_ORDER_RELEASE);
	int b5 = started(&slot);

	done(b5);
	/* both have their share: each gives its own */
	close(run("alice", "6"));
	assert_int_equal(task(a3).kind, SESSION_ORDER_RELEASE);
	int a6 = started(&slot);

	done(a6);
	close(run("bob", "7"));
	assert_int_equal(task(b).kind, SESSION_ORDER_RELEASE);
	close(started(&slot));
	close(a1);
	close(a2);
	close(a3);
	close(a4);
	close(a6);
	close(b);
	close(b5);
}

static void a_new_owner_gets_one_of_many(void **state)
{
	(void)state;
	uint32_t slot;
	int a = later("alice", "a"), b = later("bob", "b"),
	    c = later("carol", "c");

	close(run("dora", "d")); /* none has more than its share */
	assert_int_equal(task(a).kind, SESSION_ORDER_RELEASE);
	close(started(&slot));
	close(a);
	close(b);
	close(c);
}

static void it_is_told_why_the_last_one_ended(void **state)
{
	(void)state;
	uint32_t slot;
	int channel = run("alice", "a");
	int control = started(&slot);

	assert_int_equal(origin(channel), SESSION_NEW);
	done(control);
	assert_int_equal(origin(run("alice", "a")), SESSION_THERE);
	done(control);
	close(order(SESSION_ORDER_RELEASE, "alice", "a", ""));
	assert_int_equal(origin(run("alice", "a")), SESSION_AFTER_RELEASED);
	int other = started(&slot);

	done(other);
	assert_int_equal(origin(run("bob", "a")), SESSION_NEW);
	close(started(&slot));
	tell(other, SESSION_ORDER_GONE, 0);
	assert_int_equal(origin(run("alice", "a")), SESSION_AFTER_ENDED);
	int third = started(&slot);

	done(third);
	conf.idle_s = 0;
	usleep(2000);
	step();
	conf.idle_s = 3600;
	assert_int_equal(origin(run("alice", "a")), SESSION_AFTER_EXPIRED);
	close(started(&slot));
	step(); /* its session keeper has died */
	assert_int_equal(origin(run("alice", "a")), SESSION_AFTER_ENDED);
	close(started(&slot));
	close(control);
	close(other);
	close(third);
}

static void one_that_must_exist_is_not_begun(void **state)
{
	(void)state;
	assert_int_equal(answer(demand("alice", "a")),
			 REFUSED(SESSION_ORDER_ABSENT));
	nothing_started();
	int control = open_session("alice", "a");
	int channel = demand("alice", "a");

	assert_int_equal(origin(channel), SESSION_THERE);
	done(control);
	close(order(SESSION_ORDER_RELEASE, "alice", "a", ""));
	assert_int_equal(origin(demand("alice", "a")),
			 SESSION_AFTER_RELEASED);
	close(control);
}

static void the_list_is_bounded(void **state)
{
	(void)state;
	struct former former;
	char id[32];

	assert_int_equal(former_open(&former, NULL), 0);
	for (int i = 0; i < FORMER_MAX + 5; i++) {
		snprintf(id, sizeof(id), "%d", i);
		former_add(&former, "alice", id, SESSION_AFTER_EXPIRED);
	}
	assert_int_equal(former_find(&former, "alice", "4"), SESSION_NEW);
	assert_int_equal(former_find(&former, "alice", "5"),
			 SESSION_AFTER_EXPIRED);
	former_add(&former, "alice", "5", SESSION_AFTER_EVICTED);
	assert_int_equal(former_find(&former, "alice", "5"),
			 SESSION_AFTER_EVICTED);
	former_free(&former);
}

static void an_hour_later_it_is_forgotten(void **state)
{
	(void)state;
	struct former former;

	assert_int_equal(former_open(&former, NULL), 0);
	former_add(&former, "alice", "a", SESSION_AFTER_EXPIRED);
	former.entries[0].ended_ms -= FORMER_AGE_MS;
	assert_int_equal(former_find(&former, "alice", "a"), SESSION_NEW);
	former_free(&former);
}

static void the_next_server_takes_it_over_once(void **state)
{
	(void)state;
	struct former former;
	char path[] = LIST_PATH;
	int fd = mkstemp(path);

	assert_int_equal(former_open(&former, NULL), 0);
	former_add(&former, "alice", "a", SESSION_AFTER_EXPIRED);
	former_add(&former, "alice", "a", SESSION_AFTER_RESTARTED);
	assert_int_equal(former_save(&former, path), 0);
	former_free(&former);
	assert_int_equal(former_open(&former, path), 0);
	assert_int_equal(former_find(&former, "alice", "a"),
			 SESSION_AFTER_RESTARTED);
	assert_int_equal(former_find(&former, "alice", "b"), SESSION_NEW);
	former_free(&former);
	assert_int_equal(access(path, F_OK), -1);
	/* without a file it begins an empty one */
	assert_int_equal(former_open(&former, path), 0);
	assert_int_equal(former.count, 0);
	former_free(&former);
	close(fd);
}

/* Each byte changed, and each length: refused, or a list like any other. */
static void a_damaged_file_is_harmless(void **state)
{
	(void)state;
	struct former former;
	char path[] = LIST_PATH;
	unsigned char text[256];

	close(mkstemp(path));
	assert_int_equal(former_open(&former, NULL), 0);
	former_add(&former, "alice", "a", SESSION_AFTER_RESTARTED);
	assert_int_equal(former_save(&former, path), 0);
	former_free(&former);
	int fd = open(path, O_RDONLY);
	ssize_t size = read(fd, text, sizeof(text));

	close(fd);
	assert_true(size > 0);
	for (ssize_t i = 0; i < 2 * size; i++) {
		fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
		if (i < size)
			text[i] ^= 0xff;
		assert_true(write(fd, text, i < size ? (size_t)size
						     : (size_t)(i - size)) >= 0);
		if (i < size)
			text[i] ^= 0xff;
		close(fd);
		former_open(&former, path);
		assert_true(former.entries && former.count <= 1);
		former_find(&former, "alice", "a");
		former_free(&former);
	}
	unlink(path);
}

static void only_a_private_file_is_read(void **state)
{
	(void)state;
	struct former former;
	char path[] = LIST_PATH, other[sizeof(path) + 2];

	close(mkstemp(path));
	snprintf(other, sizeof(other), "%s.b", path);
	assert_int_equal(former_open(&former, NULL), 0);
	former_add(&former, "alice", "a", SESSION_AFTER_RESTARTED);
	assert_int_equal(former_save(&former, path), 0);
	former_free(&former);
	/* a link */
	assert_int_equal(symlink(path, other), 0);
	assert_true(former_open(&former, other) < 0);
	assert_int_equal(former.count, 0);
	former_free(&former);
	assert_int_equal(access(path, F_OK), 0);
	/* a pipe, on which an open would wait */
	assert_int_equal(mkfifo(other, 0600), 0);
	assert_true(former_open(&former, other) < 0);
	former_free(&former);
	/* one that others may write */
	assert_int_equal(chmod(path, 0660), 0);
	assert_int_equal(former_open(&former, path), -EPERM);
	assert_int_equal(former.count, 0);
	former_free(&former);
	assert_int_equal(access(path, F_OK), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(one_that_was_just_used_is_safe),
		TEST(a_share_is_not_taken),
		TEST(a_new_owner_gets_one_of_many),
		TEST(it_is_told_why_the_last_one_ended),
		TEST(one_that_must_exist_is_not_begun),
		cmocka_unit_test(the_list_is_bounded),
		cmocka_unit_test(an_hour_later_it_is_forgotten),
		cmocka_unit_test(the_next_server_takes_it_over_once),
		cmocka_unit_test(a_damaged_file_is_harmless),
		cmocka_unit_test(only_a_private_file_is_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
