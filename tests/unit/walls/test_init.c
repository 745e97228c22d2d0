/*
 * test_init - the init of a guest's pid namespace: a worker or a session keeper
 * that was taken over gains no call by it.
 */
#include "tests/unit/guest/run_support.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "sandbox/walls/confine.h"
#include "sandbox/guest/session.h"

static const char *const refused[] = {
	"a socket", "a child", "memory to write and execute", "a signal"};

#define ASKED ARRAY_LEN(refused)

/* Addresses that the attack needs, in any process's code. */
#define PLACE ((struct attack *)0x7e0000000000)

struct attack {
	void (*code)(struct attack *attack); /* first: the code below */
	_Atomic int runs;
	_Atomic long came[ASKED]; /* the kernel's answer */
};

static struct attack *attack;

#ifdef __x86_64__
/* Two pages: wherever a return leads in the first, it comes to the end, and
 * from there to PLACE's code. Position independent. */
__asm__(".pushsection .text\n"
	".p2align 12\n"
	"attack_pages: .fill 4096, 1, 0x90\n"
	"movabs $0x7e0000000000, %rdi\n"
	"and $-16, %rsp\n"
	"mov (%rdi), %rax\n"
	"call *%rax\n"
	".p2align 12\n"
	".popsection\n");
extern char attack_pages[];

static long raw(long number, long a, long b, long c, long d)
{
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = -1;
	register long r9 __asm__("r9") = 0;
	long answer;

	__asm__ volatile("syscall"
			 : "=a"(answer)
			 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10),
			   "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return answer;
}

/* In the init, when it was led here. */
static void attack_run(struct attack *at)
{
	atomic_store(&at->came[0], raw(SYS_socket, AF_UNIX, SOCK_STREAM, 0,
				       0));
	atomic_store(&at->came[2],
		     raw(SYS_mmap, 0, 4096,
			 PROT_READ | PROT_WRITE | PROT_EXEC,
			 MAP_PRIVATE | MAP_ANONYMOUS));
	atomic_store(&at->came[3], raw(SYS_kill, 2, 0, 0, 0));
	long child = raw(SYS_clone, SIGCHLD, 0, 0, 0);

	if (child == 0)
		raw(SYS_exit_group, 0, 0, 0, 0);
	atomic_store(&at->came[1], child);
	atomic_store(&at->runs, 1);
	for (;;)
		raw(SYS_pause, 0, 0, 0, 0);
}

static uintptr_t waits_at;

static void note_place(int number, siginfo_t *info, void *context)
{
	const ucontext_t *interrupted = context;

	(void)number, (void)info;
	waits_at = (uintptr_t)interrupted->uc_mcontext.gregs[REG_RIP];
}

/* Where the kernel returns to from ppoll(), in which the init waits: from
 * glibc 2.41 on that is in another function. */
static void find_place(void)
{
	const struct sigaction note = {.sa_sigaction = note_place,
				       .sa_flags = SA_SIGINFO};
	struct sigaction former;
	sigset_t held, mask;

	sigemptyset(&held);
	sigaddset(&held, SIGUSR1);
	assert_int_equal(sigprocmask(SIG_BLOCK, &held, &mask), 0);
	assert_int_equal(sigaction(SIGUSR1, &note, &former), 0);
	raise(SIGUSR1);
	sigdelset(&mask, SIGUSR1);
	ppoll(NULL, 0, NULL, &mask);
	sigaction(SIGUSR1, &former, NULL);
	sigprocmask(SIG_SETMASK, &mask, NULL);
	assert_int_not_equal(waits_at, 0);
}

/* Lay our code over that in which the init waits for the kernel. */
static bool poison(char *code)
{
	const uintptr_t page = waits_at & ~(uintptr_t)4095;

	return mremap(code, 8192, 8192, MREMAP_MAYMOVE | MREMAP_FIXED,
		      (void *)page) != MAP_FAILED;
}

/* We are taken over: memory is the attacker's. */
static bool attack_begin(void)
{
	PLACE->code = attack_run;
	return poison(attack_pages);
}
#endif

static int confine_by(const struct run *run,
		      const struct syscalls_filter *filter)
{
	const struct confine_plan plan = {
		.filter = filter, .landlock_abi = run->box->landlock_abi,
		.home = run->home.fd};
	char error[CONFINE_ERROR_MAX];

	return confine_process(&plan, error);
}

static int confined(bool keeper, struct session *session, struct run *run)
{
	char error[RUN_ERROR_MAX];

	if (!keeper) {
		RUN_CHECK(run_armed(run) == 0);
		RUN_CHECK(confine_by(run, &run_box.worker_filter) == 0);
		return 0;
	}
	RUN_CHECK(session_arm(session, &run_box, RUN_SLOTS - 1,
			      &run_box.groups[RUN_SLOTS - 1], true,
			      error) == 0);
	*run = session->run;
	atomic_store(&run_share->init, run->init);
	RUN_CHECK(confine_by(run, &run_box.keeper_filter) == 0);
	return 0;
}

/* ---- its memory ------------------------------------------------------ */

static int wait_confined(void *context)
{
	static struct session session;
	static struct run run;
	const bool keeper = *(bool *)context;

	RUN_CHECK(confined(keeper, &session, &run) == 0);
	atomic_store(&run_share->stage, 1);
	for (;;)
		poll(NULL, 0, -1);
}

#ifdef __x86_64__
/* Taken over, with any power over its own memory: before it is locked, as
 * that no page is laid over another is asked below. */
static int lay_code(void *context)
{
	static struct session session;
	char error[RUN_ERROR_MAX];
	const bool keeper = *(bool *)context;
	struct run run;

	if (!keeper)
		RUN_CHECK(run_armed(&run) == 0);
	else
		RUN_CHECK(session_arm(&session, &run_box, RUN_SLOTS - 1,
				      &run_box.groups[RUN_SLOTS - 1], true,
				      error) == 0);
	atomic_store(&run_share->init, keeper ? session.run.init : run.init);
	RUN_CHECK(attack_begin());
	atomic_store(&run_share->stage, 1);
	for (;;)
		__asm__ volatile("pause");
}

static void steer(bool keeper)
{
	memset(attack, 0, sizeof(*attack));
	for (size_t i = 0; i < ASKED; i++)
		atomic_store(&attack->came[i], -EPERM);
	pid_t worker = run_worker(lay_code, &keeper);

	run_wait_stage(1);
	pid_t init = atomic_load(&run_share->init);

	/* It leaves its call, and returns to the code that is there now. */
	kill(init, SIGSTOP);
	usleep(20000);
	kill(init, SIGCONT);
	for (int i = 0; i < 300 && !atomic_load(&attack->runs); i++)
		usleep(1000);
	kill(worker, SIGKILL);
	support_wait(worker);
	run_no_child_left();
	assert_int_equal(atomic_load(&attack->runs), 1);
	for (size_t i = 0; i < ASKED; i++)
		if (atomic_load(&attack->came[i]) != -EPERM)
			fail_msg("the init has %s", refused[i]);
}

static void it_cannot_be_steered(void **state)
{
	(void)state;
	RUN_NEEDS_BOX();
	find_place();
	steer(false);
	steer(true);
}
#endif

/* ---- calls ----------------------------------------------------------- */

static int try_page(void *context)
{
	static struct session session;
	struct run run;

	RUN_CHECK(confined(*(bool *)context, &session, &run) == 0);
	char *at = mmap(NULL, 8192, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	RUN_CHECK(at != MAP_FAILED);
	RUN_CHECK(mremap(at, 4096, 4096, MREMAP_MAYMOVE | MREMAP_FIXED,
			 at + 4096) == MAP_FAILED && errno == EPERM);
	RUN_CHECK(mremap(at, 4096, 4096, MREMAP_MAYMOVE | MREMAP_DONTUNMAP,
			 0) == MAP_FAILED && errno == EPERM);
	RUN_CHECK(mremap(at, 8192, 1 << 20, MREMAP_MAYMOVE) != MAP_FAILED);
	return 0;
}

static void no_page_is_laid_over_another(void **state)
{
	bool keeper = false;

	(void)state;
	RUN_NEEDS_BOX();
	run_in_worker(try_page, &keeper);
	keeper = true;
	run_in_worker(try_page, &keeper);
}

static int try_signals(void *context)
{
	static const struct {
		int number;
		bool keeper; /* may send it, a worker may not */
	} allowed[] = {{SIGSTOP, true}, {SIGCONT, true}};
	static struct session session;
	const bool keeper = *(bool *)context;
	struct run run;

	RUN_CHECK(confined(keeper, &session, &run) == 0);
	for (int i = 0; i < 65; i++) {
		bool passes = i == SIGKILL || i == SIGXCPU ||
			      i == SIGURG;

		for (size_t j = 0; j < ARRAY_LEN(allowed); j++)
			passes |= keeper && i == allowed[j].number;
		/* -1: the kernel is asked, and nothing is signalled */
		long rc = syscall(SYS_pidfd_send_signal, -1, i, NULL, 0);

		RUN_CHECK(rc < 0 && errno == (passes ? EBADF : EPERM));
	}
	siginfo_t info = {.si_signo = SIGKILL};

	RUN_CHECK(syscall(SYS_pidfd_send_signal, -1, SIGKILL, &info, 0) < 0 &&
		  errno == EPERM);
	RUN_CHECK(syscall(SYS_pidfd_send_signal, -1, SIGKILL, NULL, 4) < 0 &&
		  errno == EPERM); /* to its process group */
	return 0;
}

static void signals_are_those_that_are_needed(void **state)
{
	bool keeper = false;

	(void)state;
	RUN_NEEDS_BOX();
	run_in_worker(try_signals, &keeper);
	keeper = true;
	run_in_worker(try_signals, &keeper);
}

/* ---- seen from outside ----------------------------------------------- */

static void assert_line(const char *text, const char *line)
{
	if (!strstr(text, line))
		fail_msg("no \"%s\" in %s", line + 1, text);
}

static void its_state_shows_it(void **state)
{
	char text[8192], path[64];
	bool keeper = false;

	(void)state;
	RUN_NEEDS_BOX();
	pid_t worker = run_worker(wait_confined, &keeper);

	run_wait_stage(1);
	snprintf(path, sizeof(path), "%d/status",
		 atomic_load(&run_share->init));
	owned_fd int fd = openat(run_proc, path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

	kill(worker, SIGKILL);
	support_wait(worker);
	run_no_child_left();
	assert_true(n > 0);
	text[n < 0 ? 0 : n] = '\0';
	assert_line(text, "\nCapEff:\t0000000000000000\n");
	assert_line(text, "\nCapPrm:\t0000000000000000\n");
	assert_line(text, "\nCapBnd:\t0000000000000000\n");
	assert_line(text, "\nNoNewPrivs:\t1\n");
	assert_line(text, "\nSeccomp:\t2\n");
	assert_line(text, "\nSigBlk:\tfffffffe7ffbfeff\n");
}

static int map_place(void **state)
{
	(void)state;
	attack = mmap(PLACE, sizeof(*attack), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	return attack == PLACE ? 0 : -1;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#ifdef __x86_64__
		cmocka_unit_test(it_cannot_be_steered),
#endif
		cmocka_unit_test(no_page_is_laid_over_another),
		cmocka_unit_test(signals_are_those_that_are_needed),
		cmocka_unit_test(its_state_shows_it),
	};

	run_plan.sessions = 1;
	if (map_place(NULL) < 0)
		return 1;
	return run_support_main("init", tests, ARRAY_LEN(tests));
}
