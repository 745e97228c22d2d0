/* run_support - see run_support.h. */
#include "tests/unit/guest/run_support.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "sandbox/base/io.h"
#include "sandbox/walls/cgroup_tree.h"
#include "sandbox/walls/landlock.h"
#include "sandbox/base/log.h"
#include "sandbox/base/pidfd.h"

#define NOBODY 65534
#define UID_BASE 1900100000

struct box run_box;
const char *run_why_not;
bool run_as_root;
int run_proc;
int (*run_before_prepare)(void);
int run_before;
struct run_share *run_share;

const struct limits run_limits = {
	.timeout_ms = 5000, .memory_mb = 256, .threads = 8,
	.cpu_percent = 100, .home_mb = 16, .home_inodes = 1000,
	.open_files = 64, .output_kb = 64, .flood_mb = 2, .value_kb = 256,
	.displays = 10, .displays_mb = 4, .files_in = 10, .files_out = 10,
	.files_out_mb = 8};

struct box_plan run_plan = {.slots = RUN_SLOTS,
			    .preload = "json",
			    .python_path = "",
			    .skeleton = "",
			    .cache_dir = "",
			    .home_aliases = "/mnt/data:/home/other",
			    .uid_base = UID_BASE,
			    .freeze = true,
			    .layout = true};

static struct cgroup_host run_host;

static char *run_skeleton;

/* ---- workers --------------------------------------------------------- */

pid_t run_worker(int (*act)(void *context), void *context)
{
	atomic_store(&run_share->guest, 0);
	atomic_store(&run_share->init, 0);
	atomic_store(&run_share->stage, 0);
	pid_t pid = support_fork();

	if (pid == 0) {
		/* A test that fails leaves no worker waiting for ever. */
		prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
		signal(SIGPIPE, SIG_IGN);
		_exit(act(context));
	}
	assert_true(pid > 0);
	return pid;
}

void run_in_worker(int (*act)(void *context), void *context)
{
	int status = support_wait(run_worker(act, context));

	if (WIFSIGNALED(status))
		fail_msg("the worker died of signal %d", WTERMSIG(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

int run_armed(struct run *run)
{
	char error[RUN_ERROR_MAX];

	if (run_arm(run, &run_box, 1, &run_box.groups[1], error) < 0) {
		fprintf(stderr, "# cannot arm: %s\n", error);
		return 1;
	}
	atomic_store(&run_share->init, run->init);
	atomic_store(&run_share->guest, run->guest);
	return 0;
}

void run_wait_stage(int stage)
{
	for (int i = 0; i < 10000; i++) {
		if (atomic_load(&run_share->stage) >= stage)
			return;
		usleep(1000);
	}
	fail_msg("the worker does not come to stage %d", stage);
}

void run_no_child_left(void)
{
	int64_t end = io_now_ms() + 5000;
	pid_t pid;

	while ((pid = waitpid(-1, NULL, WNOHANG)) >= 0) {
		if (io_now_ms() > end)
			fail_msg("a process was left behind");
		if (pid == 0)
			usleep(1000);
	}
	assert_int_equal(errno, ECHILD);
}

bool run_is_gone(pid_t pid)
{
	owned_fd int fd = pidfd_of(pid);

	return fd < 0 ? fd == -ESRCH : io_wait_readable(fd, 5000) == 1;
}

int run_count_mounts(void)
{
	char chunk[4096];
	int lines = 0;
	ssize_t n;

	owned_fd int fd = openat(run_proc, "self/mountinfo",
				 O_RDONLY | O_CLOEXEC);

	assert_true(fd >= 0);
	while ((n = read(fd, chunk, sizeof(chunk))) > 0)
		for (ssize_t i = 0; i < n; i++)
			lines += chunk[i] == '\n';
	return lines;
}

/* ---- the sandbox ----------------------------------------------------- */

static int run_prepare(void **state)
{
	static char error[BOX_ERROR_MAX];

	(void)state;
	run_share = mmap(NULL, sizeof(*run_share), PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	run_proc = open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC);
	/* Orphans of a worker come to us, where a test can see them. */
	if (run_share == MAP_FAILED || run_proc < 0 ||
	    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) < 0)
		return -1;
	run_before = run_before_prepare ? run_before_prepare() : 0;
	int rc = box_prepare(&run_box, &run_plan, error);

	if (rc == -EPERM || rc == -ENOSPC || rc == -EACCES)
		run_why_not = error;
	else if (rc < 0)
		fprintf(stderr, "# prepare: %s\n", error);
	return rc < 0 && !run_why_not ? -1 : 0;
}

static void run_become_nobody(void)
{
	if (geteuid() != 0)
		return;
	if (setgroups(0, NULL) < 0 || setresgid(NOBODY, NOBODY, NOBODY) < 0 ||
	    setresuid(NOBODY, NOBODY, NOBODY) < 0)
		die("become nobody: %s", log_errno(errno));
	/* or the files of our own /proc would stay root's */
	if (prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) < 0)
		die("become dumpable: %s", log_errno(errno));
}

static int run_as(bool root, const char *name, const struct CMUnitTest *tests,
		  size_t count)
{
	char words[64];
	pid_t pid = fork();
	int status = 0;

	if (pid == 0) {
		run_as_root = root;
		if (!root)
			run_become_nobody();
		snprintf(words, sizeof(words), "%s as %s", name,
			 root ? "root" : "nobody");
		exit(_cmocka_run_group_tests(words, tests, count, run_prepare,
					     NULL) != 0);
	}
	waitpid(pid, &status, 0);
	return status != 0;
}

static void run_make_skeleton(void)
{
	run_skeleton = support_dir();
	support_write(run_skeleton, "notes.txt", "notes");
	support_write(run_skeleton, "data/table.csv", "1,2\n");
	if (chmod(run_skeleton, 0755) < 0)
		die("chmod: %s", log_errno(errno));
	run_plan.skeleton = run_skeleton;
}

static void run_make_groups(void)
{
	char name[64];
	const struct cgroup_slots slots = {.count = RUN_SLOTS};

	snprintf(name, sizeof(name), "terrarium-test-%d", getpid());
	const struct cgroup_paths paths = cgroup_host_paths(name);

	/* Without any, the tests of them skip themselves. */
	if (cgroup_tree_begin(&run_host, &paths, &run_limits, &slots) == 0)
		run_plan.cgroups = &run_host;
}

int run_support_main(const char *name, const struct CMUnitTest *tests,
		     size_t count)
{
	int failed = 0;

	log_set_level(LOG_LEVEL_ERROR);
	run_plan.limits = run_limits;
	run_plan.landlock = landlock_abi() > 0;
	run_make_skeleton();
	if (geteuid() == 0) {
		run_make_groups();
		failed |= run_as(true, name, tests, count);
		if (run_plan.cgroups)
			cgroup_tree_remove(run_plan.cgroups);
		run_plan.cgroups = NULL;
	}
	failed |= run_as(false, name, tests, count);
	support_remove(&run_skeleton);
	return failed;
}
