/*
 * test_scoreboard - the memory that the server's roles share, and the roles
 * that do not have it.
 */
#include "tests/unit/support.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "fcgi/shared/scoreboard.h"

static void all_see_the_same(void **state)
{
	int fd = scoreboard_create();

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC);
	struct scoreboard *one = scoreboard_map(fd), *two = scoreboard_map(fd);

	assert_non_null(one);
	assert_non_null(two);
	assert_int_equal(one->state, SCOREBOARD_STARTING);
	assert_int_equal(scoreboard_count(one, SLOT_FREE),
			 SCOREBOARD_SLOTS_MAX);
	atomic_store(&one->slots[SCOREBOARD_SLOTS_MAX - 1].state, SLOT_BUSY);
	atomic_fetch_add(&one->counters.forks, 2);
	assert_int_equal(scoreboard_count(two, SLOT_BUSY), 1);
	assert_int_equal(scoreboard_count(two, SLOT_FREE),
			 SCOREBOARD_SLOTS_MAX - 1);
	assert_int_equal(two->counters.forks, 2);
	munmap(one, sizeof(*one));
	munmap(two, sizeof(*two));
	close(fd);
}

static void a_state_has_a_reason(void **state)
{
	int fd = scoreboard_create();
	struct scoreboard *board = scoreboard_map(fd);
	char *reason = malloc(2 * SCOREBOARD_REASON_MAX);

	(void)state;
	assert_non_null(reason);
	scoreboard_set_state(board, SCOREBOARD_STOPPED, "no %s guest");
	assert_int_equal(board->state, SCOREBOARD_STOPPED);
	assert_string_equal(board->reason, "no %s guest");
	memset(reason, 'r', 2 * SCOREBOARD_REASON_MAX);
	reason[2 * SCOREBOARD_REASON_MAX - 1] = '\0';
	scoreboard_set_state(board, SCOREBOARD_SERVING, reason);
	assert_int_equal(strlen(board->reason), SCOREBOARD_REASON_MAX - 1);
	assert_int_equal(scoreboard_count(board, SLOT_FREE),
			 SCOREBOARD_SLOTS_MAX);
	free(reason);
	munmap(board, sizeof(*board));
	close(fd);
}

static int touch(void *context)
{
	const struct scoreboard *board = context;

	return (int)board->workers;
}

/* A guest is a forked child: to it, the memory is not there. */
static void a_child_does_not_have_it(void **state)
{
	int fd = scoreboard_create();
	struct scoreboard *board = scoreboard_map(fd);

	(void)state;
	assert_int_equal(touch(board), 0);
	int status = support_in_child(touch, board);

#ifdef __SANITIZE_ADDRESS__
	assert_true(status != 0);
#else
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGSEGV);
#endif
	munmap(board, sizeof(*board));
	close(fd);
}

static void a_bad_descriptor_maps_nothing(void **state)
{
	(void)state;
	assert_null(scoreboard_map(-1));
	assert_int_equal(errno, EBADF);
}

static void states_have_names(void **state)
{
	(void)state;
	for (int i = 0; i < SCOREBOARD_STATES; i++)
		assert_non_null(scoreboard_state_names[i]);
	for (int i = 0; i < SLOT_STATES; i++)
		assert_non_null(slot_state_names[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_see_the_same),
		cmocka_unit_test(a_state_has_a_reason),
		cmocka_unit_test(a_child_does_not_have_it),
		cmocka_unit_test(a_bad_descriptor_maps_nothing),
		cmocka_unit_test(states_have_names),
	};

	return cmocka_run_group_tests_name("scoreboard", tests, NULL, NULL);
}
