/*
 * test_cgroup_host - control groups of this host, where there are some that
 * can be written: that their limits hold.
 */
#include "tests/unit/support.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "sandbox/walls/cgroup_tree.h"

#define COUNT(number) (&(const struct cgroup_slots){.count = (number)})

static struct cgroup_host host;
static char error[CGROUP_PATH_MAX];

/* Small enough to be reached in a moment. */
static const struct limits little = {
	.memory_mb = 16, .home_mb = 1, .threads = 4, .cpu_percent = 100};

static struct cgroup_slot real;

static int make_real(void **state)
{
	char name[64];

	(void)state;
	snprintf(name, sizeof(name), "terrarium-test-%d", getpid());
	const struct cgroup_paths paths = cgroup_host_paths(name);

	return cgroup_tree_begin(&host, &paths, &little, COUNT(2)) < 0
		       ? 0
		       : cgroup_open(&host, 1, &real);
}

static int remove_real(void **state)
{
	(void)state;
	if (host.kind == CGROUP_NONE)
		return 0;
	cgroup_tree_remove(&host);
	return access(host.dirs[0], F_OK) == 0;
}

#define NEEDS_REAL()                                                         \
	do {                                                                 \
		if (host.kind == CGROUP_NONE)                                \
			support_skip("no writable control groups: %s",       \
				     host.why);                              \
	} while (0)

static int use_memory(void *context)
{
	size_t size = *(const size_t *)context;
	char *at = malloc(size);

	if (cgroup_enter(&real) < 0 || !at)
		return 1;
	memset(at, 'x', size);
	int rc = at[size - 1] != 'x';

	free(at);
	return rc;
}

static void memory_has_a_limit(void **state)
{
	size_t fits = 20 << 20, does_not = 100 << 20;

	(void)state;
	NEEDS_REAL();
	assert_int_equal(cgroup_reset(&real, &little, 16), 0);
	assert_int_equal(cgroup_memory_kills(&real), 0);
	assert_int_equal(support_in_child(use_memory, &fits), 0);
	assert_int_equal(cgroup_memory_kills(&real), 0);
	assert_int_equal(support_in_child(use_memory, &does_not), SIGKILL);
	assert_int_equal(cgroup_memory_kills(&real), 1);
	/* more, for this one */
	assert_int_equal(cgroup_reset(&real, &little, 200), 0);
	assert_int_equal(support_in_child(use_memory, &does_not), 0);
	assert_int_equal(cgroup_memory_kills(&real), 1);
}

static void a_peak_is_this_guests_alone(void **state)
{
	size_t much = 60 << 20, little_of_it = 5 << 20;

	(void)state;
	NEEDS_REAL();
	if (real.peak < 0 || real.sampled)
		support_skip("this kernel keeps no peak that can be reset");
	assert_int_equal(cgroup_reset(&real, &little, 200), 0);
	assert_int_equal(support_in_child(use_memory, &much), 0);
	assert_in_range(cgroup_peak_kb(&real), 60 << 10, 90 << 10);
	assert_int_equal(cgroup_reset(&real, &little, 200), 0);
	assert_int_equal(support_in_child(use_memory, &little_of_it), 0);
	assert_in_range(cgroup_peak_kb(&real), 5 << 10, 30 << 10);
}

/* The group's limit is threads + 1; each child here is a task. */
static int fork_too_often(void *context)
{
	unsigned count = 0;

	(void)context;
	if (cgroup_enter(&real) < 0)
		return 100;
	for (; count < 20; count++) {
		pid_t pid = fork();

		if (pid < 0)
			break;
		if (pid == 0) {
			alarm(20);
			pause();
		}
	}
	signal(SIGTERM, SIG_IGN);
	return (int)count;
}

static void tasks_have_a_limit(void **state)
{
	(void)state;
	NEEDS_REAL();
	int status = support_in_child(fork_too_often, NULL);

	assert_int_equal(status >> 8, 4);
}

/* Compute in a group, on one processor, until DEADLINE. */
struct burner {
	const struct cgroup_slot *slot;
	cpu_set_t one;
	struct timespec deadline;
};

static bool is_over(const struct timespec *deadline)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec != deadline->tv_sec
		       ? now.tv_sec > deadline->tv_sec
		       : now.tv_nsec >= deadline->tv_nsec;
}

/* Exits with the hundredths of a second that it had. */
static pid_t burn(const struct burner *burner)
{
	struct timespec used;
	pid_t pid = fork();

	if (pid != 0)
		return pid;
	if (cgroup_enter(burner->slot) < 0 ||
	    sched_setaffinity(0, sizeof(burner->one), &burner->one) < 0)
		_exit(255);
	while (!is_over(&burner->deadline))
		;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
	_exit((int)(used.tv_sec * 100 + used.tv_nsec / 10000000));
}

static int burnt(pid_t pid)
{
	int status;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) != 255);
	return WEXITSTATUS(status);
}

/* One of those that we may run on. */
static cpu_set_t one_processor(void)
{
	cpu_set_t all, one;
	size_t cpu = 0;

	assert_int_equal(sched_getaffinity(0, sizeof(all), &all), 0);
	while (!CPU_ISSET(cpu, &all))
		cpu++;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	return one;
}

static void who_is_slow_lets_others_go_first(void **state)
{
	struct cgroup_slot other;

	(void)state;
	NEEDS_REAL();
	if (!cgroup_has_weight(&real))
		support_skip("no cpu controller");
	assert_int_equal(cgroup_open(&host, 0, &other), 0);
	struct burner burners[] = {{.slot = &real, .one = one_processor()},
				   {.slot = &other, .one = one_processor()}};

	assert_int_equal(cgroup_set_weight(&real, CGROUP_WEIGHT_LOW), 0);
	clock_gettime(CLOCK_MONOTONIC, &burners[0].deadline);
	burners[0].deadline.tv_sec++;
	burners[1].deadline = burners[0].deadline;
	pid_t slow = burn(&burners[0]), full = burn(&burners[1]);
	int slowly = burnt(slow), fully = burnt(full);

	assert_int_equal(cgroup_reset(&real, &little, 16), 0);
	if (fully < 20)
		support_skip("the machine was busy with other work");
	assert_in_range(slowly, 0, fully / 2);
	cgroup_keep_own(&other, 1, 1);
}

/* As `terrariumd -t` does it: nothing is left behind. */
static void a_trial_enters_and_leaves_nothing(void **state)
{
	const struct cgroup_paths paths = cgroup_host_paths("terrarium-test");
	struct cgroup_host tried;

	(void)state;
	NEEDS_REAL();
	/* Version 2: the process must be alone where it is. */
	cgroup_tree_remove(&host);
	assert_in_range(cgroup_tree_try(&tried, &paths, &little), 0, 10000000);
	assert_int_equal(tried.kind, host.kind);
	assert_non_null(strstr(tried.dirs[0], "terrarium-test.check-"));
	for (size_t i = 0; i < CGROUP_CONTROLLERS; i++)
		if (tried.dirs[i][0])
			assert_int_equal(access(tried.dirs[i], F_OK), -1);
	assert_int_equal(cgroup_tree_make(&host, &little, COUNT(2), error), 0);
}

/* The children of the test above may still be there: a sweep kills them. */
static void a_sweep_kills_what_is_left(void **state)
{
	(void)state;
	NEEDS_REAL();
	int status = support_in_child(fork_too_often, NULL);

	assert_in_range(status >> 8, 0, 4);
	cgroup_tree_remove(&host);
	for (size_t i = 0; i < CGROUP_CONTROLLERS; i++)
		if (host.dirs[i][0])
			assert_int_equal(access(host.dirs[i], F_OK), -1);
	assert_int_equal(cgroup_tree_make(&host, &little, COUNT(2), error), 0);
}

int main(void)
{
	const struct CMUnitTest own[] = {
		cmocka_unit_test(memory_has_a_limit),
		cmocka_unit_test(a_peak_is_this_guests_alone),
		cmocka_unit_test(who_is_slow_lets_others_go_first),
		cmocka_unit_test(tasks_have_a_limit),
		cmocka_unit_test(a_sweep_kills_what_is_left),
		cmocka_unit_test(a_trial_enters_and_leaves_nothing),
	};

	return cmocka_run_group_tests_name("cgroup of this host", own,
					   make_real, remove_real);
}
