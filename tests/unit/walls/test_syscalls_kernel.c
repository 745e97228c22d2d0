/*
 * test_syscalls_kernel - the filter of system calls, loaded in children, and
 * the kernel's answers.
 */
#include "tests/unit/walls/syscalls_support.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* A child's findings, in shared memory. */
struct findings {
	bool skipped[NUMBERS];
	int want[NUMBERS];
	int is[NUMBERS][PATTERNS + 1];
};

static int sweep(void *context)
{
	struct findings *found = context;

	if (!load_filter())
		return 1;
	for (long number = 0; number < NUMBERS; number++) {
		if (found->skipped[number])
			continue;
		for (size_t i = 0; i < PATTERNS; i++)
			found->is[number][i] = ask_kernel(number, patterns[i]);
		/* The kernel looks at 32 bits of the number. */
		found->is[number][PATTERNS] = ask_kernel((long)HIGH | number,
					       patterns[1]);
	}
	return leave(0);
}

static void the_kernel_refuses_the_rest(void **state)
{
	struct findings *found = new_findings(sizeof(*found));

	(void)state;
	for (uint32_t i = 0; i < NUMBERS; i++) {
		found->want[i] = refused_errno(i);
		/* Linux passes uretprobe and uprobe by every filter; they
		 * do nothing but in a trampoline of the kernel's own. */
		found->skipped[i] = in_table(i) || i == 335 || i == 336;
	}
	assert_int_equal(support_in_child(sweep, found), 0);
	for (uint32_t i = 0; i < NUMBERS; i++)
		for (size_t j = 0; j < ARRAY_LEN(found->is[i]); j++)
			if (!found->skipped[i] &&
			    found->is[i][j] != found->want[i])
				fail_msg("call %u, pattern %zu: %s", i, j,
					 strerror(found->is[i][j]));
	munmap(found, sizeof(*found));
}

static int call_x32(void *context)
{
	long number = *(const long *)context;

	if (load_filter())
		syscall(number | (long)X32);
	return 0;
}

static void x32_calls_kill(void **state)
{
	long numbers[] = {SYS_read, SYS_getpid, SYS_ptrace, 512, 520, 547};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(numbers); i++) {
		int status = support_in_child(call_x32, &numbers[i]);

		assert_true(WIFSIGNALED(status));
		assert_int_equal(WTERMSIG(status), SIGSYS);
	}
}

/* The bytes of "int $0x80; ret", on a page that could be executed before
 * the filter came; number 20 is that architecture's getpid. */
static int call_i386(void *context)
{
	static const unsigned char code[] = {0xcd, 0x80, 0xc3};
	void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	long result = 20;

	if (page == MAP_FAILED)
		return 2;
	memcpy(page, code, sizeof(code));
	if (*(const bool *)context && !load_filter())
		return 3;
	__asm__ volatile("call *%1" : "+a"(result) : "r"(page)
			 : "memory", "rcx", "r8", "r9", "r10", "r11");
	return result == getpid() ? 0 : 4;
}

static void i386_calls_kill(void **state)
{
	bool filtered = false;

	(void)state;
	int status = support_in_child(call_i386, &filtered);

	if (!WIFEXITED(status) || WEXITSTATUS(status) == 4)
		support_skip("this kernel has no i386 calls");
	assert_int_equal(WEXITSTATUS(status), 0);
	filtered = true;
	status = support_in_child(call_i386, &filtered);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGSYS);
}

static void *thread_main(void *context)
{
	*(int *)context = 42;
	return context;
}

static int start_thread(void *context)
{
	pthread_t thread;
	int answer_of_thread = 0;

	(void)context;
	if (!load_filter() || pthread_create(&thread, NULL, thread_main,
				      &answer_of_thread) != 0)
		return 1;
	pthread_join(thread, NULL);
	return answer_of_thread == 42 && fork() < 0 && errno == EPERM ? 0 : 2;
}

static void threads_start_and_processes_do_not(void **state)
{
	(void)state;
	assert_int_equal(support_in_child(start_thread, NULL), 0);
}

static int load_nothing(void *context)
{
	const struct syscalls_filter none = {0};

	(void)context;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return 1;
	return syscalls_load(&none) == -EINVAL ? 0 : 2;
}

static void an_empty_filter_is_an_error(void **state)
{
	(void)state;
	assert_int_equal(support_in_child(load_nothing, NULL), 0);
}

static int load_twice(void *context)
{
	(void)context;
	return leave(!load_filter() || syscalls_load(&filter) != -EPERM);
}

static void a_loaded_filter_is_the_last(void **state)
{
	(void)state;
	assert_int_equal(support_in_child(load_twice, NULL), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_kernel_refuses_the_rest),
		cmocka_unit_test(x32_calls_kill),
		cmocka_unit_test(i386_calls_kill),
		cmocka_unit_test(an_empty_filter_is_an_error),
		cmocka_unit_test(a_loaded_filter_is_the_last),
		cmocka_unit_test(threads_start_and_processes_do_not),
	};

	return run_for_roles(tests, ARRAY_LEN(tests));
}
