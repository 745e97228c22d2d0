/* cgroup_tree - see cgroup_tree.h, cgroups(7), and the kernel's
 * cgroup-v2.rst. */
#include "cgroup_tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <sys/wait.h>
#include <time.h>

#include "sandbox/base/io.h"
#include "sandbox/base/log.h"

#define CGROUP_CPU_PERIOD_US 100000ul
#define CGROUP_LEAF "server" /* the master's own group, beside its guests' */
#define CGROUP_NAME_MAX 96
#define CGROUP_QUIET_US 200000 /* in which none has entered a group */
#define CGROUP_ENDLESS (UINT64_C(1) << 62) /* bytes */

const struct cgroup_row cgroup_rows[CGROUP_CONTROLLERS] = {
	[CG_MEMORY] = {"memory", "memory.limit_in_bytes", "memory.max", true},
	[CG_PIDS] = {"pids", "pids.max", "pids.max", true},
	[CG_CPU] = {"cpu", "cpu.cfs_quota_us", "cpu.max", false},
};

/* A "/" between two names, but one only. */
static const char *cgroup_slash(const char *left, const char *right)
{
	size_t size = strlen(left);

	return !*left || !*right || left[size - 1] == '/' || *right == '/'
		       ? "" : "/";
}

int cgroup_join(char *out, const char *a, const char *b, const char *c)
{
	char left[CGROUP_PATH_MAX];
	int n = snprintf(left, sizeof(left), "%s%s%s", a, cgroup_slash(a, b),
			 b);

	if (n < 0 || n >= CGROUP_PATH_MAX)
		return -ENAMETOOLONG;
	n = snprintf(out, CGROUP_PATH_MAX, "%s%s%s", left,
		     cgroup_slash(left, c), c);
	return n < 0 || n >= CGROUP_PATH_MAX ? -ENAMETOOLONG : 0;
}

void cgroup_value(enum cgroup_kind kind, size_t i, const struct limits *limits,
		  unsigned memory_mb, char out[64])
{
	unsigned long quota = limits->cpu_percent *
			      (CGROUP_CPU_PERIOD_US / 100);

	if (i == CG_MEMORY)
		snprintf(out, 64, "%llu",
			 ((unsigned long long)memory_mb + limits->home_mb +
			  CGROUP_SLACK_MB) << 20);
	else if (i == CG_PIDS)
		snprintf(out, 64, "%u", limits->threads + 1);
	else if (kind == CGROUP_V2)
		snprintf(out, 64, "%lu %lu", quota, CGROUP_CPU_PERIOD_US);
	else
		snprintf(out, 64, "%lu", quota);
}

const char *cgroup_limit_file(enum cgroup_kind kind, size_t i)
{
	return kind == CGROUP_V2 ? cgroup_rows[i].limit_v2
				 : cgroup_rows[i].limit_v1;
}

void cgroup_slot_dir(const char *dir, unsigned slot, char *out)
{
	snprintf(out, CGROUP_PATH_MAX, "%.480s/slot-%u", dir, slot);
}

/* Kill what is in a group of an earlier run, so that it can be removed. */
static void cgroup_kill_members(const char *dir)
{
	char file[CGROUP_PATH_MAX];
	struct bytes list;

	if (cgroup_join(file, dir, "", "cgroup.procs") < 0 ||
	    io_read_file(AT_FDCWD, file, 1 << 20, &list) < 0)
		return;
	char *rest = list.data, *line;

	while ((line = strsep(&rest, "\n"))) {
		pid_t pid = atoi(line);

		if (pid > 1)
			kill(pid, SIGKILL);
	}
	free(list.data);
}

static int cgroup_rmdir(const char *dir)
{
	/* A killed process leaves its group a moment later. */
	for (int tries = 0; tries < 100; tries++) {
		if (rmdir(dir) == 0 || errno == ENOENT)
			return 0;
		if (errno != EBUSY)
			return -errno;
		cgroup_kill_members(dir);
		usleep(5000);
	}
	return -EBUSY;
}

static void cgroup_remove_dir(const char *dir)
{
	DIR *list = opendir(dir);
	struct dirent *entry;

	if (!list)
		return;
	while ((entry = readdir(list))) {
		char child[CGROUP_PATH_MAX];

		if (strncmp(entry->d_name, "slot-", 5) == 0 &&
		    cgroup_join(child, dir, "", entry->d_name) == 0)
			cgroup_rmdir(child);
	}
	closedir(list);
	cgroup_rmdir(dir);
}

/* ---- version 2: handing controllers down ------------------------------ */

/* The host's root group alone may hold processes beside groups that have
 * controllers, and has no type. */
static bool cgroup_at_top(const struct cgroup_host *host)
{
	char path[CGROUP_PATH_MAX];
	struct stat st;

	return cgroup_join(path, host->base, "", "cgroup.type") == 0 &&
	       stat(path, &st) < 0;
}

/* Move the calling process into LEAF of the group we were given, or back. */
static int cgroup_move(const struct cgroup_host *host, const char *leaf)
{
	char path[CGROUP_PATH_MAX];

	if (cgroup_join(path, host->base, leaf, "cgroup.procs") < 0)
		return -ENAMETOOLONG;
	return io_write_file(AT_FDCWD, path, "0");
}

static int cgroup_switch(const char *dir, char sign, const char *controller)
{
	char path[CGROUP_PATH_MAX], word[16];

	snprintf(word, sizeof(word), "%c%s", sign, controller);
	if (cgroup_join(path, dir, "", "cgroup.subtree_control") < 0)
		return -ENAMETOOLONG;
	return io_write_file(AT_FDCWD, path, word);
}

/* A group has a controller's files if it was handed down to it. */
static bool cgroup_was_handed(const struct cgroup_host *host, size_t i)
{
	char path[CGROUP_PATH_MAX];

	return cgroup_join(path, host->dirs[i], "",
			   cgroup_rows[i].limit_v2) == 0 &&
	       access(path, F_OK) == 0;
}

static int cgroup_enter_leaf(const struct cgroup_host *host)
{
	char path[CGROUP_PATH_MAX];

	if (cgroup_at_top(host))
		return 0;
	if (cgroup_join(path, host->base, "", CGROUP_LEAF) < 0)
		return -ENAMETOOLONG;
	if (mkdir(path, 0755) < 0 && errno != EEXIST)
		return -errno;
	return cgroup_move(host, CGROUP_LEAF);
}

/* As it was before. A process of ours that still dies keeps the leaf: the
 * group goes with its service. */
static void cgroup_take_back(const struct cgroup_host *host)
{
	char path[CGROUP_PATH_MAX];

	for (size_t i = 0; i < CGROUP_CONTROLLERS; i++)
		if (host->handed[i])
			cgroup_switch(host->base, '-', cgroup_rows[i].name);
	if (cgroup_at_top(host) || cgroup_move(host, "") < 0)
		return;
	if (cgroup_join(path, host->base, "", CGROUP_LEAF) == 0)
		rmdir(path);
}

/* Version 2 allows no processes in a group whose children have controllers:
 * the master, which is alone in its group, moves into a leaf first. */
static int cgroup_hand_down(struct cgroup_host *host)
{
	const char *ours = host->dirs[CG_MEMORY];
	int rc = cgroup_enter_leaf(host);

	if (rc < 0)
		return rc;
	if (mkdir(ours, 0755) < 0 && errno != EEXIST)
		return -errno;
	for (size_t i = 0; i < CGROUP_CONTROLLERS && rc == 0; i++) {
		if (!host->dirs[i][0])
			continue;
		bool had = cgroup_was_handed(host, i);

		rc = cgroup_switch(host->base, '+', cgroup_rows[i].name);
		host->handed[i] = rc == 0 && !had;
		if (rc == 0)
			rc = cgroup_switch(ours, '+', cgroup_rows[i].name);
	}
	return rc;
}

/* ---- the server's groups ---------------------------------------------- */

static void cgroup_sweep(const struct cgroup_host *host)
{
	for (size_t i = 0; i < CGROUP_CONTROLLERS; i++)
		if (host->dirs[i][0])
			cgroup_remove_dir(host->dirs[i]);
}

void cgroup_remove_master(const struct cgroup_host *host)
{
	cgroup_sweep(host);
	if (host->kind == CGROUP_V2)
		cgroup_take_back(host);
}

/* Where the host swaps, memory is not to be had that way either. Hosts that
 * do not count swap have no such file; version 1 couples it to the limit, in
 * an order that a limit which moves both ways cannot keep. */
static int cgroup_forbid_swap(enum cgroup_kind kind, const char *dir,
			      char *error)
{
	char file[CGROUP_PATH_MAX];

	if (kind != CGROUP_V2)
		return 0;
	if (cgroup_join(file, dir, "", "memory.swap.max") < 0)
		return -ENAMETOOLONG;
	snprintf(error, CGROUP_PATH_MAX, "write %.490s", file);
	int rc = io_write_file(AT_FDCWD, file, "0");

	return rc == -ENOENT ? 0 : rc;
}

static int cgroup_make_slot(const struct cgroup_host *host, size_t i,
			    const struct limits *limits, unsigned slot,
			    char *error)
{
	char dir[CGROUP_PATH_MAX], file[CGROUP_PATH_MAX], value[64];

	cgroup_slot_dir(host->dirs[i], slot, dir);
	snprintf(error, CGROUP_PATH_MAX, "make %.490s", dir);
	if (mkdir(dir, 0755) < 0 && errno != EEXIST)
		return -errno;
	cgroup_value(host->kind, i, limits, limits->memory_mb, value);
	if (cgroup_join(file, dir, "", cgroup_limit_file(host->kind, i)) < 0)
		return -ENAMETOOLONG;
	snprintf(error, CGROUP_PATH_MAX, "write %.490s", file);
	int rc = io_write_file(AT_FDCWD, file, value);

	return rc < 0 || i != CG_MEMORY
		       ? rc : cgroup_forbid_swap(host->kind, dir, error);
}

static int cgroup_make_slots(const struct cgroup_host *host, size_t i,
			     const struct limits *limits,
			     const struct cgroup_slots *slots, char *error)
{
	const unsigned count = slots->count + slots->sessions;
	struct limits session = *limits;
	int rc = 0;

	limits_for_session(&session, slots->session_copies);
	for (unsigned slot = 0; slot < count && rc == 0; slot++)
		rc = cgroup_make_slot(host, i,
				      slot < slots->count ? limits : &session,
				      slot, error);
	return rc;
}

static int cgroup_make_dir(struct cgroup_host *host, size_t i, char *error)
{
	struct stat st;

	snprintf(error, CGROUP_PATH_MAX, "make %.490s", host->dirs[i]);
	if (mkdir(host->dirs[i], 0755) < 0 && errno != EEXIST)
		return -errno;
	if (stat(host->dirs[i], &st) < 0)
		return -errno;
	host->made[i] = st.st_ino;
	return 0;
}

/* What all slots together may have. */
static int cgroup_limit_all(const struct cgroup_host *host, uint64_t memory_mb,
			    char *error)
{
	char file[CGROUP_PATH_MAX], value[64];

	if (memory_mb == 0)
		return 0;
	if (cgroup_join(file, host->dirs[CG_MEMORY], "",
			cgroup_limit_file(host->kind, CG_MEMORY)) < 0)
		return -ENAMETOOLONG;
	snprintf(error, CGROUP_PATH_MAX, "write %.490s", file);
	snprintf(value, sizeof(value), "%ju", (uintmax_t)memory_mb << 20);
	return io_write_file(AT_FDCWD, file, value);
}

int cgroup_mend(struct cgroup_host *host, const struct limits *limits,
		const struct cgroup_slots *slots, char error[CGROUP_PATH_MAX])
{
	bool handed[CGROUP_CONTROLLERS];
	int rc = 0;

	memcpy(handed, host->handed, sizeof(handed));
	if (host->kind == CGROUP_V2) {
		snprintf(error, CGROUP_PATH_MAX,
			 "hand controllers down from %.400s", host->base);
		rc = cgroup_hand_down(host);
	}
	for (size_t i = 0; i < CGROUP_CONTROLLERS && rc == 0; i++) {
		host->handed[i] |= handed[i]; /* by a call before this one */
		if (!host->dirs[i][0])
			continue;
		rc = cgroup_make_dir(host, i, error);
		if (rc == 0 && i == CG_MEMORY)
			rc = cgroup_limit_all(host, slots->memory_mb, error);
		if (rc == 0)
			rc = cgroup_make_slots(host, i, limits, slots, error);
	}
	return rc;
}

int cgroup_make_master(struct cgroup_host *host, const struct limits *limits,
		       const struct cgroup_slots *slots,
		       char error[CGROUP_PATH_MAX])
{
	cgroup_sweep(host);
	int rc = cgroup_mend(host, limits, slots, error);

	if (rc < 0)
		cgroup_remove_master(host);
	return rc;
}

/* A group has a link for each group in it, and one that was made anew is
 * another inode. */
bool cgroup_is_whole(const struct cgroup_host *host,
		     const struct cgroup_slots *slots)
{
	const nlink_t links = 2 + slots->count + slots->sessions;
	struct stat st;

	for (size_t i = 0; i < CGROUP_CONTROLLERS; i++)
		if (host->kind != CGROUP_NONE && host->dirs[i][0] &&
		    (stat(host->dirs[i], &st) < 0 ||
		     st.st_ino != host->made[i] || st.st_nlink < links))
			return false;
	return true;
}

/* ---- a start, and a trial of one --------------------------------------- */

/* Errors that say less than they mean here. */
static const struct {
	int rc;
	const char *words;
} cgroup_reasons[] = {
	{-EBUSY, "other processes are in that group, too"},
	{-EACCES, "it was not delegated to this user"},
	{-EPERM, "it was not delegated to this user"},
	{-EROFS, "it is mounted read-only"},
};

static const char *cgroup_reason(int rc)
{
	for (size_t i = 0; i < ARRAY_LEN(cgroup_reasons); i++)
		if (cgroup_reasons[i].rc == rc)
			return cgroup_reasons[i].words;
	return log_errno(rc);
}

struct cgroup_paths cgroup_here(const char *name)
{
	return (struct cgroup_paths){.sysfs = "/sys/fs/cgroup",
				     .proc = "/proc/self", .name = name};
}

const char *cgroup_advice(void)
{
	if (access("/run/systemd/system", F_OK) < 0)
		return "start it as the only process of a control group that "
		       "its user may divide";
	return geteuid() == 0
		       ? "start it as a service with Delegate=yes, or from a "
			 "shell as `systemd-run --scope -p Delegate=yes "
			 "terrariumd`"
		       : "start it as a service with Delegate=yes, or from a "
			 "shell as `systemd-run --user --scope -p "
			 "Delegate=yes terrariumd`";
}

int cgroup_begin(struct cgroup_host *host, const struct cgroup_paths *paths,
		 const struct limits *limits,
		 const struct cgroup_slots *slots)
{
	char error[CGROUP_PATH_MAX] = "";

	cgroup_probe(host, paths->sysfs, paths->proc, paths->name);
	if (host->kind == CGROUP_NONE)
		return -ENOENT;
	int rc = cgroup_make_master(host, limits, slots, error);

	if (rc < 0) {
		host->kind = CGROUP_NONE;
		snprintf(host->why, sizeof(host->why), "%.400s: %s", error,
			 cgroup_reason(rc));
	}
	return rc;
}

static int64_t cgroup_now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * INT64_C(1000000) + now.tv_nsec / 1000;
}

/* In a child: microseconds that it took to enter SLOT, or an error. Right
 * behind another entry, as the master's own into its leaf, the kernel's lock
 * would be taken still. */
static int64_t cgroup_time_entry(const struct cgroup_slot *slot)
{
	usleep(CGROUP_QUIET_US);
	int64_t begun = cgroup_now_us();
	int rc = cgroup_enter(slot);

	return rc < 0 ? rc : cgroup_now_us() - begun;
}

/* What a child says of its entry into SLOT. */
static int64_t cgroup_ask_child(const struct cgroup_slot *slot)
{
	int64_t took;
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -errno;
	owned_fd int in = ends[0], out = ends[1];
	pid_t pid = fork();

	if (pid < 0)
		return -errno;
	if (pid == 0) {
		took = cgroup_time_entry(slot);
		_exit(io_write_full(out, &took, sizeof(took)) < 0);
	}
	base_release_fd(&out);
	int rc = io_read_full(in, &took, sizeof(took));

	waitpid(pid, NULL, 0);
	return rc < 0 ? rc : took;
}

/* A child enters the only slot. */
static int64_t cgroup_try_slot(const struct cgroup_host *host)
{
	struct cgroup_slot slot;
	int rc = cgroup_open_zygote(host, 0, &slot);
	int64_t took = rc < 0 ? rc : cgroup_ask_child(&slot);

	cgroup_forget(&slot);
	return took;
}

static int64_t cgroup_try_all(struct cgroup_host *host,
			      const struct cgroup_paths *paths,
			      const struct limits *limits)
{
	const struct cgroup_slots one = {.count = 1};
	char name[CGROUP_NAME_MAX];
	const struct cgroup_paths trial = {
		.sysfs = paths->sysfs, .proc = paths->proc, .name = name};

	/* A server that runs already has the other name. */
	snprintf(name, sizeof(name), "%.64s.check-%d", paths->name, getpid());
	int64_t rc = cgroup_begin(host, &trial, limits, &one);

	if (rc < 0)
		return rc;
	rc = cgroup_try_slot(host);
	cgroup_remove_master(host);
	if (rc < 0) {
		host->kind = CGROUP_NONE;
		snprintf(host->why, sizeof(host->why), "enter %.400s: %s",
			 host->dirs[CG_MEMORY], cgroup_reason((int)rc));
	}
	return rc;
}

int64_t cgroup_try(struct cgroup_host *host, const struct cgroup_paths *paths,
		   const struct limits *limits)
{
	sigset_t all, before;

	/* A signal in between would leave the groups behind. */
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	int64_t rc = cgroup_try_all(host, paths, limits);

	sigprocmask(SIG_SETMASK, &before, NULL);
	return rc;
}

uint64_t cgroup_ceiling_mb(const struct cgroup_host *host)
{
	const char *name = cgroup_limit_file(host->kind, CG_MEMORY);
	char dir[CGROUP_PATH_MAX], file[CGROUP_PATH_MAX];
	uint64_t most = 0;
	char *slash;

	snprintf(dir, sizeof(dir), "%s", host->dirs[CG_MEMORY]);
	/* The group itself has its limit from us (cgroup_share_mb). */
	while ((slash = strrchr(dir, '/')) && slash > dir) {
		uint64_t bytes;

		*slash = '\0';
		if (cgroup_join(file, dir, "", name) < 0)
			break;
		owned_fd int fd = open(file, O_RDONLY | O_CLOEXEC);

		if (fd < 0)
			break;
		/* "max" is no number; version 1 has a huge one for it. */
		if (io_read_number(fd, &bytes) == 0 && bytes < CGROUP_ENDLESS &&
		    (most == 0 || bytes >> 20 < most))
			most = bytes >> 20;
	}
	return most;
}

uint64_t cgroup_share_mb(const struct cgroup_host *host, unsigned percent)
{
	const uint64_t ceiling = cgroup_ceiling_mb(host);
	struct sysinfo info;

	if (sysinfo(&info) < 0)
		return 0;
	uint64_t all = ((uint64_t)info.totalram * info.mem_unit) >> 20;

	if (ceiling > 0 && ceiling < all)
		all = ceiling;
	return all * percent / 100;
}
