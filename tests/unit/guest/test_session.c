/*
 * test_session - guests that serve many calls: state that stays, roll-backs,
 * and the fork gate.
 */
#include "tests/unit/guest/run_support.h"

#include <errno.h>
#include <unistd.h>
#include <signal.h>
#include <string.h>
#include <sys/utsname.h>
#include <sys/wait.h>

#include "sandbox/base/io.h"
#include "sandbox/guest/session.h"

#define COPIES 4

/* NULL: is not looked at. */
struct call {
	const char *code;
	enum outcome_verdict verdict;
	const char *value, *out;
	enum session_fate fate;
	unsigned member, timeout_ms;
	const char *input;
	const struct limits *most; /* NULL: the session's */
};

/* Before Linux 6.15 the kernel does not tell how a process ended to any but
 * its parent (fork_gate.h): the end of a copy is one by an unknown signal. */
static enum outcome_verdict verdict_here(const struct call *call)
{
	struct utsname name;
	unsigned major = 0, minor = 0;

	if (call->verdict != OUTCOME_EXITED ||
	    call->fate != SESSION_ROLLED_BACK)
		return call->verdict;
	assert_int_equal(uname(&name), 0);
	assert_int_equal(sscanf(name.release, "%u.%u", &major, &minor), 2);
	return major > 6 || (major == 6 && minor >= 15) ? call->verdict
							: OUTCOME_KILLED;
}

static int call_one(struct session *session, const struct call *call)
{
	struct job job = {.code = {(char *)call->code, strlen(call->code)},
			  .timeout_ms = call->timeout_ms};
	struct outcome outcome;

	if (call->input)
		job.input = (struct bytes){(char *)call->input,
					   strlen(call->input)};
	enum session_fate fate = session_call(session, call->member, &job,
					      call->most ? call->most
							 : &run_box.limits,
					      -1, &outcome);
	bool good = fate == call->fate && outcome.verdict == verdict_here(call);

	if (call->value)
		good &= outcome.value.size == strlen(call->value) &&
			memcmp(outcome.value.data, call->value,
			       outcome.value.size) == 0;
	if (call->out)
		good &= outcome.out.kept.size == strlen(call->out) &&
			memcmp(outcome.out.kept.data, call->out,
			       outcome.out.kept.size) == 0;
	if (!good)
		fprintf(stderr, "# %s: verdict %d detail %d fate %d value "
			"%.*s out %.*s error %s %s\n", call->code,
			outcome.verdict, outcome.detail, fate,
			(int)outcome.value.size, outcome.value.data,
			(int)outcome.out.kept.size, outcome.out.kept.data,
			outcome.error_type, outcome.error_message);
	outcome_free(&outcome);
	return !good;
}

static int call_all(const struct call *calls, size_t count, bool copies)
{
	struct session session;
	char error[RUN_ERROR_MAX];
	int wrong = 0;

	if (session_arm(&session, &run_box, 1, &run_box.groups[1], copies,
			error) < 0) {
		fprintf(stderr, "# cannot arm: %s\n", error);
		return 1;
	}
	for (size_t i = 0; i < count; i++)
		wrong += call_one(&session, &calls[i]);
	session_end(&session);
	return wrong;
}

static const struct call stays[] = {
	{.code = "x = 41\nimport json\ndef f(): return x + 1"},
	{.code = "f()", .value = "42"},
	{.code = "x = 1; print('p'); f()", .value = "2", .out = "p\n"},
	{.code = "1 / 0", .verdict = OUTCOME_RAISED},
	{.code = "x, json.dumps([1])", .value = "[1,\"[1]\"]"},
	{.code = "input()", .input = "one\ntwo\n", .value = "\"one\""},
	{.code = "input()", .verdict = OUTCOME_RAISED},
	{.code = "open('a', 'w').write('abc')", .value = "3"},
	{.code = "open('a').read()", .value = "\"abc\""},
	{.code = "import sys\nsys.exit(3)", .verdict = OUTCOME_RAISED},
	{.code = "import random\nrandom.seed(1)\nx", .value = "1"},
	{.code = "import sys\nsys.stdout.close()"},
	{.code = "print('again')", .out = "again\n"},
};

static int do_stays(void *context)
{
	(void)context;
	return call_all(stays, ARRAY_LEN(stays), true);
}

static int do_stays_without_copies(void *context)
{
	(void)context;
	return call_all(stays, ARRAY_LEN(stays), false);
}

static void what_a_call_makes_stays(void **state)
{
	(void)state;
	RUN_NEEDS_BOX();
	run_in_worker(do_stays, NULL);
	run_in_worker(do_stays_without_copies, NULL);
	run_no_child_left();
}

/* Between calls, a guest shares no flag of its session keeper's pipes. */
static int do_read_nothing(void *context)
{
	struct session session;
	char error[RUN_ERROR_MAX], byte;

	(void)context;
	alarm(20);
	RUN_CHECK(session_arm(&session, &run_box, 1, &run_box.groups[1], true,
			      error) == 0);
	const int fds[] = {session.run.job_in, session.run.ends[WIRE_FD_OUT],
			   session.run.ends[WIRE_FD_ERR],
			   session.run.ends[WIRE_FD_RESULT]};

	for (size_t i = 0; i < ARRAY_LEN(fds); i++)
		RUN_CHECK(read(fds[i], &byte, 1) < 0 && errno == EAGAIN);
	session_end(&session);
	return 0;
}

static void what_a_guest_shares_is_not_waited_for(void **state)
{
	(void)state;
	RUN_NEEDS_BOX();
	run_in_worker(do_read_nothing, NULL);
	run_no_child_left();
}

static const struct limits narrow = {
	.timeout_ms = 300, .output_kb = 1, .flood_mb = 1, .value_kb = 1};
/* More than its first limit is its first limit. */
static const struct limits wide = {
	.timeout_ms = UINT32_MAX, .output_kb = UINT32_MAX,
	.flood_mb = UINT32_MAX, .value_kb = UINT32_MAX,
	.displays = UINT32_MAX, .displays_mb = UINT32_MAX,
	.files_in = UINT32_MAX, .files_out = UINT32_MAX,
	.files_out_mb = UINT32_MAX};
#define V32 "vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv"
#define V256 V32 V32 V32 V32 V32 V32 V32 V32
#define V1024 V256 V256 V256 V256

static const struct call narrows[] = {
	{.code = "x = 'v' * 2000\nlen(x)", .value = "2000"},
	{.code = "print(x)", .out = V1024, .most = &narrow},
	{.code = "print(end=x * 1000)", .verdict = OUTCOME_OUTPUT,
	 .fate = SESSION_ROLLED_BACK, .most = &narrow},
	{.code = "while True: pass", .verdict = OUTCOME_TIMEOUT,
	 .fate = SESSION_ROLLED_BACK, .most = &narrow},
	{.code = "len(x)", .value = "2000", .most = &wide},
	{.code = "while True: pass", .verdict = OUTCOME_TIMEOUT,
	 .fate = SESSION_ROLLED_BACK, .timeout_ms = 300, .most = &wide},
};

static int do_narrows(void *context)
{
	(void)context;
	return call_all(narrows, ARRAY_LEN(narrows), true);
}

static void a_call_may_have_less(void **state)
{
	(void)state;
	RUN_NEEDS_BOX();
	run_in_worker(do_narrows, NULL);
	run_no_child_left();
}

/* Each begins while the stop after the one before may be under way. */
static int do_hurries(void *context)
{
	const struct call count = {.code = "x = globals().get('x', 0) + 1"};
	const struct call told = {.code = "x", .value = "200"};
	struct session session;
	char error[RUN_ERROR_MAX];
	int wrong = 0;

	(void)context;
	RUN_CHECK(session_arm(&session, &run_box, 1, &run_box.groups[1], true,
			      error) == 0);
	for (int i = 0; i < 200 && !wrong; i++)
		wrong += call_one(&session, &count);
	wrong += call_one(&session, &told);
	session_end(&session);
	return wrong;
}

static void a_call_may_follow_at_once(void **state)
{
	(void)state;
	RUN_NEEDS_BOX();
	run_in_worker(do_hurries, NULL);
	run_no_child_left();
}

static const struct call rolls[] = {
	{.code = "x = [1]"},
	{.code = "x.append(2)\nwhile True: pass", .timeout_ms = 300,
	 .verdict = OUTCOME_TIMEOUT, .fate = SESSION_ROLLED_BACK},
	{.code = "x", .value = "[1]"},
	{.code = "x.append(3)\nimport os\nos._exit(3)",
	 .verdict = OUTCOME_EXITED, .fate = SESSION_ROLLED_BACK},
	{.code = "x", .value = "[1]"},
	{.code = "x.append(4); import ctypes\nctypes.string_at(1)",
	 .verdict = OUTCOME_KILLED, .fate = SESSION_ROLLED_BACK},
	{.code = "x.append(5); x", .value = "[1,5]"},
	{.code = "x.append(6)\nimport time\ntime.sleep(60)",
	 .timeout_ms = 300, .verdict = OUTCOME_TIMEOUT,
	 .fate = SESSION_ROLLED_BACK},
	{.code = "x", .value = "[1,5]"},
	{.code = "while True: print('x' * 65536)", .verdict = OUTCOME_OUTPUT,
	 .fate = SESSION_ROLLED_BACK},
	{.code = "print(x)", .out = "[1, 5]\n"},
	{.code = "import os\nos.write(3, b'\\xff' * 100)\n"
		 "import time\ntime.sleep(60)", .verdict = OUTCOME_PROTOCOL,
	 .fate = SESSION_ROLLED_BACK},
	{.code = "x", .value = "[1,5]"},
};

static int do_rolls(void *context)
{
	(void)context;
	return call_all(rolls, ARRAY_LEN(rolls), true);
}

static void what_fails_is_rolled_back(void **state)
{
	(void)state;
	RUN_NEEDS_BOX();
	run_in_worker(do_rolls, NULL);
	run_no_child_left();
}

static const struct call ends[] = {
	{.code = "x = 1"},
	{.code = "x = 2\nwhile True: pass", .timeout_ms = 300,
	 .verdict = OUTCOME_TIMEOUT},
	{.code = "x", .value = "2"},
	{.code = "import os\nos._exit(3)", .verdict = OUTCOME_EXITED,
	 .fate = SESSION_ENDED},
	{.code = "x", .verdict = OUTCOME_INTERNAL, .fate = SESSION_ENDED},
};

static int do_ends(void *context)
{
	(void)context;
	return call_all(ends, ARRAY_LEN(ends), false);
}

static void without_copies_a_crash_ends_it(void **state)
{
	(void)state;
	RUN_NEEDS_BOX();
	run_in_worker(do_ends, NULL);
	run_no_child_left();
}

/* A program of the session knocks at the gate. */
static const char knocks[] =
	"import os, threading, ctypes\n"
	"libc = ctypes.CDLL(None, use_errno=True)\n"
	"found = set()\n"
	"def knock():\n"
	"    for _ in range(20):\n"
	"        found.add((libc.syscall(56, 0x1200011, 0, 0, 0, 0),\n"
	"                   ctypes.get_errno()))\n"
	"threads = [threading.Thread(target=knock) for _ in range(3)]\n"
	"for t in threads: t.start()\n"
	"try: os.fork()\n"
	"except PermissionError: found.add('main')\n"
	"for t in threads: t.join()\n"
	"sorted(map(str, found))";

static const struct call knocking[] = {
	{.code = knocks, .value = "[\"(-1, 1)\",\"main\"]"},
	{.code = knocks, .value = "[\"(-1, 1)\",\"main\"]"},
	/* and all the time, from behind */
	{.code = "import time\ndef ever():\n"
		 "    while True: knock(); time.sleep(0.05)\n"
		 "for _ in range(3):\n"
		 "    threading.Thread(target=ever, daemon=True).start()"},
	{.code = "sorted(map(str, found))",
	 .value = "[\"(-1, 1)\",\"main\"]"},
	{.code = "sorted(map(str, found))",
	 .value = "[\"(-1, 1)\",\"main\"]"},
	{.code = "import time\ntime.sleep(60)", .timeout_ms = 300,
	 .verdict = OUTCOME_TIMEOUT, .fate = SESSION_ROLLED_BACK},
	{.code = "sorted(map(str, found))",
	 .value = "[\"(-1, 1)\",\"main\"]"},
};

static int do_knocks(void *context)
{
	(void)context;
	return call_all(knocking, ARRAY_LEN(knocking), true);
}

static void no_program_passes_the_gate(void **state)
{
	(void)state;
	RUN_NEEDS_BOX();
#ifndef __x86_64__
	support_skip("the number of clone(2) is that of x86-64");
#endif
	run_in_worker(do_knocks, NULL);
	run_no_child_left();
}

static const struct call before_branch[] = {
	{.code = "x = [1]\nimport os"},
};
static const struct call after_branch[] = {
	{.code = "x.append(2); x", .value = "[1,2]"},
	{.code = "x.append(3); x", .value = "[1,3]", .member = 1},
	{.code = "x", .value = "[1,2]"},
	{.code = "x", .value = "[1,3]", .member = 1},
	{.code = "os._exit(1)", .verdict = OUTCOME_EXITED, .member = 1,
	 .fate = SESSION_ROLLED_BACK},
	{.code = "x", .value = "[1,3]", .member = 1},
	{.code = "print(1)", .out = "1\n"},
};
static const struct call after_drop[] = {
	{.code = "x", .value = "[1,3]", .member = 1},
	{.code = "while True: pass", .timeout_ms = 300, .member = 1,
	 .verdict = OUTCOME_TIMEOUT, .fate = SESSION_ROLLED_BACK},
	{.code = "x", .value = "[1,3]", .member = 1},
	{.code = "x", .verdict = OUTCOME_INTERNAL, .fate = SESSION_ENDED},
};

static int do_branch(void *context)
{
	struct session session;
	char error[RUN_ERROR_MAX];
	int wrong = 0;

	(void)context;
	RUN_CHECK(session_arm(&session, &run_box, 1, &run_box.groups[1], true,
			      error) == 0);
	wrong += call_one(&session, before_branch);
	RUN_CHECK(session_branch(&session, 0, 1) == 0);
	RUN_CHECK(session_members(&session) == 2);
	for (size_t i = 0; i < ARRAY_LEN(after_branch); i++)
		wrong += call_one(&session, &after_branch[i]);
	session_drop(&session, 0);
	RUN_CHECK(session_members(&session) == 1);
	for (size_t i = 0; i < ARRAY_LEN(after_drop); i++)
		wrong += call_one(&session, &after_drop[i]);
	session_end(&session);
	return wrong;
}

static void a_branch_begins_where_the_first_is(void **state)
{
	(void)state;
	RUN_NEEDS_BOX();
	run_in_worker(do_branch, NULL);
	run_no_child_left();
}

/* A signal to each number but its own, by kill and tgkill: which arrive. */
#define SIGNALS_OTHERS                                                       \
	"hit = []\n"                                                         \
	"for pid in [-1, 0] + list(range(1, 100)):\n"                        \
	"    for sign in (0, 9, 19):\n"                                      \
	"        if pid == os.getpid(): continue\n"                          \
	"        try: os.kill(pid, sign); hit.append(pid)\n"                 \
	"        except PermissionError: pass\n"                             \
	"        if libc.syscall(NR, pid, pid, sign) == 0: hit.append(pid)\n" \
	"hit"
#define SIGNALS_ITSELF                                                       \
	"import threading\nhits.clear()\n"                                   \
	"os.kill(os.getpid(), signal.SIGUSR1); a = len(hits)\n"              \
	"signal.raise_signal(signal.SIGUSR1); b = len(hits)\n"               \
	"t = threading.Thread(target=lambda: os.kill(os.getpid(), 10))\n"    \
	"t.start(); t.join(); a, b, len(hits)"
#define TERMINATES "os.kill(os.getpid(), signal.SIGTERM)"
#define EACH_FOR(number)                                                     \
	{.code = SIGNALS_OTHERS, .value = "[]", .member = (number)},         \
	{.code = SIGNALS_ITSELF, .value = "[1,2,3]", .member = (number)},    \
	{.code = "os.kill(os.getpid(), 0)", .member = (number)}

static const struct call before_signals[] = {
	{.code = "import ctypes, os, platform, signal\nx = 1\nhits = []\n"
		 "libc = ctypes.CDLL(None)\n"
		 "NR = {'x86_64': 234}.get(platform.machine(), 131)\n"
		 "ctx = signal.signal(10, lambda *all: hits.append(1))"},
	EACH_FOR(0),
};
static const struct call signals[] = {
	EACH_FOR(1),
	{.code = "x", .value = "1"},
	EACH_FOR(0),
	{.code = "x", .value = "1", .member = 1},
	{.code = TERMINATES, .verdict = OUTCOME_KILLED, .member = 1,
	 .fate = SESSION_ROLLED_BACK},
	EACH_FOR(1),
	{.code = "os.abort()", .verdict = OUTCOME_KILLED,
	 .fate = SESSION_ROLLED_BACK},
	EACH_FOR(0),
	{.code = TERMINATES, .verdict = OUTCOME_KILLED,
	 .fate = SESSION_ROLLED_BACK},
	{.code = "try: os.kill(os.getpid(), signal.SIGCONT)\n"
		 "except PermissionError: print(x)", .out = "1\n"},
	{.code = "x", .value = "1", .member = 1},
};

static int do_signals(void *context)
{
	struct session session;
	char error[RUN_ERROR_MAX];
	int wrong = 0;

	(void)context;
	run_box.proc = run_proc; /* as a session fork server has it */
	RUN_CHECK(session_arm(&session, &run_box, 1, &run_box.groups[1], true,
			      error) == 0);
	for (size_t i = 0; i < ARRAY_LEN(before_signals); i++)
		wrong += call_one(&session, &before_signals[i]);
	RUN_CHECK(session_branch(&session, 0, 1) == 0);
	for (size_t i = 0; i < ARRAY_LEN(signals); i++)
		wrong += call_one(&session, &signals[i]);
	session_end(&session);
	return wrong;
}

static void a_member_signals_itself_only(void **state)
{
	(void)state;
	RUN_NEEDS_BOX();
	run_in_worker(do_signals, NULL);
	run_no_child_left();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_a_call_makes_stays),
		cmocka_unit_test(what_a_guest_shares_is_not_waited_for),
		cmocka_unit_test(a_call_may_have_less),
		cmocka_unit_test(a_call_may_follow_at_once),
		cmocka_unit_test(what_fails_is_rolled_back),
		cmocka_unit_test(without_copies_a_crash_ends_it),
		cmocka_unit_test(no_program_passes_the_gate),
		cmocka_unit_test(a_branch_begins_where_the_first_is),
		cmocka_unit_test(a_member_signals_itself_only),
	};

	run_plan.sessions = 1;
	run_plan.session_copies = COPIES;
	return run_support_main("test_session", tests, ARRAY_LEN(tests));
}
