/*
 * test_run - guests at work and at their ends: the worker's outcome, and that
 * nothing is left behind.
 */
#include "tests/unit/guest/run_support.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "sandbox/base/io.h"

#define MANY_RUNS 100

/* ---- programs -------------------------------------------------------- */

/* NULL: is not looked at; of MESSAGE, that it is part of it. */
struct program {
	const char *code, *input, *arguments;
	unsigned timeout_ms, memory_mb;
	enum outcome_verdict verdict;
	int detail;
	const char *value, *out, *err, *type, *message;
};

static const struct program programs[] = {
	{.code = "1 + 1", .value = "2", .out = "", .err = ""},
	{.code = "x = 1", .value = ""},
	{.code = "print('h\\u00e4'); print(2)", .out = "h\xc3\xa4\n2\n"},
	{.code = "import sys\nprint('e', file=sys.stderr)\n'v'",
	 .err = "e\n", .out = "", .value = "\"v\""},
	{.code = "input() + input()", .input = "one\ntwo\n",
	 .value = "\"onetwo\""},
	{.code = "import sys\nsys.stdin.read()", .value = "\"\""},
	{.code = "def main(n): return n * 2", .arguments = "{\"n\": 21}",
	 .value = "42"},
	{.code = "print('so far')\n1 / 0", .verdict = OUTCOME_RAISED,
	 .out = "so far\n", .type = "ZeroDivisionError",
	 .message = "Code context:"},
	{.code = "1 +", .verdict = OUTCOME_RAISED, .type = "SyntaxError"},
	{.code = "import sys\nsys.exit(3)", .verdict = OUTCOME_RAISED,
	 .type = "SystemExit"},
	{.code = "import os\nprint('x', flush=True)\nos._exit(7)",
	 .verdict = OUTCOME_EXITED, .detail = 7, .out = "x\n"},
	{.code = "import os\nos._exit(0)", .verdict = OUTCOME_EXITED},
	{.code = "import os\nos.kill(os.getpid(), 9)",
	 .verdict = OUTCOME_KILLED, .detail = SIGKILL},
	{.code = "import os\nos.abort()", .verdict = OUTCOME_KILLED,
	 .detail = SIGABRT},
	{.code = "def where():\n    while True: pass\nprint('a')\nwhere()",
	 .timeout_ms = 300, .verdict = OUTCOME_TIMEOUT, .out = "a\n",
	 .message = "in where"},
	{.code = "import time\ntime.sleep(60)", .timeout_ms = 300,
	 .verdict = OUTCOME_TIMEOUT, .message = "time.sleep(60)"},
	{.code = "print('a', flush=True)\nsum(range(10**12))",
	 .timeout_ms = 300, .verdict = OUTCOME_TIMEOUT, .out = "a\n"},
	{.code = "import signal, time\n"
		 "signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))\n"
		 "time.sleep(60)",
	 .timeout_ms = 300, .verdict = OUTCOME_TIMEOUT},
	{.code = "len(bytearray(1 << 40))", .verdict = OUTCOME_RAISED,
	 .type = "MemoryError"},
	{.code = "len(bytearray(100 << 20))", .value = "104857600"},
	{.code = "len(bytearray(100 << 20))", .memory_mb = 32,
	 .verdict = OUTCOME_RAISED, .type = "MemoryError"},
	{.code = "while True: print('x' * 65536)",
	 .verdict = OUTCOME_OUTPUT},
	{.code = "import os\nos.write(3, b'\\xff' * 100)\n"
		 "import time\ntime.sleep(60)", .verdict = OUTCOME_PROTOCOL},
	{.code = "import os\nos.write(3, bytes(8))", /* armed again */
	 .verdict = OUTCOME_PROTOCOL},
	{.code = "import os\nos.write(3, b'\\6\\0\\0\\0\\1\\0\\0\\0x')",
	 .verdict = OUTCOME_PROTOCOL},
	{.code = "import os\nos.closerange(0, 64)\nos._exit(5)",
	 .verdict = OUTCOME_EXITED, .detail = 5},
	{.code = "import threading\nl = []\n"
		 "t = threading.Thread(target=l.append, args=(1,))\n"
		 "t.start(); t.join()\nl", .value = "[1]"},
	{.code = "import os\n(os.getpid(), os.getppid(), os.getcwd(),\n"
		 " os.uname().nodename)",
	 .value = "[2,0,\"/home/user\",\"sandbox\"]"},
	{.code = "import os\nsorted(os.listdir('.'))",
	 .value = "[\"data\",\"notes.txt\"]"},
};

static struct bytes text_bytes(const char *text)
{
	return (struct bytes){(char *)(uintptr_t)(text ? text : ""),
			      text ? strlen(text) : 0};
}

static struct job program_job(const struct program *program)
{
	return (struct job){
		.code = text_bytes(program->code),
		.input = text_bytes(program->input),
		.call_main = program->arguments != NULL,
		.arguments = text_bytes(program->arguments),
		.timeout_ms = program->timeout_ms,
		.memory_mb = program->memory_mb};
}

static bool bytes_are(const struct bytes *bytes, const char *text)
{
	return !text || (bytes->size == strlen(text) &&
			 memcmp(bytes->size ? bytes->data : "", text,
				bytes->size) == 0);
}

static void show(const struct program *program, const struct outcome *outcome)
{
	fprintf(stderr, "# program: %s\n# %s %d value=%.*s type=%s %s\n"
		"# out=%.*s err=%.*s\n", program->code,
		outcome_rows[outcome->verdict].name, outcome->detail,
		(int)outcome->value.size, outcome->value.data,
		outcome->error_type ? outcome->error_type : "-",
		outcome->error_message ? outcome->error_message : "",
		(int)outcome->out.kept.size, outcome->out.kept.data,
		(int)outcome->err.kept.size, outcome->err.kept.data);
}

static bool as_foreseen(const struct program *program,
			const struct outcome *outcome)
{
	return outcome->verdict == program->verdict &&
	       outcome->detail == program->detail &&
	       bytes_are(&outcome->value, program->value) &&
	       bytes_are(&outcome->out.kept, program->out) &&
	       bytes_are(&outcome->err.kept, program->err) &&
	       (!program->type ||
		(outcome->error_type &&
		 strcmp(outcome->error_type, program->type) == 0)) &&
	       (!program->message ||
		(outcome->error_message &&
		 strstr(outcome->error_message, program->message)));
}

static int run_program(void *context)
{
	const struct program *program = context;
	struct job job = program_job(program);
	struct outcome outcome;
	struct run run;
	int fds = support_count_fds();

	RUN_CHECK(run_armed(&run) == 0);
	pid_t guest = run.guest, init = run.init;

	run_job(&run, &job, -1, &outcome);
	bool well = as_foreseen(program, &outcome);

	if (!well)
		show(program, &outcome);
	outcome_free(&outcome);
	run_end(&run);
	RUN_CHECK(well);
	RUN_CHECK(support_count_fds() == fds);
	RUN_CHECK(run_is_gone(guest) && run_is_gone(init));
	RUN_CHECK(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD);
	return 0;
}

static void each_program_has_its_outcome(void **state)
{
	(void)state;
	RUN_NEEDS_BOX();
	for (size_t i = 0; i < ARRAY_LEN(programs); i++)
		run_in_worker(run_program, (void *)(uintptr_t)&programs[i]);
}

static int run_measured(void *context)
{
	struct job job = {.code = text_bytes(
		"import time\nend = time.process_time() + 0.2\n"
		"while time.process_time() < end: pass\n"
		"print('x' * 100000)\nlen(bytearray(50 << 20))")};
	struct outcome outcome;
	struct run run;

	(void)context;
	RUN_CHECK(run_armed(&run) == 0);
	run_job(&run, &job, -1, &outcome);
	RUN_CHECK(outcome.verdict == OUTCOME_OK);
	RUN_CHECK(outcome.runtime_ms >= 200 && outcome.runtime_ms < 5000);
	RUN_CHECK(outcome.cpu_ms >= 200 && outcome.cpu_ms < 2000);
	RUN_CHECK(outcome.memory_peak_kb >= 50 << 10);
	RUN_CHECK(outcome.out.kept.size == 64 << 10);
	RUN_CHECK(outcome.out.dropped == 100001 - (64 << 10));
	RUN_CHECK(outcome.err.dropped == 0);
	outcome_free(&outcome);
	run_end(&run);
	return 0;
}

static void a_run_is_measured(void **state)
{
	(void)state;
	RUN_NEEDS_BOX();
	run_in_worker(run_measured, NULL);
}

/* ---- files ----------------------------------------------------------- */

#define FILE_ROW(file_name, text)                                            \
	{.name = (char *)(uintptr_t)(file_name),                             \
	 .content = {(char *)(uintptr_t)(text), sizeof(text) - 1}}

static int run_with_files(const char *code, const struct job_file *files,
			  size_t count, struct outcome *outcome)
{
	struct job job = {.code = text_bytes(code),
			  .files = (struct job_file *)(uintptr_t)files,
			  .files_count = count};
	struct run run;

	RUN_CHECK(run_armed(&run) == 0);
	run_job(&run, &job, -1, outcome);
	run_end(&run);
	return 0;
}

static int use_files(void *context)
{
	static const struct job_file files[] = {
		FILE_ROW("in.txt", "text"), FILE_ROW("d/same", "s"),
		FILE_ROW("notes.txt", "the client's")};
	struct outcome outcome;
	struct bytes content;

	(void)context;
	RUN_CHECK(run_with_files(
		"import os, __main__\n"
		"open('d/out', 'w').write(open('in.txt').read().upper())\n"
		"open('data/table.csv', 'a').write('3,4')\n"
		"open('/tmp/x', 'w').write('x')\n"
		"os.symlink('/etc/passwd', 'link')\n"
		"open('notes.txt').read()", files, ARRAY_LEN(files),
		&outcome) == 0);
	RUN_CHECK(outcome.verdict == OUTCOME_OK);
	RUN_CHECK(bytes_are(&outcome.value, "\"the client's\""));
	RUN_CHECK(outcome.files_count == 2 && outcome.files_dropped == 0);
	RUN_CHECK(strcmp(outcome.files[0].name, "d/out") == 0);
	RUN_CHECK(strcmp(outcome.files[1].name, "data/table.csv") == 0);
	RUN_CHECK(io_read_fd(outcome.files[1].fd, 99, &content) == 0);
	RUN_CHECK(strcmp(content.data, "1,2\n3,4") == 0);
	free(content.data);
	outcome_free(&outcome);
	return 0;
}

static void files_go_in_and_come_out(void **state)
{
	(void)state;
	RUN_NEEDS_BOX();
	run_in_worker(use_files, NULL);
	/* and nothing of it is there the next time */
	run_in_worker(run_program,
		      (void *)(uintptr_t)&programs[ARRAY_LEN(programs) - 1]);
}

static int use_bad_files(void *context)
{
	static char huge[17 << 20], huge_name[] = "huge";
	static const struct {
		struct job_file files[2];
		const char *message;
	} cases[] = {
		{{FILE_ROW("a", ""), FILE_ROW("data", "a directory")},
		 "files[1]"},
		{{FILE_ROW("notes.txt/x", "below a file"), FILE_ROW("a", "")},
		 "files[0]"},
		{{FILE_ROW("a", ""), {.name = huge_name,
				      .content = {huge, sizeof(huge)}}},
		 "files[1]"},
	};
	size_t i = *(const size_t *)context;
	struct outcome outcome;

	RUN_CHECK(run_with_files("open('ran', 'w')", cases[i].files, 2,
				 &outcome) == 0);
	RUN_CHECK(outcome.verdict == OUTCOME_PARSING);
	RUN_CHECK(strstr(outcome.error_message, cases[i].message));
	RUN_CHECK(outcome.files_count == 0);
	outcome_free(&outcome);
	return 0;
}

static void files_that_do_not_fit_are_the_clients_mistake(void **state)
{
	(void)state;
	RUN_NEEDS_BOX();
	for (size_t i = 0; i < 3; i++)
		run_in_worker(use_bad_files, &i);
}

/* Files of a program are kept however it ended. */
static void files_survive_every_end(void **state)
{
	static const char *const codes[] = {
		"open('f', 'w').write('x')\n1 / 0",
		"open('f', 'w').write('x')\nimport os\nos._exit(1)",
		"open('f', 'w').write('x')\nimport os\nos.kill(2, 9)",
		"open('f', 'w').write('x')\nwhile True: print('x' * 65536)",
	};

	(void)state;
	RUN_NEEDS_BOX();
	for (size_t i = 0; i < ARRAY_LEN(codes); i++) {
		struct outcome outcome;
		pid_t pid = support_fork();

		if (pid == 0)
			_exit(run_with_files(codes[i], NULL, 0, &outcome) ||
			      outcome.files_count != 1);
		if (support_wait(pid) != 0)
			fail_msg("after: %s", codes[i]);
	}
}

/* ---- ends from outside ----------------------------------------------- */

/* Tell the test that the guest is armed, wait until it has answered, and
 * run something that does not end by itself. */
static int run_endless(void *context)
{
	const int *client = context;
	struct job job = {.code = text_bytes("print('on', flush=True)\n"
					     "while True: pass")};
	struct outcome outcome;
	struct run run;

	RUN_CHECK(run_armed(&run) == 0);
	atomic_store(&run_share->stage, 1);
	while (atomic_load(&run_share->stage) == 1)
		usleep(1000);
	if (client)
		close(client[1]);
	run_job(&run, &job, client ? client[0] : -1, &outcome);
	int verdict = (int)outcome.verdict, detail = outcome.detail;

	outcome_free(&outcome);
	run_end(&run);
	RUN_CHECK(waitpid(-1, NULL, WNOHANG) < 0);
	RUN_CHECK(verdict == (client ? OUTCOME_CANCELLED : OUTCOME_KILLED));
	RUN_CHECK(client || detail == SIGKILL);
	return 0;
}

/* The process that is killed, and the moment. */
static const struct {
	bool init, running;
} kills[] = {{false, false}, {false, true}, {true, false}, {true, true}};

static void a_killed_guest_is_said_to_be(void **state)
{
	(void)state;
	RUN_NEEDS_BOX();
	for (size_t i = 0; i < ARRAY_LEN(kills); i++) {
		pid_t worker = run_worker(run_endless, NULL);

		run_wait_stage(1);
		pid_t guest = run_share->guest;
		pid_t victim = kills[i].init ? run_share->init : guest;

		if (!kills[i].running)
			assert_int_equal(kill(victim, SIGKILL), 0);
		atomic_store(&run_share->stage, 2);
		usleep(150000);
		if (kills[i].running)
			assert_int_equal(kill(victim, SIGKILL), 0);
		assert_int_equal(support_wait(worker), 0);
		assert_true(run_is_gone(guest));
	}
}

static void a_client_that_hangs_up_ends_its_run(void **state)
{
	(void)state;
	RUN_NEEDS_BOX();
	for (int before = 0; before < 2; before++) {
		int client[2];

		assert_int_equal(socketpair(AF_UNIX,
					    SOCK_STREAM | SOCK_CLOEXEC, 0,
					    client), 0);
		pid_t worker = run_worker(run_endless, client);

		run_wait_stage(1);
		close(client[0]);
		if (before)
			close(client[1]);
		atomic_store(&run_share->stage, 2);
		usleep(150000);
		if (!before)
			close(client[1]);
		assert_int_equal(support_wait(worker), 0);
	}
}

static void a_guest_dies_with_its_worker(void **state)
{
	(void)state;
	RUN_NEEDS_BOX();
	for (int running = 0; running < 2; running++) {
		pid_t worker = run_worker(run_endless, NULL);

		run_wait_stage(1);
		pid_t guest = run_share->guest, init = run_share->init;

		if (running)
			atomic_store(&run_share->stage, 2);
		usleep(100000);
		assert_int_equal(kill(guest, 0), 0);
		assert_int_equal(kill(worker, SIGKILL), 0);
		support_wait(worker);
		assert_true(run_is_gone(guest));
		run_no_child_left();
		assert_true(run_is_gone(init));
	}
}

/* ---- memory, by the control group ------------------------------------ */

static int run_out_of_group(void *context)
{
	struct job job = {.code = text_bytes(
		"x = b'x' * (120 << 20)\nlen(x)")};
	struct outcome outcome;
	struct run run;

	(void)context;
	RUN_CHECK(run_armed(&run) == 0);
	RUN_CHECK(cgroup_reset(&run_box.groups[1], &run_limits, 8) == 0);
	run_job(&run, &job, -1, &outcome);
	if (outcome.verdict != OUTCOME_MEMORY)
		fprintf(stderr, "# %s\n", outcome_rows[outcome.verdict].name);
	RUN_CHECK(outcome.verdict == OUTCOME_MEMORY);
	outcome_free(&outcome);
	run_end(&run);
	return 0;
}

static void past_its_groups_memory_a_guest_dies(void **state)
{
	(void)state;
	RUN_NEEDS_BOX();
	if (!run_plan.cgroups)
		support_skip("no control groups for this user");
	run_in_worker(run_out_of_group, NULL);
	/* and the next one in the group is not blamed for it */
	run_in_worker(run_program, (void *)(uintptr_t)&programs[0]);
	run_in_worker(run_program, (void *)(uintptr_t)&programs[10]);
}

/* ---- nothing left behind --------------------------------------------- */

static void many_runs_leave_nothing(void **state)
{
	static const struct program program = {
		.code = "open('f', 'w').write('x')\nprint(1)\n2", .out = "1\n",
		.value = "2"};

	(void)state;
	RUN_NEEDS_BOX();
	int fds = support_count_fds(), mounts = run_count_mounts();

	for (int i = 0; i < MANY_RUNS; i++)
		run_in_worker(run_program, (void *)(uintptr_t)&program);
	assert_int_equal(support_count_fds(), fds);
	assert_int_equal(run_count_mounts(), mounts);
	assert_true(waitpid(-1, NULL, WNOHANG) < 0);
	assert_int_equal(errno, ECHILD);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_program_has_its_outcome),
		cmocka_unit_test(a_run_is_measured),
		cmocka_unit_test(files_go_in_and_come_out),
		cmocka_unit_test(files_that_do_not_fit_are_the_clients_mistake),
		cmocka_unit_test(files_survive_every_end),
		cmocka_unit_test(a_killed_guest_is_said_to_be),
		cmocka_unit_test(a_client_that_hangs_up_ends_its_run),
		cmocka_unit_test(a_guest_dies_with_its_worker),
		cmocka_unit_test(past_its_groups_memory_a_guest_dies),
		cmocka_unit_test(many_runs_leave_nothing),
	};

	return run_support_main("run", tests, ARRAY_LEN(tests));
}
