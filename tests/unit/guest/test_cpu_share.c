/*
 * test_cpu_share - a program that computes for long loses priority.
 */
#include "tests/unit/support.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sandbox/ipc/fork_order.h"
#include "sandbox/base/io.h"
#include "sandbox/guest/cpu_share.h"

static struct cgroup_slot group;
static int channel[2]; /* the worker's end and the fork server's */

static int open_channel(void **state)
{
	(void)state;
	cgroup_slot_none(&group);
	return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, channel);
}

static int close_channel(void **state)
{
	(void)state;
	base_release_fd(&channel[0]);
	base_release_fd(&channel[1]);
	return 0;
}

static void compute(const struct cpu_share *share, uint64_t ms)
{
	while (cpu_share_cpu_ms(share) < ms)
		;
}

static bool told(void)
{
	enum fork_order_question question;

	return fork_order_receive_question(channel[1], &question) == 1 &&
	       question == FORK_ORDER_SLOW;
}

static void who_computes_for_long_is_told(void **state)
{
	struct cpu_share share;

	(void)state;
	cpu_share_begin(&share, &group, getpid(), channel[0], io_now_ms());
	compute(&share, CPU_SHARE_QUICK_MS / 2);
	cpu_share_check(&share, io_now_ms());
	if (cpu_share_cpu_ms(&share) <
	    CPU_SHARE_QUICK_MS) /* however busy the machine */
		assert_false(told());
	compute(&share, CPU_SHARE_QUICK_MS);
	cpu_share_check(&share, io_now_ms());
	assert_true(told());
}

/* A thread that was just being started when the fork server lowered the
 * priority of all has its starter's earlier one. */
static void it_is_told_again(void **state)
{
	struct cpu_share share;

	(void)state;
	cpu_share_begin(&share, &group, getpid(), channel[0], io_now_ms());
	compute(&share, CPU_SHARE_QUICK_MS);
	for (int i = 0; i < 3; i++) {
		const int64_t now = io_now_ms();

		cpu_share_check(&share, now);
		assert_true(told());
		assert_in_range(share.next, now + 1, now + CPU_SHARE_CHECK_MS);
	}
	cpu_share_end(&share);
	assert_int_equal(share.next, 0);
	assert_false(told());
}

static void assert_weight(const char *text)
{
	char found[16] = "";

	assert_true(pread(group.weight, found, sizeof(found) - 1, 0) > 0);
	assert_string_equal(found, text);
	assert_int_equal(ftruncate(group.weight, 0), 0);
}

/* One look writes the weight of its group, and all of it has that. */
static void a_group_is_told_once(void **state)
{
	char path[] = "/tmp/test-pace-XXXXXX";
	struct cpu_share share;

	(void)state;
	group.kind = CGROUP_V2;
	group.weight = mkostemp(path, O_CLOEXEC);
	assert_true(group.weight >= 0);
	assert_int_equal(unlink(path), 0);
	cpu_share_begin(&share, &group, getpid(), channel[0], io_now_ms());
	compute(&share, CPU_SHARE_QUICK_MS);
	cpu_share_check(&share, io_now_ms());
	assert_int_equal(share.next, 0);
	assert_false(told());
	assert_weight("12");
	cpu_share_end(&share);
	assert_weight("100");
	base_release_fd(&group.weight);
}

static void without_either_nobody_is_told(void **state)
{
	struct cpu_share share;

	(void)state;
	cpu_share_begin(&share, &group, getpid(), -1, io_now_ms());
	assert_int_equal(share.next, 0);
}

#define WITH_CHANNEL(test)                                                   \
	cmocka_unit_test_setup_teardown(test, open_channel, close_channel)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_CHANNEL(who_computes_for_long_is_told),
		WITH_CHANNEL(it_is_told_again),
		WITH_CHANNEL(a_group_is_told_once),
		WITH_CHANNEL(without_either_nobody_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
