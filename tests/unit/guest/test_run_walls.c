/*
 * test_run_walls - a guest never runs with a layer missing: each call that
 * builds a wall is made to fail in turn, by a filter in the worker, and the
 * guest must not become armed, the worker must have a sentence about it, and
 * nothing may be left behind.
 */
#include "tests/unit/guest/run_support.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "sandbox/base/log.h"

#ifndef PR_SET_MDWE
#define PR_SET_MDWE 65
#endif

#define ANY (-1)

/* A call, or only those with VALUE as argument ARG, that fails. */
static const struct sabotage {
	long number;
	int arg;
	uint32_t value;
	const char *sentence;
} sabotages[] = {
	{SYS_fsopen, ANY, 0, "make home: "},
	{SYS_fsconfig, ANY, 0, "make home: "},
	{SYS_fsmount, ANY, 0, "make home: "},
	{SYS_pipe2, ANY, 0, "make pipes: "},
	{SYS_unshare, 0, CLONE_NEWPID, "start a pid namespace: "},
	{SYS_clone, 0, CLONE_VM | CLONE_PIDFD | SIGCHLD,
	 "start a pid namespace: "},
	{SYS_pidfd_open, ANY, 0, "start a pid namespace: "},
	{SYS_close_range, 0, 0, "lock the namespace's init: "},
	{SYS_setsid, ANY, 0, "could not leave its parent's group: "},
	{SYS_getrandom, ANY, 0, "could not take over the interpreter: "},
	{SYS_unshare, 0, CLONE_NEWNS, "could not enter a mount namespace: "},
	{SYS_move_mount, ANY, 0, "could not mount home: "},
	{SYS_chdir, ANY, 0, "could not mount home: "},
	{SYS_close_range, 0, WIRE_FD_COUNT,
	 "could not close descriptors: "},
	{SYS_prlimit64, 1, RLIMIT_AS, "could not set resource limits: "},
	{SYS_prlimit64, 1, RLIMIT_CPU, "could not set resource limits: "},
	{SYS_prlimit64, 1, RLIMIT_FSIZE, "could not set resource limits: "},
	{SYS_prlimit64, 1, RLIMIT_NOFILE, "could not set resource limits: "},
	{SYS_prlimit64, 1, RLIMIT_NPROC, "could not set resource limits: "},
	{SYS_prlimit64, 1, RLIMIT_CORE, "could not set resource limits: "},
	{SYS_prlimit64, 1, RLIMIT_MEMLOCK, "could not set resource limits: "},
	{SYS_setresgid, ANY, 0, "could not change identity: "},
	{SYS_setresuid, ANY, 0, "could not change identity: "},
	{SYS_prctl, 0, PR_CAP_AMBIENT, "could not drop capabilities: "},
	{SYS_capset, ANY, 0, "could not drop capabilities: "},
	{SYS_prctl, 0, PR_SET_DUMPABLE, "could not lock privileges: "},
	{SYS_prctl, 0, PR_SET_NO_NEW_PRIVS, "could not lock privileges: "},
	{SYS_prctl, 0, PR_SET_PDEATHSIG, "could not lock privileges: "},
	{SYS_prctl, 0, PR_SET_MDWE, "could not lock privileges: "},
	{SYS_landlock_create_ruleset, ANY, 0, "could not enforce Landlock: "},
	{SYS_landlock_add_rule, ANY, 0, "could not enforce Landlock: "},
	{SYS_landlock_restrict_self, ANY, 0, "could not enforce Landlock: "},
	{SYS_seccomp, ANY, 0, "could not load the filter: "},
};

/* Make the call fail with EIO, for which no caller has a fallback, in this
 * process and its children. As a process with every capability here, we
 * need not give up privileges. */
static int make_fail(const struct sabotage *row)
{
	unsigned at = row->arg == ANY ? 0 : (unsigned)row->arg;
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)row->number, 0,
			 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 (uint32_t)offsetof(struct seccomp_data, args) +
				 8 * at),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, row->value, 0,
			 row->arg == ANY ? 0 : 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EIO),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {ARRAY_LEN(code), code};

	return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
}

/* Try to arm a guest of BOX; it must fail with SENTENCE. */
static int cannot_arm(const struct box *box, const char *sentence)
{
	char error[RUN_ERROR_MAX];
	struct run run;
	int fds = support_count_fds();
	int rc = run_arm(&run, box, 1, &box->groups[1], error);

	if (rc >= 0)
		run_end(&run);
	if (rc >= 0 || !strstr(error, sentence))
		fprintf(stderr, "# wanted: %s\n# got %d: %s\n", sentence, rc,
			error);
	RUN_CHECK(rc < 0);
	RUN_CHECK(strstr(error, sentence));
	RUN_CHECK(support_count_fds() == fds);
	RUN_CHECK(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD);
	return 0;
}

static int arm_sabotaged(void *context)
{
	const struct sabotage *row = context;

	RUN_CHECK(make_fail(row) == 0);
	return cannot_arm(&run_box, row->sentence);
}

static void no_call_may_fail_unnoticed(void **state)
{
	(void)state;
	RUN_NEEDS_BOX();
	for (size_t i = 0; i < ARRAY_LEN(sabotages); i++) {
		if (!run_box.landlock_abi &&
		    strstr(sabotages[i].sentence, "Landlock"))
			continue;
		run_in_worker(arm_sabotaged, (void *)(uintptr_t)&sabotages[i]);
	}
}

/* ---- a box that is not as it should be ------------------------------- */

static struct cgroup_slot bad_groups[RUN_SLOTS];

static void without_filter(struct box *box)
{
	box->filter.count = 0;
}

static void without_init_filter(struct box *box)
{
	box->init_filter.count = 0;
}

static void with_half_a_filter(struct box *box)
{
	box->filter.count /= 2; /* ends without an answer */
}

static void with_impossible_limits(struct box *box)
{
	box->limits.open_files = INT_MAX;
}

static void without_identity(struct box *box)
{
	box->who.guest_first = 77777; /* not mapped */
}

static void without_a_home(struct box *box)
{
	box->limits.home_inodes = 1; /* no room for its first files */
}

static void without_room_for_the_skeleton(struct box *box)
{
	box->limits.home_inodes = 4;
}

static void with_a_group_that_is_closed(struct box *box)
{
	for (unsigned i = 0; i < RUN_SLOTS; i++)
		cgroup_slot_none(&bad_groups[i]);
	bad_groups[1].entry[0] = open("/dev/null", O_RDONLY);
	box->groups = bad_groups;
}

static void with_a_group_without_limit(struct box *box)
{
	for (unsigned i = 0; i < RUN_SLOTS; i++)
		cgroup_slot_none(&bad_groups[i]);
	bad_groups[1].limit = open("/dev/null", O_RDONLY);
	box->groups = bad_groups;
}

static const struct damage {
	void (*do_it)(struct box *box);
	const char *sentence;
} damages[] = {
	{without_filter, "could not load the filter: Invalid argument"},
	{without_init_filter, "lock the namespace's init: Invalid argument"},
	{with_half_a_filter, "could not load the filter: Invalid argument"},
	{with_impossible_limits, "could not set resource limits: "},
	{without_identity, ": Invalid argument"},
	{without_a_home, "make home: No space left"},
	{without_room_for_the_skeleton, "make home: No space left"},
	{with_a_group_that_is_closed,
	 "could not enter the control group: Bad file descriptor"},
	{with_a_group_without_limit,
	 "reset the control group: Bad file descriptor"},
};

static int arm_damaged(void *context)
{
	const struct damage *row = context;
	struct box box = run_box;

	row->do_it(&box);
	return cannot_arm(&box, row->sentence);
}

static void a_damaged_box_arms_nobody(void **state)
{
	(void)state;
	RUN_NEEDS_BOX();
	for (size_t i = 0; i < ARRAY_LEN(damages); i++)
		run_in_worker(arm_damaged, (void *)(uintptr_t)&damages[i]);
}

/* The same worker steps, undisturbed, arm a guest: the tests above fail for
 * the reason they name. */
static int arm_undisturbed(void *context)
{
	const struct sabotage harmless = {SYS_reboot, ANY, 0, ""};
	struct run run;

	(void)context;
	RUN_CHECK(make_fail(&harmless) == 0);
	RUN_CHECK(run_armed(&run) == 0);
	run_end(&run);
	run_end(&run); /* once more does no harm */
	return 0;
}

static void without_sabotage_a_guest_is_armed(void **state)
{
	(void)state;
	RUN_NEEDS_BOX();
	run_in_worker(arm_undisturbed, NULL);
}

/* ---- a guest seen from outside --------------------------------------- */

static int arm_and_wait(void *context)
{
	struct run run;

	(void)context;
	RUN_CHECK(run_armed(&run) == 0);
	atomic_store(&run_share->stage, 1);
	for (;;)
		pause();
}

/* The line of the guest's status that begins with NAME. */
static const char *status_line(pid_t guest, const char *name)
{
	static char text[8192];
	char path[64];

	snprintf(path, sizeof(path), "%d/status", guest);
	owned_fd int fd = openat(run_proc, path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

	if (n < 0)
		fail_msg("cannot read %s", path);
	text[n < 0 ? 0 : n] = '\0';
	char *line = strstr(text, name);

	assert_non_null(line);
	line += strlen(name);
	*strchrnul(line, '\n') = '\0';
	return line;
}

static void assert_no_capability(pid_t guest)
{
	static const char *const sets[] = {"\nCapInh:\t", "\nCapPrm:\t",
					   "\nCapEff:\t", "\nCapBnd:\t",
					   "\nCapAmb:\t"};

	for (size_t i = 0; i < ARRAY_LEN(sets); i++)
		assert_string_equal(status_line(guest, sets[i]),
				    "0000000000000000");
}

static void assert_own_uid(pid_t guest)
{
	char want[80];
	/* as seen from inside of our user namespace, and slot 1 */
	unsigned uid = IDENTITY_GUEST + (run_as_root ? 1 : 0);

	snprintf(want, sizeof(want), "%u\t%u\t%u\t%u", uid, uid, uid, uid);
	assert_string_equal(status_line(guest, "\nUid:\t"), want);
	assert_string_equal(status_line(guest, "\nGid:\t"), want);
}

static void an_armed_guest_stands_behind_its_walls(void **state)
{
	(void)state;
	RUN_NEEDS_BOX();
	pid_t worker = run_worker(arm_and_wait, NULL);

	run_wait_stage(1);
	pid_t guest = run_share->guest;

	assert_no_capability(guest);
	assert_own_uid(guest);
	assert_string_equal(status_line(guest, "\nNoNewPrivs:\t"), "1");
	assert_string_equal(status_line(guest, "\nSeccomp:\t"), "2");
	assert_string_equal(status_line(guest, "\nThreads:\t"), "1");
	assert_non_null(strstr(status_line(guest, "\nNSpid:\t"), "\t2"));
	assert_int_equal(kill(worker, SIGKILL), 0);
	support_wait(worker);
	assert_true(run_is_gone(guest));
	run_no_child_left();
}

/* ---- preparing ------------------------------------------------------- */

static const struct bad_plan {
	const char *preload, *python_path, *skeleton, *cache_dir;
	enum cgroup_kind groups;
	const char *sentence;
} bad_plans[] = {
	{"json no_such_module", "", "", "", CGROUP_NONE,
	 "preload \"json no_such_module\": ModuleNotFoundError: No module "
	 "named 'no_such_module'"},
	{"json", "/nowhere/at/all", "", "", CGROUP_NONE,
	 "/nowhere/at/all: No such file"},
	{"json", "", "/nowhere/at/all", "", CGROUP_NONE,
	 "read the skeleton /nowhere/at/all: No such file"},
	{"json", "", "", "/nowhere/at/all", CGROUP_NONE,
	 "/nowhere/at/all: No such file"},
	{"json", "", "", "", CGROUP_V2,
	 "open the control group of slot 0: No such file"},
};

static int prepare_badly(void *context)
{
	const struct bad_plan *row = context;
	struct box_plan plan = run_plan;
	char error[BOX_ERROR_MAX] = "";
	struct box box;

	plan.preload = row->preload;
	plan.python_path = row->python_path;
	plan.skeleton = row->skeleton;
	plan.cache_dir = row->cache_dir;
	const struct cgroup_host host = {.kind = row->groups,
					 .dirs = {"/nowhere"}};

	plan.cgroups = &host;
	int rc = box_prepare(&box, &plan, error);

	if (!strstr(error, row->sentence))
		fprintf(stderr, "# wanted: %s\n# got %d: %s\n", row->sentence,
			rc, error);
	RUN_CHECK(rc < 0);
	RUN_CHECK(strstr(error, row->sentence));
	return 0;
}

/* Before the pool process has left the host's root: it can be done but once. */
static int prepare_all_badly(void)
{
	int failed = 0;

	for (size_t i = 0; i < ARRAY_LEN(bad_plans); i++)
		failed += support_in_child(
			prepare_badly, (void *)(uintptr_t)&bad_plans[i]) != 0;
	return failed;
}

static void a_bad_plan_is_refused_with_a_sentence(void **state)
{
	(void)state;
	RUN_NEEDS_BOX();
	assert_int_equal(run_before, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_sabotage_a_guest_is_armed),
		cmocka_unit_test(no_call_may_fail_unnoticed),
		cmocka_unit_test(a_damaged_box_arms_nobody),
		cmocka_unit_test(an_armed_guest_stands_behind_its_walls),
		cmocka_unit_test(a_bad_plan_is_refused_with_a_sentence),
	};

	run_before_prepare = prepare_all_badly;
	return run_support_main("run_walls", tests, ARRAY_LEN(tests));
}
