/*
 * test_run_tasks - tasks of a guest other than running a program, and the
 * reported phase.
 */
#include "tests/unit/guest/run_support.h"

#include <signal.h>
#include <string.h>

#define TEXT(literal) {(char *)(uintptr_t)(literal), sizeof(literal) - 1}

/* NULL: there is none; of OUT and VALUE, that they are empty. */
struct case_of {
	struct job job;
	enum outcome_verdict verdict;
	enum outcome_phase phase;
	int exit_code;
	const char *value, *out, *refused;
	bool refused_file;
};

#define MAIN(value_of) .arguments = TEXT("{}"), .call_main = true, \
		       .value = JOB_VALUE_STRICT, \
		       .code = TEXT("def main(): return " value_of)
#define REFUSED(code_of, name)                                               \
	{{.code = TEXT(code_of)}, .verdict = OUTCOME_RAISED,                 \
	 .phase = OUTCOME_RUN, .exit_code = 1, .refused = name}
#define REFUSED_FILE(code_of, name)                                          \
	{{.code = TEXT(code_of)}, .verdict = OUTCOME_RAISED,                 \
	 .phase = OUTCOME_RUN, .exit_code = 1, .refused = name,              \
	 .refused_file = true}

static const struct case_of cases[] = {
	{{.code = TEXT("1")}, .phase = OUTCOME_FINISHED, .value = "1"},
	{{.code = TEXT("(")}, .verdict = OUTCOME_RAISED, .exit_code = 1},
	{{.code = TEXT("1/0")}, .verdict = OUTCOME_RAISED,
	 .phase = OUTCOME_RUN, .exit_code = 1},
	{{.code = TEXT("import sys; sys.exit(7)")},
	 .verdict = OUTCOME_RAISED, .phase = OUTCOME_RUN, .exit_code = 7},
	{{.code = TEXT("import sys; sys.exit()")},
	 .phase = OUTCOME_FINISHED},
	{{.code = TEXT("import os; os._exit(9)")},
	 .verdict = OUTCOME_EXITED, .phase = OUTCOME_RUN, .exit_code = 9},
	{{.code = TEXT("import os; os.abort()")},
	 .verdict = OUTCOME_KILLED, .phase = OUTCOME_RUN,
	 .exit_code = 128 + SIGABRT},
	{{.code = TEXT("import time; time.sleep(60)"), .timeout_ms = 200},
	 .verdict = OUTCOME_TIMEOUT, .phase = OUTCOME_RUN, .exit_code = 1},
	{{.code = TEXT("import os, signal, time\n"
		       "signal.pthread_sigmask(signal.SIG_BLOCK, "
		       "range(1, 65))\ntime.sleep(60)"), .timeout_ms = 200},
	 .verdict = OUTCOME_TIMEOUT, .phase = OUTCOME_RUN,
	 .exit_code = 128 + SIGKILL},
	/* It lies: an exit code that is none, a start twice, an empty name. */
	{{.code = TEXT("import os, struct\nos.write(3, struct.pack("
		       "'=IIQQQ', 5, 24, 0, 0, 1 << 40))\n"
		       "while True: pass")},
	 .phase = OUTCOME_FINISHED},
	{{.code = TEXT("import os; os.write(3, b'\\7\\0\\0\\0\\0\\0\\0\\0')\n"
		       "while True: pass")},
	 .verdict = OUTCOME_PROTOCOL, .phase = OUTCOME_RUN,
	 .exit_code = 128 + SIGKILL},
	{{.code = TEXT("import os; os.write(3, b'\\10\\0\\0\\0\\0\\0\\0\\0');")},
	 .phase = OUTCOME_FINISHED},

	{{.code = TEXT("print(1)\n2"), .task = JOB_COMPILE},
	 .verdict = OUTCOME_OK},
	{{.code = TEXT("return"), .task = JOB_COMPILE},
	 .verdict = OUTCOME_RAISED, .exit_code = 1},
	{{.code = TEXT("import b, a.c"), .task = JOB_PARSE},
	 .value = "\"import of a.c is not allowed (line 1); "
		  "import of b is not allowed (line 1)\""},
	{{.code = TEXT("import b, a.c"), .task = JOB_PARSE,
	  .arguments = TEXT("[\"a\",\"b\"]")},
	 .value = "\"\""},
	{{.code = TEXT("("), .task = JOB_PARSE},
	 .verdict = OUTCOME_RAISED, .exit_code = 1},

	{{.code = TEXT("[1, 'a']"), .value = JOB_VALUE_REPR},
	 .phase = OUTCOME_FINISHED, .value = "\"[1, 'a']\""},
	{{MAIN("None")}, .phase = OUTCOME_FINISHED, .value = "null"},
	{{MAIN("{'a': (1,)}")}, .phase = OUTCOME_FINISHED,
	 .value = "{\"a\":[1]}"},
	{{MAIN("{1}")}, .verdict = OUTCOME_RAISED, .phase = OUTCOME_RUN,
	 .exit_code = 1},

	{{.code = TEXT("import sys, os\nprint('a', file=sys.stderr)\n"
		       "print('b', end='')\nsys.stderr.write('c')\n"
		       "sys.stdout.flush(); os.write(2, b'd');None"),
	  .merge_output = true},
	 .phase = OUTCOME_FINISHED, .out = "a\nbcd"},

	REFUSED("import os; os.fork()", "fork"),
	REFUSED("import subprocess as s; s.run(['ls'])", "fork"),
	REFUSED("import os; os.execv('/bin/ls', ['ls'])", "execve"),
	REFUSED("import os; os.posix_spawn('/bin/ls', ['ls'], {})", "clone"),
	REFUSED("import socket; socket.socket()", "socket"),
	REFUSED("import socket; socket.create_connection(('192.0.2.1', 1))",
		"socket"),
	REFUSED("import urllib.request as u; u.urlopen('http://e.example')",
		"socket"),
	REFUSED_FILE("open('/usr/x', 'w')", "openat"),
	REFUSED_FILE("import os; os.mkdir('/usr/x')", "mkdir"),
	REFUSED_FILE("import pathlib; pathlib.Path('/x').write_text('')",
		     "openat"),
	REFUSED_FILE("import os; os.remove('/usr/bin')", "unlink"),
	/* Caught, or the program's own. */
	{{.code = TEXT("import os\ntry: os.fork()\nexcept OSError: pass")},
	 .phase = OUTCOME_FINISHED},
	{{.code = TEXT("raise PermissionError(1, 'x')")},
	 .verdict = OUTCOME_RAISED, .phase = OUTCOME_RUN, .exit_code = 1},
};

static bool bytes_are(const struct bytes *bytes, const char *text)
{
	return bytes->size == (text ? strlen(text) : 0) &&
	       (bytes->size == 0 ||
		memcmp(bytes->data, text, bytes->size) == 0);
}

static bool texts_are(const char *is, const char *want)
{
	return is == want || (is && want && strcmp(is, want) == 0);
}

static bool as_foreseen(const struct case_of *one,
			const struct outcome *outcome)
{
	return outcome->verdict == one->verdict &&
	       outcome->probe.phase == one->phase &&
	       outcome->exit_code == one->exit_code &&
	       outcome->probe.refused_file == one->refused_file &&
	       texts_are(outcome->refused, one->refused) &&
	       bytes_are(&outcome->value, one->value) &&
	       outcome->value_present == (one->value != NULL) &&
	       bytes_are(&outcome->out.kept, one->out);
}

static void show(const struct case_of *one, const struct outcome *outcome)
{
	fprintf(stderr,
		"# %s\n# %s phase=%d exit=%d refused=%s%s value=%.*s "
		"out=%.*s %s\n",
		one->job.code.data, outcome_rows[outcome->verdict].name,
		outcome->probe.phase, outcome->exit_code,
		outcome->refused ? outcome->refused : "-",
		outcome->probe.refused_file ? " (file)" : "",
		(int)outcome->value.size, outcome->value.data,
		(int)outcome->out.kept.size, outcome->out.kept.data,
		outcome->error_message ? outcome->error_message : "");
}

static int run_case(void *context)
{
	const struct case_of *one = context;
	struct outcome outcome;
	struct run run;

	RUN_CHECK(run_armed(&run) == 0);
	run_job(&run, &one->job, -1, &outcome);
	bool well = as_foreseen(one, &outcome);

	if (!well)
		show(one, &outcome);
	outcome_free(&outcome);
	run_end(&run);
	RUN_CHECK(well);
	return 0;
}

static void each_task_is_done(void **state)
{
	(void)state;
	RUN_NEEDS_BOX();
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		run_in_worker(run_case, (void *)(uintptr_t)&cases[i]);
	run_no_child_left();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_task_is_done),
	};

	return run_support_main("run_tasks", tests, ARRAY_LEN(tests));
}
