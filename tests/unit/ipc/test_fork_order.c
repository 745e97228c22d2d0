/*
 * test_fork_order - orders for guests between a worker and the fork server,
 * and forged messages of a worker that has been taken over.
 */
#include "tests/unit/support.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "sandbox/ipc/fork_order.h"
#include "sandbox/base/pidfd.h"

#define WAIT_MS 2000
#define SLOT 7

static int pair[2]; /* the worker's end and the fork server's */

static int open_pair(void **state)
{
	(void)state;
	return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair);
}

static int close_pair(void **state)
{
	(void)state;
	base_release_fd(&pair[0]);
	base_release_fd(&pair[1]);
	return 0;
}

/* All of them are the same file, because its content does not matter. */
static struct fork_order some_order(int fd)
{
	struct fork_order order = {.slot = SLOT, .entries = CGROUP_CONTROLLERS};

	for (size_t i = 0; i < FORK_ORDER_FDS; i++)
		order.fds[i] = fd;
	return order;
}

/* A worker that asks; its exit status is 0 when all is as it should be. */
static int be_worker(void *context)
{
	const int *wanted = context; /* 0, or the errno value of a refusal */
	struct fork_order order = some_order(pair[0]);
	int pidfd = -1, channel = -1, fork_server = pair[0];
	siginfo_t info;
	pid_t guest = 0;

	close(pair[1]);
	int rc = fork_order_send(fork_server, &order, WAIT_MS, &guest, &pidfd,
				 &channel);

	if (*wanted)
		return rc != -*wanted || channel != -1 || pidfd != -1;
	if (rc != 0 || guest <= 0 || fcntl(pidfd, F_GETFD) < 0)
		return 1;
	if (fork_order_slow(channel) < 0)
		return 3;
	if (fork_order_status(channel, FORK_ORDER_STATUS, &info) < 0 ||
	    info.si_code != CLD_EXITED || info.si_status != 3)
		return 2;
	return fork_order_status(channel, FORK_ORDER_REAP, &info) < 0 ||
	       info.si_code != CLD_KILLED || info.si_status != SIGKILL;
}

static struct fork_order take_order(void)
{
	struct pollfd polled = {.fd = pair[1], .events = POLLIN};
	struct fork_order order;

	assert_int_equal(poll(&polled, 1, WAIT_MS), 1);
	assert_int_equal(fork_order_receive(pair[1], &order), 1);
	assert_int_equal(order.slot, SLOT);
	return order;
}

static void hear(int channel, enum fork_order_question question)
{
	struct pollfd polled = {.fd = channel, .events = POLLIN};
	enum fork_order_question heard;

	assert_int_equal(poll(&polled, 1, WAIT_MS), 1);
	assert_int_equal(fork_order_receive_question(channel, &heard), 1);
	assert_int_equal(heard, question);
}

static void answer_question(int channel, enum fork_order_question question,
			    const siginfo_t *info)
{
	hear(channel, question);
	assert_int_equal(fork_order_send_status(channel, info), 0);
}

static pid_t start_worker(int *wanted)
{
	pid_t pid = support_fork();

	if (pid == 0)
		_exit(be_worker(wanted));
	assert_true(pid > 0);
	return pid;
}

static void a_guest_is_ordered_and_buried(void **state)
{
	const siginfo_t first = {.si_code = CLD_EXITED, .si_status = 3};
	siginfo_t second = {.si_code = CLD_KILLED, .si_status = SIGKILL};
	int wanted = 0, before = support_count_fds();

	(void)state;
	pid_t worker = start_worker(&wanted);
	struct fork_order order = take_order();
	int channel = order.fds[FORK_ORDER_CHANNEL];
	owned_fd int pidfd = pidfd_of(getpid());
	enum fork_order_question heard;

	assert_int_equal(fork_order_receive_question(channel, &heard), 0);
	assert_int_equal(fork_order_send_guest(channel, getpid(), pidfd), 0);
	hear(channel, FORK_ORDER_SLOW);
	answer_question(channel, FORK_ORDER_STATUS, &first);
	answer_question(channel, FORK_ORDER_REAP, &second);
	assert_int_equal(support_wait(worker), 0);
	assert_int_equal(fork_order_receive_question(channel, &heard), -EPIPE);
	fork_order_release(&order);
	base_release_fd(&pidfd);
	assert_int_equal(support_count_fds(), before);
}

static void a_refusal_arrives(void **state)
{
	int wanted = ENOMEM;

	(void)state;
	pid_t worker = start_worker(&wanted);
	struct fork_order order = take_order();

	assert_int_equal(fork_order_send_guest(order.fds[FORK_ORDER_CHANNEL],
					       -ENOMEM, -1),
			 0);
	assert_int_equal(support_wait(worker), 0);
	fork_order_release(&order);
}

/* Neither a fork server that is dead nor one that dies over an order is waited
 * for. */
static void nobody_casts(void **state)
{
	int wanted = EPIPE;

	(void)state;
	pid_t worker = start_worker(&wanted);
	struct fork_order order = take_order();

	fork_order_release(&order);
	assert_int_equal(support_wait(worker), 0);
	worker = start_worker(&wanted);
	base_release_fd(&pair[1]);
	assert_int_equal(support_wait(worker), 0);
}

static void silence_ends(void **state)
{
	struct fork_order order = some_order(pair[0]);
	int pidfd = -1, channel = -1;
	pid_t guest;

	(void)state;
	assert_int_equal(
		fork_order_send(pair[0], &order, 20, &guest, &pidfd, &channel),
		-ETIMEDOUT);
	assert_int_equal(channel, -1);
}

/* ---- messages that are no orders ------------------------------------- */

static void send_raw(const void *data, size_t size, const int *fds,
		     size_t count)
{
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(32 * sizeof(int))];
	} control = {.head = {.cmsg_len = CMSG_LEN(count * sizeof(int)),
			      .cmsg_level = SOL_SOCKET,
			      .cmsg_type = SCM_RIGHTS}};
	struct iovec part = {.iov_base = (void *)(uintptr_t)data,
			     .iov_len = size};
	struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};

	if (count > 0) {
		memcpy(CMSG_DATA(&control.head), fds, count * sizeof(int));
		message.msg_control = &control;
		message.msg_controllen = CMSG_SPACE(count * sizeof(int));
	}
	assert_true(sendmsg(pair[0], &message, 0) >= 0);
}

static void assert_no_order(size_t size, size_t count)
{
	const uint32_t words[2] = {SLOT, 0};
	struct fork_order order;
	int fds[32], before = support_count_fds();

	for (size_t i = 0; i < ARRAY_LEN(fds); i++)
		fds[i] = pair[0];
	send_raw(words, size, fds, count);
	assert_int_equal(fork_order_receive(pair[1], &order), 0);
	assert_int_equal(support_count_fds(), before);
}

/* And none of its descriptors stays open. Those that are too many are never
 * made, which is as good. */
static void what_is_no_order_is_passed_over(void **state)
{
	const uint32_t slot = SLOT;
	struct fork_order order;
	int fds[32];

	(void)state;
	assert_int_equal(fork_order_receive(pair[1], &order), 0);
	assert_no_order(sizeof(slot), 0);
	assert_no_order(sizeof(slot), FORK_ORDER_ENTRIES - 1);
	assert_no_order(1, FORK_ORDER_FDS);
	assert_no_order(1, 0);
	for (size_t i = 0; i < ARRAY_LEN(fds); i++)
		fds[i] = pair[0];
	send_raw(&slot, sizeof(slot), fds, ARRAY_LEN(fds));
	int before = support_count_fds();

	if (fork_order_receive(pair[1], &order) == 1)
		fork_order_release(&order);
	assert_int_equal(support_count_fds(), before);
	for (size_t entries = 0; entries <= CGROUP_CONTROLLERS; entries++) {
		send_raw(&slot, sizeof(slot), fds,
			 FORK_ORDER_ENTRIES + entries);
		assert_int_equal(fork_order_receive(pair[1], &order), 1);
		assert_int_equal(order.entries, entries);
		fork_order_release(&order);
		assert_int_equal(support_count_fds(), before);
	}
}

static void what_is_no_question_buries(void **state)
{
	enum fork_order_question heard = FORK_ORDER_STATUS;

	(void)state;
	assert_int_equal(send(pair[0], "?", 1, 0), 1);
	assert_int_equal(fork_order_receive_question(pair[1], &heard), 1);
	assert_int_equal(heard, FORK_ORDER_REAP);
	base_release_fd(&pair[0]);
	assert_int_equal(fork_order_receive_question(pair[1], &heard), -EPIPE);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_pair, close_pair)
	const struct CMUnitTest tests[] = {
		TEST(a_guest_is_ordered_and_buried),
		TEST(a_refusal_arrives),
		TEST(nobody_casts),
		TEST(silence_ends),
		TEST(what_is_no_order_is_passed_over),
		TEST(what_is_no_question_buries),
	};

	return cmocka_run_group_tests_name("cast", tests, NULL, NULL);
}
