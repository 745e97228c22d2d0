/*
 * test_confine - the worker's own wall: a worker that was taken over can make
 * the calls that its one request needs, and no others.
 */
#include "tests/unit/guest/run_support.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "sandbox/walls/confine.h"
#include "sandbox/base/io.h"

/* CAP_DAC_OVERRIDE, CAP_KILL, CAP_SETGID, CAP_SETUID, CAP_SYS_RESOURCE */
#define WORKER_CAPABILITIES "00000000010000e2"

/* Calls that the kernel, asked like this, answers in another way. */
static const struct refused {
	const char *name;
	long number;
	long args[6];
} refused[] = {
	{"clone", SYS_clone, {SIGCHLD}},
	{"clone3", SYS_clone3, {0}},
	{"execve", SYS_execve, {0}},
	{"execveat", SYS_execveat, {-1}},
	{"socket", SYS_socket, {1, 1, 0}},
	{"socketpair", SYS_socketpair, {1, 1, 0, 0}},
	{"connect", SYS_connect, {-1}},
	{"sendmmsg", SYS_sendmmsg, {-1}},
	{"recvmmsg", SYS_recvmmsg, {-1}},
	{"shutdown", SYS_shutdown, {-1, 1}}, /* of a socket that others share */
	{"unshare", SYS_unshare, {0}},
	{"setns", SYS_setns, {-1}},
	{"ptrace", SYS_ptrace, {0}},
	{"kill", SYS_kill, {0, 0}},
	{"tkill", SYS_tkill, {-1}},
	{"pidfd_open", SYS_pidfd_open, {1, 0}},
	{"pidfd_getfd", SYS_pidfd_getfd, {-1}},
	{"setresuid", SYS_setresuid, {-1, -1, -1}},
	{"setresgid", SYS_setresgid, {-1, -1, -1}},
	{"capset", SYS_capset, {0}},
	{"prctl", SYS_prctl, {0}},
	{"seccomp", SYS_seccomp, {0, 0, 0}},
	{"bpf", SYS_bpf, {-1}},
	{"io_uring_setup", SYS_io_uring_setup, {0}},
	{"keyctl", SYS_keyctl, {-1}},
	{"fsopen", SYS_fsopen, {0}},
	{"move_mount", SYS_move_mount, {-1}},
	{"mmap", SYS_mmap, {0, 4096, PROT_READ | PROT_EXEC,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0}},
	{"mprotect", SYS_mprotect, {0, 0, PROT_EXEC}},
	{"ioctl", SYS_ioctl, {-1}},
	{"fcntl(F_SETFL)", SYS_fcntl, {-1, F_SETFL, 0}}, /* shared by all */
};

static int confine_worker(const struct run *run, char *error)
{
	const struct confine_plan plan = {
		.filter = &run->box->worker_filter,
		.landlock_abi = run->box->landlock_abi,
		.home = run->home.fd};

	return confine_process(&plan, error);
}

/* Files that are there, and that no worker needs. */
static const struct {
	const char *path;
	int flags;
} files[] = {
	{"/", O_RDONLY | O_DIRECTORY},
	{"/usr/lib", O_RDONLY | O_DIRECTORY},
	{"/dev/null", O_RDONLY},
	{"/dev/null", O_WRONLY},
	{"/dev/urandom", O_RDONLY},
};

static int confined(struct run *run)
{
	char error[CONFINE_ERROR_MAX] = "";

	RUN_CHECK(run_armed(run) == 0);
	if (confine_worker(run, error) < 0)
		fprintf(stderr, "# %s\n", error);
	RUN_CHECK(*error == '\0');
	return 0;
}

static int try_calls(void *context)
{
	struct run run;
	unsigned passed = 0;

	(void)context;
	RUN_CHECK(confined(&run) == 0);
	for (size_t i = 0; i < ARRAY_LEN(refused); i++) {
		const long *a = refused[i].args;

		errno = 0;
		if (syscall(refused[i].number, a[0], a[1], a[2], a[3], a[4],
			    a[5]) == -1 && errno == EPERM)
			continue;
		fprintf(stderr, "# %s: %s\n", refused[i].name,
			strerror(errno));
		passed++;
	}
	RUN_CHECK(passed == 0);
	return 0;
}

static void calls_are_refused(void **state)
{
	(void)state;
	RUN_NEEDS_BOX();
	run_in_worker(try_calls, NULL);
}

/* Large pages for a body; a kernel without them says EINVAL. */
static int try_large_pages(void *context)
{
	struct run run;
	const size_t size = 4 << 20;

	(void)context;
	RUN_CHECK(confined(&run) == 0);
	char *data = mmap(NULL, size, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	RUN_CHECK(data != MAP_FAILED);
	RUN_CHECK(madvise(data, size, MADV_HUGEPAGE) == 0 || errno == EINVAL);
	RUN_CHECK(madvise(data, size, MADV_DONTNEED) == 0);
	RUN_CHECK(madvise(data, size, MADV_MERGEABLE) < 0 && errno == EPERM);
	return 0;
}

static void memory_may_be_advised(void **state)
{
	(void)state;
	RUN_NEEDS_BOX();
	run_in_worker(try_large_pages, NULL);
}

static int try_files(void *context)
{
	struct run run;

	(void)context;
	RUN_CHECK(run_armed(&run) == 0);
	for (size_t i = 0; i < ARRAY_LEN(files); i++) {
		owned_fd int fd = open(files[i].path,
				       files[i].flags | O_CLOEXEC);

		RUN_CHECK(fd >= 0); /* before, they can be had */
	}
	char error[CONFINE_ERROR_MAX];

	RUN_CHECK(confine_worker(&run, error) == 0);
	for (size_t i = 0; i < ARRAY_LEN(files); i++) {
		int fd = open(files[i].path, files[i].flags | O_CLOEXEC, 0600);

		if (fd >= 0 || errno != EACCES)
			fprintf(stderr, "# %s: %s\n", files[i].path,
				fd < 0 ? strerror(errno) : "opened");
		RUN_CHECK(fd < 0 && errno == EACCES);
	}
	owned_fd int own = openat(run.home.fd, "user", O_RDONLY | O_CLOEXEC);

	RUN_CHECK(own >= 0);
	return 0;
}

static void files_are_refused(void **state)
{
	(void)state;
	RUN_NEEDS_BOX();
	if (!run_box.landlock_abi)
		support_skip("this kernel has no Landlock");
	run_in_worker(try_files, NULL);
}

/* ---- seen from outside ----------------------------------------------- */

static int wait_confined(void *context)
{
	struct run run;

	(void)context;
	RUN_CHECK(confined(&run) == 0);
	atomic_store(&run_share->stage, 1);
	for (;;)
		poll(NULL, 0, -1);
}

static void assert_line(const char *text, const char *name, const char *want)
{
	const char *line = strstr(text, name);

	assert_non_null(line);
	line += strlen(name);
	if (strncmp(line, want, strlen(want)) != 0 ||
	    line[strlen(want)] != '\n')
		fail_msg("%s %.20s, not %s", name + 1, line, want);
}

static void its_state_shows_it(void **state)
{
	char text[8192], path[64];

	(void)state;
	RUN_NEEDS_BOX();
	pid_t worker = run_worker(wait_confined, NULL);

	run_wait_stage(1);
	snprintf(path, sizeof(path), "%d/status", worker);
	owned_fd int fd = openat(run_proc, path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

	kill(worker, SIGKILL);
	support_wait(worker);
	run_no_child_left();
	assert_true(n > 0);
	text[n < 0 ? 0 : n] = '\0';
	assert_line(text, "\nCapEff:\t", WORKER_CAPABILITIES);
	assert_line(text, "\nCapPrm:\t", WORKER_CAPABILITIES);
	assert_line(text, "\nCapInh:\t", "0000000000000000");
	assert_line(text, "\nCapAmb:\t", "0000000000000000");
	assert_line(text, "\nCapBnd:\t", "0000000000000000");
	assert_line(text, "\nNoNewPrivs:\t", "1");
	assert_line(text, "\nSeccomp:\t", "2");
}

/* ---- it still serves ------------------------------------------------- */

static int serve(void *context)
{
	static char code[] = "open('out', 'w').write(open('d/in').read() * 2)\n"
			     "print(input())";
	static char in[] = "words", name[] = "d/in", stdin_text[] = "line\n";
	struct job_file file = {.name = name,
				.content = {in, sizeof(in) - 1}};
	struct job job = {
		.code = {code, sizeof(code) - 1}, .files = &file,
		.files_count = 1,
		.input = {stdin_text, sizeof(stdin_text) - 1}};
	struct outcome outcome;
	struct bytes content;
	struct run run;

	(void)context;
	RUN_CHECK(confined(&run) == 0);
	run_job(&run, &job, -1, &outcome);
	RUN_CHECK(outcome.verdict == OUTCOME_OK);
	RUN_CHECK(outcome.out.kept.size == 5);
	RUN_CHECK(outcome.files_count == 1);
	RUN_CHECK(io_read_fd(outcome.files[0].fd, 99, &content) == 0);
	RUN_CHECK(strcmp(content.data, "wordswords") == 0);
	free(content.data);
	outcome_free(&outcome);
	run_end(&run);
	RUN_CHECK(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD);
	return 0;
}

static int serve_to_the_limit(void *context)
{
	static char code[] = "while True: pass";
	struct job job = {.code = {code, sizeof(code) - 1},
			  .timeout_ms = 100};
	struct outcome outcome;
	struct run run;

	(void)context;
	RUN_CHECK(confined(&run) == 0);
	run_job(&run, &job, -1, &outcome);
	RUN_CHECK(outcome.verdict == OUTCOME_TIMEOUT);
	outcome_free(&outcome);
	run_end(&run);
	RUN_CHECK(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD);
	return 0;
}

static void it_still_serves(void **state)
{
	(void)state;
	RUN_NEEDS_BOX();
	run_in_worker(serve, NULL);
	run_in_worker(serve_to_the_limit, NULL);
}

/* ---- it does not serve without --------------------------------------- */

static int no_filter(void *context)
{
	struct box box = run_box;
	char error[CONFINE_ERROR_MAX] = "";
	struct run run;

	(void)context;
	RUN_CHECK(run_armed(&run) == 0);
	box.worker_filter.count = 0;
	run.box = &box;
	RUN_CHECK(confine_worker(&run, error) == -EINVAL);
	RUN_CHECK(strcmp(error, "the process could not load the filter: "
				"Invalid argument") == 0);
	return 0;
}

static int no_home(void *context)
{
	char error[CONFINE_ERROR_MAX] = "";
	struct run run;

	(void)context;
	RUN_CHECK(run_armed(&run) == 0);
	run.home.fd = 9999;
	RUN_CHECK(confine_worker(&run, error) == -EBADF);
	RUN_CHECK(strcmp(error, "the process could not enforce Landlock: "
				"Bad file descriptor") == 0);
	return 0;
}

static void a_step_that_fails_is_named(void **state)
{
	(void)state;
	RUN_NEEDS_BOX();
	run_in_worker(no_filter, NULL);
	if (run_box.landlock_abi)
		run_in_worker(no_home, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(calls_are_refused),
		cmocka_unit_test(memory_may_be_advised),
		cmocka_unit_test(files_are_refused),
		cmocka_unit_test(its_state_shows_it),
		cmocka_unit_test(it_still_serves),
		cmocka_unit_test(a_step_that_fails_is_named),
	};

	return run_support_main("confine", tests, ARRAY_LEN(tests));
}
