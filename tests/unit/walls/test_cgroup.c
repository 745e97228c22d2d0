/*
 * test_cgroup - control groups on trees of every kind of host, made of plain
 * files, and then, as root, on this host's own.
 *
 * In a plain tree, a file that must be written in a certain order is a pipe,
 * which keeps all that was written to it.
 */
#include "tests/unit/support.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "sandbox/walls/cgroup_tree.h"

static const struct limits limits = {
	.memory_mb = 512, .home_mb = 256, .threads = 32, .cpu_percent = 150};

#define COUNT(number) (&(const struct cgroup_slots){.count = (number)})
#define MEMORY_TEXT "855638016" /* (512 + 256 + CGROUP_SLACK_MB) MiB */

static char *top;	/* of the plain tree */
static char sysfs[64];	/* its /sys/fs/cgroup */
static char proc[64];	/* its /proc/self */
static struct cgroup_host host;
static char error[CGROUP_PATH_MAX];

static int make_tree(void **state)
{
	(void)state;
	top = support_dir();
	snprintf(sysfs, sizeof(sysfs), "%s/sys", top);
	snprintf(proc, sizeof(proc), "%s/proc", top);
	memset(error, 0, sizeof(error));
	return mkdir(sysfs, 0755);
}

static int remove_tree(void **state)
{
	(void)state;
	support_remove(&top);
	return 0;
}

/* The files below the tree's /sys/fs/cgroup. */
static void have(const char *name, const char *text)
{
	support_write(sysfs, name, text);
}

static const char *text_of(const char *name)
{
	return support_read(sysfs, name);
}

static void probe(const char *groups)
{
	support_write(proc, "cgroup", groups);
	cgroup_host_probe(&host,
			  &(struct cgroup_paths){sysfs, proc, "terrarium"});
}

static void assert_dir(size_t i, const char *want)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", sysfs, want);
	assert_string_equal(host.dirs[i], *want ? path : "");
}

/* A pipe at NAME; returns a descriptor that keeps it open. */
static int have_pipe(const char *name)
{
	have(name, "");
	const char *path = support_path(sysfs, name);

	assert_int_equal(unlink(path), 0);
	assert_int_equal(mkfifo(path, 0600), 0);
	int fd = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);

	assert_true(fd >= 0);
	return fd;
}

static const char *written(int fd)
{
	static char text[256];
	ssize_t n = read(fd, text, sizeof(text) - 1);

	text[n > 0 ? n : 0] = '\0';
	return text;
}

/* ---- where things are ------------------------------------------------ */

#define SERVICE "system.slice/terrarium.service"

/* A host as found: its files, the text of /proc/self/cgroup, and the expected
 * result. A NULL directory is "". */
static const struct {
	const char *what;
	struct {
		const char *name, *text;
	} files[8];
	const char *groups;
	enum cgroup_kind kind;
	const char *dirs[CGROUP_CONTROLLERS];
	const char *why;
} hosts[] = {
	{"version 2, the root group",
	 {{"cgroup.controllers", "cpuset cpu io memory hugetlb pids misc\n"}},
	 "0::/\n", CGROUP_V2, {"terrarium", "terrarium", "terrarium"}, ""},
	{"version 2, a service that was given all",
	 {{"cgroup.controllers", "cpuset cpu io memory pids\n"},
	  {SERVICE "/cgroup.controllers", "cpu memory pids\n"}},
	 "0::/" SERVICE "\n", CGROUP_V2,
	 {SERVICE "/terrarium", SERVICE "/terrarium", SERVICE "/terrarium"},
	 ""},
	{"version 2, without cpu (cpuset is another)",
	 {{"cgroup.controllers", "cpuset memory pids\n"}}, "0::/\n",
	 CGROUP_V2, {"terrarium", "terrarium", NULL}, ""},
	{"version 2, a service that was given nothing",
	 {{"cgroup.controllers", "cpu memory pids\n"},
	  {SERVICE "/cgroup.controllers", "\n"}},
	 "0::/" SERVICE "\n", CGROUP_NONE, {NULL}, "no memory controller"},
	{"version 2, without pids",
	 {{"cgroup.controllers", "cpu memory\n"}}, "0::/\n", CGROUP_NONE,
	 {NULL}, "/sys/ has no pids controller"},
	{"version 1, each in its mount",
	 {{"memory/tasks", ""}, {"pids/tasks", ""}, {"cpu/tasks", ""}},
	 "3:memory:/\n2:pids:/\n1:cpu:/\n", CGROUP_V1,
	 {"memory/terrarium", "pids/terrarium", "cpu/terrarium"}, ""},
	{"version 1, controllers that share a mount",
	 {{"memory/user.slice/x", ""}, {"pids/x", ""}, {"cpu/x", ""}},
	 "4:cpu,cpuacct:/\n3:memory:/user.slice\n2:pids:/\n1:name=systemd:/\n",
	 CGROUP_V1,
	 {"memory/user.slice/terrarium", "pids/terrarium", "cpu/terrarium"},
	 ""},
	{"both: version 2 without controllers, memory in a group",
	 {{"memory/a/b/tasks", ""}, {"pids/tasks", ""}, {"cpu/tasks", ""},
	  {"unified/cgroup.controllers", "hugetlb\n"}},
	 "9:name=systemd:/\n8:pids:/\n4:memory:/a/b\n2:cpuacct:/\n1:cpu:/\n"
	 "0::/\n", CGROUP_V1,
	 {"memory/a/b/terrarium", "pids/terrarium", "cpu/terrarium"}, ""},
	{"version 1, our group is outside of the mount",
	 {{"memory/tasks", ""}, {"pids/tasks", ""}},
	 "2:memory:/docker/0123\n1:pids:/docker/0123\n", CGROUP_V1,
	 {"memory/terrarium", "pids/terrarium", NULL}, ""},
	{"version 1, cpu is not mounted",
	 {{"memory/tasks", ""}, {"pids/tasks", ""}},
	 "3:memory:/\n2:pids:/\n1:cpu:/\n", CGROUP_V1,
	 {"memory/terrarium", "pids/terrarium", NULL}, ""},
	{"version 1, without pids",
	 {{"memory/tasks", ""}, {"cpu/tasks", ""}},
	 "3:memory:/\n1:cpu:/\n", CGROUP_NONE, {NULL}, "no pids controller"},
	{"version 1, memory is known but not mounted",
	 {{"pids/tasks", ""}}, "3:memory:/\n1:pids:/\n", CGROUP_NONE, {NULL},
	 "no memory controller"},
	{"nothing", {{NULL, NULL}}, "", CGROUP_NONE, {NULL},
	 "no memory controller"},
	{"what is no list of groups", {{NULL, NULL}}, "\n::\n:\nmemory\n:::",
	 CGROUP_NONE, {NULL}, "no memory controller"},
};

static void each_host_is_understood(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(hosts); i++) {
		void *none = NULL;

		assert_int_equal(make_tree(&none), 0);
		for (size_t f = 0; f < 8 && hosts[i].files[f].name; f++)
			have(hosts[i].files[f].name, hosts[i].files[f].text);
		probe(hosts[i].groups);
		if (host.kind != hosts[i].kind)
			fail_msg("%s: kind %d", hosts[i].what, host.kind);
		for (size_t c = 0; c < CGROUP_CONTROLLERS; c++)
			if (host.kind != CGROUP_NONE)
				assert_dir(c, hosts[i].dirs[c]
						      ? hosts[i].dirs[c] : "");
		if (!strstr(host.why, hosts[i].why))
			fail_msg("%s: %s", hosts[i].what, host.why);
		remove_tree(&none);
	}
	top = NULL;
}

static void without_proc_there_is_nothing(void **state)
{
	(void)state;
	cgroup_host_probe(
		&host, &(struct cgroup_paths){sysfs, "/nowhere", "terrarium"});
	assert_int_equal(host.kind, CGROUP_NONE);
	assert_string_equal(host.why, "cannot read /nowhere/cgroup");
}

static void a_group_with_a_long_name_is_no_disaster(void **state)
{
	char groups[2000];

	(void)state;
	memset(groups, 'g', sizeof(groups));
	memcpy(groups, "0::/", 4);
	groups[sizeof(groups) - 1] = '\0';
	probe(groups);
	assert_int_equal(host.kind, CGROUP_NONE);
}

/* ---- version 2 ------------------------------------------------------- */

static void have_slot_v2(const char *group, unsigned slot)
{
	static const char *const files[] = {"memory.max", "pids.max",
					    "cpu.max", "cpu.weight",
					    "cgroup.procs", "memory.events",
					    "memory.peak"};
	char name[128];

	for (size_t i = 0; i < ARRAY_LEN(files); i++) {
		snprintf(name, sizeof(name), "%s/slot-%u/%s", group, slot,
			 files[i]);
		have(name, "");
	}
}

static void version_2_limits_each_slot(void **state)
{
	(void)state;
	have("cgroup.controllers", "cpu memory pids\n");
	int root = have_pipe("cgroup.subtree_control");
	int ours = have_pipe("terrarium/cgroup.subtree_control");

	have_slot_v2("terrarium", 0);
	have_slot_v2("terrarium", 1);
	probe("0::/\n");
	assert_int_equal(cgroup_tree_make(&host, &limits, COUNT(2), error), 0);
	assert_string_equal(text_of("terrarium/slot-1/memory.max"),
			    MEMORY_TEXT);
	assert_string_equal(text_of("terrarium/slot-1/pids.max"), "33");
	assert_string_equal(text_of("terrarium/slot-1/cpu.max"),
			    "150000 100000");
	assert_string_equal(text_of("terrarium/slot-0/memory.max"),
			    MEMORY_TEXT);
	assert_string_equal(written(root), "+memory+pids+cpu");
	assert_string_equal(written(ours), "+memory+pids+cpu");
	assert_int_equal(access(support_path(sysfs, "server"), F_OK), -1);
	close(root);
	close(ours);
}

/* A group that is not the root may not have processes and children with
 * controllers both: the server moves into a leaf first. */
static void version_2_moves_the_server_into_a_leaf(void **state)
{
	(void)state;
	have("cgroup.controllers", "cpu memory pids\n");
	have(SERVICE "/cgroup.controllers", "memory pids\n");
	have(SERVICE "/cgroup.type", "domain\n");
	have(SERVICE "/server/cgroup.procs", "");
	int base = have_pipe(SERVICE "/cgroup.subtree_control");
	int ours = have_pipe(SERVICE "/terrarium/cgroup.subtree_control");

	have_slot_v2(SERVICE "/terrarium", 0);
	probe("0::/" SERVICE "\n");
	assert_int_equal(cgroup_tree_make(&host, &limits, COUNT(1), error), 0);
	assert_string_equal(text_of(SERVICE "/server/cgroup.procs"), "0");
	assert_string_equal(written(base), "+memory+pids");
	assert_string_equal(written(ours), "+memory+pids");
	assert_string_equal(text_of(SERVICE
				    "/terrarium/slot-0/memory.max"),
			    MEMORY_TEXT);
	assert_string_equal(text_of(SERVICE "/terrarium/slot-0/cpu.max"), "");
	close(base);
	close(ours);
}

/* The group that it was given is as it was: no leaf, no controllers that were
 * not there before. */
static void version_2_gives_back_what_it_was_given(void **state)
{
	(void)state;
	have("cgroup.controllers", "cpu memory pids\n");
	have(SERVICE "/cgroup.controllers", "memory pids\n");
	have(SERVICE "/cgroup.type", "domain\n");
	have(SERVICE "/cgroup.procs", "");
	have(SERVICE "/server/cgroup.procs", "");
	have(SERVICE "/terrarium/memory.max", ""); /* handed down before */
	int base = have_pipe(SERVICE "/cgroup.subtree_control");
	int ours = have_pipe(SERVICE "/terrarium/cgroup.subtree_control");

	have_slot_v2(SERVICE "/terrarium", 0);
	probe("0::/" SERVICE "\n");
	assert_int_equal(cgroup_tree_make(&host, &limits, COUNT(1), error), 0);
	assert_string_equal(written(base), "+memory+pids");
	cgroup_tree_remove(&host);
	assert_string_equal(written(base), "-pids");
	assert_string_equal(text_of(SERVICE "/cgroup.procs"), "0");
	close(base);
	close(ours);
}

static void a_start_that_fails_leaves_nothing(void **state)
{
	const struct cgroup_paths paths = {sysfs, proc, "terrarium"};

	(void)state;
	have("cgroup.controllers", "memory pids\n");
	have(SERVICE "/cgroup.controllers", "memory pids\n");
	have(SERVICE "/cgroup.type", "domain\n");
	have(SERVICE "/cgroup.procs", "");
	have(SERVICE "/server/cgroup.procs", "");
	/* no cgroup.subtree_control */
	support_write(proc, "cgroup", "0::/" SERVICE "\n");
	assert_int_equal(cgroup_tree_begin(&host, &paths, &limits, COUNT(1)),
			 -ENOENT);
	assert_int_equal(host.kind, CGROUP_NONE);
	assert_non_null(strstr(host.why, "hand controllers down from "));
	assert_string_equal(text_of(SERVICE "/cgroup.procs"), "0");
	assert_int_equal(access(support_path(sysfs, SERVICE "/terrarium"),
				F_OK), -1);
}

/* A service's own limit is above those of its groups. */
static void the_lowest_limit_above_is_found(void **state)
{
	(void)state;
	have("cgroup.controllers", "memory pids\n");
	have("system.slice/memory.max", "734003200\n"); /* 700 MiB */
	have(SERVICE "/cgroup.controllers", "memory pids\n");
	have(SERVICE "/memory.max", "max\n");
	probe("0::/" SERVICE "\n");
	assert_int_equal(cgroup_host_ceiling_mb(&host), 700);
	have(SERVICE "/memory.max", "104857600\n");
	assert_int_equal(cgroup_host_ceiling_mb(&host), 100);
	have("system.slice/memory.max", "max\n");
	have(SERVICE "/memory.max", "max\n");
	assert_int_equal(cgroup_host_ceiling_mb(&host), 0);
}

static void what_cannot_be_made_is_named(void **state)
{
	(void)state;
	have("cgroup.controllers", "memory pids\n");
	probe("0::/\n");
	assert_int_equal(cgroup_tree_make(&host, &limits, COUNT(1), error),
			 -ENOENT);
	assert_non_null(strstr(error, "hand controllers down from "));
	assert_non_null(strstr(error, sysfs));
	have("cgroup.subtree_control", "");
	have("terrarium/cgroup.subtree_control", "");
	assert_int_equal(cgroup_tree_make(&host, &limits, COUNT(1), error),
			 -ENOENT);
	assert_non_null(strstr(error, "write "));
	assert_non_null(strstr(error, "terrarium/slot-0/memory.max"));
}

static void version_2_slots_are_used(void **state)
{
	struct cgroup_slot slot;

	(void)state;
	have("cgroup.controllers", "memory pids\n");
	have_slot_v2("terrarium", 3);
	have("terrarium/slot-3/memory.events",
	     "low 0\nhigh 0\nmax 7\noom 5\noom_kill 4\noom_group_kill 9\n");
	probe("0::/\n");
	assert_int_equal(cgroup_open(&host, 3, &slot), 0);
	have("terrarium/slot-3/memory.peak", "1048576\n");
	assert_false(slot.sampled);
	assert_true(slot.entry[0] >= 0);
	assert_int_equal(slot.entry[1], -1); /* one group for all */
	assert_int_equal(slot.entry[2], -1);
	assert_false(cgroup_has_weight(&slot)); /* no cpu controller */
	assert_int_equal(cgroup_memory_kills(&slot), 4);
	assert_int_equal(cgroup_peak_kb(&slot), 1024);
	assert_int_equal(cgroup_enter(&slot), 0);
	assert_string_equal(text_of("terrarium/slot-3/cgroup.procs"), "0");
	assert_int_equal(cgroup_reset(&slot, &limits, 100), 0);
	assert_string_equal(text_of("terrarium/slot-3/memory.max"),
			    "423624704"); /* 404 MiB */
	assert_string_equal(text_of("terrarium/slot-3/memory.peak"),
			    "0048576\n");
	assert_int_equal(cgroup_open(&host, 4, &slot), -ENOENT);
}

/* Before Linux 5.19 there is no memory.peak, before 6.12 it cannot be written
 * to: then it may be another guest's, and the present use is told. */
static void a_peak_of_another_is_not_told(void **state)
{
	struct cgroup_slot slot;
	const char *peak;

	(void)state;
	have("cgroup.controllers", "memory pids\n");
	have_slot_v2("terrarium", 0);
	have("terrarium/slot-0/memory.current", "2097152\n");
	peak = support_path(sysfs, "terrarium/slot-0/memory.peak");
	assert_int_equal(unlink(peak), 0);
	assert_int_equal(mkdir(peak, 0755), 0); /* no place to write to */
	probe("0::/\n");
	assert_int_equal(cgroup_open(&host, 0, &slot), 0);
	assert_true(slot.sampled);
	assert_int_equal(cgroup_peak_kb(&slot), 2048);
	assert_int_equal(cgroup_reset(&slot, &limits, 1), 0);
	assert_string_equal(text_of("terrarium/slot-0/memory.current"),
			    "2097152\n");
	assert_int_equal(unlink(support_path(
		sysfs, "terrarium/slot-0/memory.events")), 0);
	assert_int_equal(cgroup_open(&host, 0, &slot), -ENOENT);
}

/* The share that a long program gave up is back for the next one. */
static void version_2_has_a_pace(void **state)
{
	struct cgroup_slot slot;

	(void)state;
	have("cgroup.controllers", "cpu memory pids\n");
	have_slot_v2("terrarium", 0);
	probe("0::/\n");
	assert_int_equal(cgroup_open(&host, 0, &slot), 0);
	assert_true(cgroup_has_weight(&slot));
	assert_int_equal(cgroup_set_weight(&slot, CGROUP_WEIGHT_LOW), 0);
	assert_string_equal(text_of("terrarium/slot-0/cpu.weight"), "12");
	assert_int_equal(cgroup_reset(&slot, &limits, 1), 0);
	assert_string_equal(text_of("terrarium/slot-0/cpu.weight"), "100");
}

/* ---- version 1 ------------------------------------------------------- */

static void have_host_v1(void)
{
	have("memory/a/terrarium/slot-0/memory.limit_in_bytes", "");
	have("memory/a/terrarium/slot-0/memory.oom_control",
	     "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n");
	have("memory/a/terrarium/slot-0/memory.max_usage_in_bytes", "");
	have("memory/a/terrarium/slot-0/tasks", "");
	have("pids/terrarium/slot-0/pids.max", "");
	have("pids/terrarium/slot-0/tasks", "");
	have("cpu/terrarium/slot-0/cpu.cfs_quota_us", "");
	have("cpu/terrarium/slot-0/cpu.shares", "");
	have("cpu/terrarium/slot-0/tasks", "");
	probe("3:memory:/a\n2:pids:/\n1:cpu,cpuacct:/\n");
	assert_int_equal(host.kind, CGROUP_V1);
}

static void version_1_limits_each_slot(void **state)
{
	struct cgroup_slot slot;

	(void)state;
	have_host_v1();
	assert_int_equal(cgroup_tree_make(&host, &limits, COUNT(1), error), 0);
	assert_string_equal(
		text_of("memory/a/terrarium/slot-0/memory.limit_in_bytes"),
		MEMORY_TEXT);
	assert_string_equal(text_of("pids/terrarium/slot-0/pids.max"), "33");
	assert_string_equal(text_of("cpu/terrarium/slot-0/cpu.cfs_quota_us"),
			    "150000");
	assert_int_equal(cgroup_open(&host, 0, &slot), 0);
	assert_int_equal(cgroup_enter(&slot), 0);
	assert_string_equal(text_of("memory/a/terrarium/slot-0/tasks"),
			    "0");
	assert_string_equal(text_of("pids/terrarium/slot-0/tasks"),
			    "0");
	assert_string_equal(text_of("cpu/terrarium/slot-0/tasks"),
			    "0");
	assert_int_equal(cgroup_memory_kills(&slot), 2);
	have("memory/a/terrarium/slot-0/memory.max_usage_in_bytes", "4096\n");
	assert_int_equal(cgroup_peak_kb(&slot), 4);
}

static void version_1_has_a_pace(void **state)
{
	struct cgroup_slot slot;

	(void)state;
	have_host_v1();
	assert_int_equal(cgroup_open(&host, 0, &slot), 0);
	assert_true(cgroup_has_weight(&slot));
	assert_int_equal(cgroup_set_weight(&slot, CGROUP_WEIGHT_LOW), 0);
	assert_string_equal(text_of("cpu/terrarium/slot-0/cpu.shares"), "128");
	assert_int_equal(cgroup_reset(&slot, &limits, 1), 0);
	assert_string_equal(text_of("cpu/terrarium/slot-0/cpu.shares"),
			    "1024");
	cgroup_forget(&slot);
	assert_false(cgroup_has_weight(&slot));
}

/* ---- sweeping -------------------------------------------------------- */

static void what_an_earlier_run_left_is_removed(void **state)
{
	static const char *const left[] = {"slot-0", "slot-7", "slot-500"};
	char name[64];

	(void)state;
	have_host_v1();
	for (size_t i = 0; i < ARRAY_LEN(left); i++) {
		snprintf(name, sizeof(name), "pids/other/%s", left[i]);
		have("pids/other/x", "");
		assert_int_equal(mkdir(support_path(sysfs, name), 0755), 0);
	}
	snprintf(host.dirs[1], CGROUP_PATH_MAX, "%s/pids/other", sysfs);
	assert_int_equal(mkdir(support_path(sysfs, "pids/other/mine"), 0755),
			 0);
	cgroup_tree_remove(&host);
	for (size_t i = 0; i < ARRAY_LEN(left); i++) {
		snprintf(name, sizeof(name), "pids/other/%s", left[i]);
		assert_int_equal(access(support_path(sysfs, name), F_OK), -1);
	}
	/* a group that is no slot is not ours */
	assert_int_equal(access(support_path(sysfs, "pids/other/mine"), F_OK),
			 0);
}

/* ---- without --------------------------------------------------------- */

static void without_groups_all_is_quiet(void **state)
{
	struct cgroup_host none = {.kind = CGROUP_NONE};
	struct cgroup_slot slot;

	(void)state;
	assert_int_equal(cgroup_open(&none, 0, &slot), 0);
	assert_int_equal(slot.entry[0], -1);
	assert_int_equal(slot.events, -1);
	assert_false(cgroup_has_weight(&slot));
	assert_int_equal(cgroup_set_weight(&slot, CGROUP_WEIGHT_LOW), 0);
	assert_int_equal(cgroup_enter(&slot), 0);
	assert_int_equal(cgroup_reset(&slot, &limits, 1), 0);
	assert_int_equal(cgroup_memory_kills(&slot), 0);
	assert_int_equal(cgroup_peak_kb(&slot), 0);
	assert_int_equal(cgroup_tree_make(&none, &limits, COUNT(4), error), 0);
	cgroup_tree_remove(&none);
}

#define IN_TREE(test)                                                        \
	cmocka_unit_test_setup_teardown(test, make_tree, remove_tree)

int main(void)
{
	const struct CMUnitTest plain[] = {
		cmocka_unit_test(each_host_is_understood),
		IN_TREE(without_proc_there_is_nothing),
		IN_TREE(a_group_with_a_long_name_is_no_disaster),
		IN_TREE(version_2_limits_each_slot),
		IN_TREE(version_2_moves_the_server_into_a_leaf),
		IN_TREE(version_2_gives_back_what_it_was_given),
		IN_TREE(a_start_that_fails_leaves_nothing),
		IN_TREE(the_lowest_limit_above_is_found),
		IN_TREE(what_cannot_be_made_is_named),
		IN_TREE(version_2_slots_are_used),
		IN_TREE(a_peak_of_another_is_not_told),
		IN_TREE(version_2_has_a_pace),
		IN_TREE(version_1_limits_each_slot),
		IN_TREE(version_1_has_a_pace),
		IN_TREE(what_an_earlier_run_left_is_removed),
		cmocka_unit_test(without_groups_all_is_quiet),
	};

	return cmocka_run_group_tests_name("cgroup", plain, NULL, NULL);
}
