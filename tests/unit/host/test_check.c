/*
 * test_check - reports on the host's settings: each with wanted and unwanted
 * values, in a tree of files made for the purpose.
 */
#include "tests/unit/support.h"

#include <stdio.h>
#include <string.h>

#include "fcgi/host/check_host.h"

#define VALUES_MAX 8
#define HOLES "sys/devices/system/cpu/vulnerabilities"

/* A setting, good values, bad values, and the report where it is missing
 * (NULL: none). Each advice contains a piece of SAYS. */
static const struct setting {
	const char *path;
	const char *name;
	const char *good[VALUES_MAX];
	const char *bad[VALUES_MAX];
	const char *says;
	const char *absent;
} settings[] = {
	{"proc/sys/kernel/io_uring_disabled", "kernel.io_uring_disabled",
	 {"2\n", "1\n"}, {"0\n", "3\n", "", "x\n"}, "better 1 or 2: ",
	 "before Linux 6.6"},
	{"proc/sys/kernel/unprivileged_bpf_disabled",
	 "kernel.unprivileged_bpf_disabled",
	 {"2\n", "1\n"}, {"0\n"}, "better 1 or 2: ", NULL},
	{"proc/sys/vm/unprivileged_userfaultfd",
	 "vm.unprivileged_userfaultfd",
	 {"0\n"}, {"1\n"}, "is 1; better 0: ", NULL},
	{"proc/sys/kernel/kptr_restrict", "kernel.kptr_restrict",
	 {"2\n", "1\n"}, {"0\n"}, "better 1 or 2: ", NULL},
	{"proc/sys/kernel/dmesg_restrict", "kernel.dmesg_restrict",
	 {"1\n"}, {"0\n"}, "is 0; better 1: ", NULL},
	{"proc/sys/kernel/randomize_va_space", "kernel.randomize_va_space",
	 {"2\n"}, {"1\n", "0\n"}, "better 2: ", NULL},
	{"proc/sys/dev/tty/legacy_tiocsti", "dev.tty.legacy_tiocsti",
	 {"0\n"}, {"1\n"}, "is 1; better 0: ", "before Linux 6.2"},
	{"proc/sys/fs/protected_symlinks", "fs.protected_symlinks",
	 {"1\n"}, {"0\n"}, "better 1: ", NULL},
	{"proc/sys/fs/protected_hardlinks", "fs.protected_hardlinks",
	 {"1\n"}, {"0\n"}, "better 1: ", NULL},
	{"proc/sys/fs/protected_fifos", "fs.protected_fifos",
	 {"2\n", "1\n"}, {"0\n"}, "better 1 or 2: ", NULL},
	{"proc/sys/fs/protected_regular", "fs.protected_regular",
	 {"2\n", "1\n"}, {"0\n"}, "better 1 or 2: ", NULL},
	{"proc/sys/fs/suid_dumpable", "fs.suid_dumpable",
	 {"0\n", "0"}, {"1\n", "2\n", "-1\n", "0 1\n", "32\n",
			"4294967296\n", "\n", ""}, "better 0: ", NULL},
	{"proc/sys/debug/exception-trace", "debug.exception-trace",
	 {"0\n"}, {"1\n"}, "better 0: ", NULL},
	{"proc/sys/kernel/core_pattern", "kernel.core_pattern",
	 {"core\n", "/var/core.%p|\n", "\n"},
	 {"|/bin/collect %P\n", "|\n"}, "is a pipe; better a file's name: ",
	 NULL},
	{"proc/swaps", "swap",
	 {"Filename\tType\n", ""},
	 {"Filename\tType\n/dev/sda2 partition 1 0 -2\n"},
	 "is on; better off: ", NULL},
	{"sys/kernel/mm/ksm/run", "KSM (/sys/kernel/mm/ksm/run)",
	 {"0\n", "2\n"}, {"1\n"}, "is 1; better 0 or 2: ", NULL},
	{HOLES "/meltdown", "the processor",
	 {"Not affected\n", "Mitigation: PTI; SMT Vulnerable\n"},
	 {"Vulnerable\n", "Vulnerable: no microcode\n"},
	 "open vulnerabilities (meltdown): ", NULL},
};

static char *dir;

/* A host as it should be. */
static int make_host(void **state)
{
	(void)state;
	dir = support_dir();
	for (size_t i = 0; i < ARRAY_LEN(settings); i++)
		support_write(dir, settings[i].path, settings[i].good[0]);
	return 0;
}

static int remove_host(void **state)
{
	(void)state;
	support_remove(&dir);
	return 0;
}

/* The printed text; release it. ADVICE is the number of lines of advice. */
static char *look(const char *root, unsigned advice)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	unsigned count = check_host(root, out);

	fclose(out);
	if (count != advice)
		fail_msg("%u lines of advice, not %u:\n%s", count, advice,
			 text);
	return text;
}

/* The only line of TEXT that begins with VERDICT; NULL: none does. */
static const char *line(char *text, const char *verdict)
{
	char *found = NULL;

	for (char *at = strtok(text, "\n"); at; at = strtok(NULL, "\n")) {
		if (strncmp(at, verdict, strlen(verdict)) != 0)
			continue;
		if (found)
			fail_msg("two lines: %s, %s", found, at);
		found = at;
	}
	return found;
}

static void expect(const struct setting *row, const char *verdict,
		   const char *piece)
{
	owned_free char *text = look(dir, strcmp(verdict, "advice ") == 0);
	const char *found = line(text, verdict);

	if (!found || !strstr(found, row->name) || !strstr(found, piece))
		fail_msg("%s: no line \"%s... %s\" but %s", row->name, verdict,
			 piece, found ? found : "none");
}

static void a_good_host_needs_no_advice(void **state)
{
	owned_free char *text = look(dir, 0);
	size_t lines = 0;

	(void)state;
	for (char *at = strtok(text, "\n"); at; at = strtok(NULL, "\n")) {
		assert_int_equal(strncmp(at, "ok      host ", 13), 0);
		assert_null(strstr(at, "better"));
		lines++;
	}
	assert_int_equal(lines, ARRAY_LEN(settings));
}

static void each_setting_is_judged(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(settings); i++) {
		const struct setting *row = &settings[i];

		for (size_t j = 0; j < VALUES_MAX && row->bad[j]; j++) {
			support_write(dir, row->path, row->bad[j]);
			expect(row, "advice ", row->says);
		}
		for (size_t j = 0; j < VALUES_MAX && row->good[j]; j++) {
			support_write(dir, row->path, row->good[j]);
			free(look(dir, 0));
		}
		support_write(dir, row->path, row->good[0]);
	}
}

/* An older kernel, or one without the feature: told where it matters. */
static void what_is_not_there_is_passed_over(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(settings); i++) {
		const struct setting *row = &settings[i];

		assert_int_equal(remove(support_path(dir, row->path)), 0);
		owned_free char *text = look(dir, 0);

		if (strcmp(row->name, "the processor") != 0 && !row->absent)
			assert_null(strstr(text, row->name));
		if (row->absent)
			expect(row, "unknown", row->absent);
		support_write(dir, row->path, row->good[0]);
	}
}

static void what_cannot_be_read_is_told(void **state)
{
	const char *path = "proc/sys/kernel/kptr_restrict/not-a-file";

	(void)state;
	remove(support_path(dir, "proc/sys/kernel/kptr_restrict"));
	support_write(dir, path, "1\n");
	expect(&settings[3], "unknown", "cannot be read: Is a directory");
}

static void all_holes_are_named(void **state)
{
	(void)state;
	support_write(dir, HOLES "/retbleed", "Vulnerable\n");
	support_write(dir, HOLES "/srbds", "Vulnerable\n");
	owned_free char *text = look(dir, 1);

	assert_non_null(strstr(text, "retbleed"));
	assert_non_null(strstr(text, "srbds"));
	assert_null(strstr(text, "meltdown"));
}

/* More names than there is room for: those that fit. */
static void many_holes_are_cut(void **state)
{
	(void)state;
	for (int i = 0; i < 64; i++) {
		char name[128];

		snprintf(name, sizeof(name),
			 HOLES "/a_hole_of_some_length_%d", i);
		support_write(dir, name, "Vulnerable\n");
	}
	owned_free char *text = look(dir, 1);
	const char *found = line(text, "advice ");

	assert_non_null(found);
	assert_in_range(strlen(found), 200, 450);
}

static void an_empty_host_has_no_advice(void **state)
{
	char *empty = support_dir();

	(void)state;
	owned_free char *text = look(empty, 0);

	assert_non_null(strstr(text, "kernel.io_uring_disabled is not known"));
	assert_null(strstr(text, "ok "));
	free(look(support_path(empty, "nowhere"), 0));
	support_remove(&empty);
}

static void this_host_can_be_looked_at(void **state)
{
	int before = support_count_fds();
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	assert_non_null(out);
	assert_in_range(check_host("/", out), 0, ARRAY_LEN(settings));
	fclose(out);
	assert_non_null(strstr(text, "kernel.randomize_va_space is "));
	assert_int_equal(support_count_fds(), before);
	free(text);
}

#define WITH_HOST(test)                                                      \
	cmocka_unit_test_setup_teardown(test, make_host, remove_host)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_HOST(a_good_host_needs_no_advice),
		WITH_HOST(each_setting_is_judged),
		WITH_HOST(what_is_not_there_is_passed_over),
		WITH_HOST(what_cannot_be_read_is_told),
		WITH_HOST(all_holes_are_named),
		WITH_HOST(many_holes_are_cut),
		cmocka_unit_test(an_empty_host_has_no_advice),
		cmocka_unit_test(this_host_can_be_looked_at),
	};

	return cmocka_run_group_tests_name("check", tests, NULL, NULL);
}
