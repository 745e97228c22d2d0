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
#include <sys/wait.h>
#include <time.h>

#include "sandbox/base/io.h"
#include "sandbox/base/log.h"

#define CGROUP_LEAF "server" /* the master's own group, beside the guests' */
#define CGROUP_NAME_MAX 96
#define CGROUP_QUIET_US 200000 /* to wait before an entry is timed */

/* Kill the processes in a group of an earlier run, so that the group can be
 * removed. */
static void cgroup_tree_kill_members(const char *dir)
{
	char file[CGROUP_PATH_MAX];
	struct bytes list;

	if (cgroup_host_join(file, dir, "", "cgroup.procs") < 0 ||
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

static int cgroup_tree_rmdir(const char *dir)
{
	/* A killed process leaves its group a moment later. */
	for (int tries = 0; tries < 100; tries++) {
		if (rmdir(dir) == 0 || errno == ENOENT)
			return 0;
		if (errno != EBUSY)
			return -errno;
		cgroup_tree_kill_members(dir);
		usleep(5000);
	}
	return -EBUSY;
}

static void cgroup_tree_remove_dir(const char *dir)
{
	DIR *list = opendir(dir);
	struct dirent *entry;

	if (!list)
		return;
	while ((entry = readdir(list))) {
		char child[CGROUP_PATH_MAX];

		if (strncmp(entry->d_name, "slot-", 5) == 0 &&
		    cgroup_host_join(child, dir, "", entry->d_name) == 0)
			cgroup_tree_rmdir(child);
	}
	closedir(list);
	cgroup_tree_rmdir(dir);
}

/* ---- version 2: controllers of child groups --------------------------- */

/* Whether our group is the host's root group, which has no cgroup.type. Only
 * the root group may have both processes and children with controllers. */
static bool cgroup_tree_at_top(const struct cgroup_host *host)
{
	char path[CGROUP_PATH_MAX];
	struct stat st;

	return cgroup_host_join(path, host->base, "", "cgroup.type") == 0 &&
	       stat(path, &st) < 0;
}

/* Move the calling process into LEAF of the group we were given, or back. */
static int cgroup_tree_move(const struct cgroup_host *host, const char *leaf)
{
	char path[CGROUP_PATH_MAX];

	if (cgroup_host_join(path, host->base, leaf, "cgroup.procs") < 0)
		return -ENAMETOOLONG;
	return io_write_file(AT_FDCWD, path, "0");
}

static int cgroup_tree_switch(const char *dir, char sign,
			      const char *controller)
{
	char path[CGROUP_PATH_MAX], word[16];

	snprintf(word, sizeof(word), "%c%s", sign, controller);
	if (cgroup_host_join(path, dir, "", "cgroup.subtree_control") < 0)
		return -ENAMETOOLONG;
	return io_write_file(AT_FDCWD, path, word);
}

/* Whether the controller was enabled before: then its files exist in our
 * group. */
static bool cgroup_tree_was_handed(const struct cgroup_host *host, size_t i)
{
	char path[CGROUP_PATH_MAX];

	return cgroup_host_join(path, host->dirs[i], "",
				cgroup_controllers[i].limit_v2) == 0 &&
	       access(path, F_OK) == 0;
}

static int cgroup_tree_enter_leaf(const struct cgroup_host *host)
{
	char path[CGROUP_PATH_MAX];

	if (cgroup_tree_at_top(host))
		return 0;
	if (cgroup_host_join(path, host->base, "", CGROUP_LEAF) < 0)
		return -ENAMETOOLONG;
	if (mkdir(path, 0755) < 0 && errno != EEXIST)
		return -errno;
	return cgroup_tree_move(host, CGROUP_LEAF);
}

/* Undo cgroup_tree_hand_down(). The leaf stays if a process in it is still
 * exiting; then it vanishes with the service's group. */
static void cgroup_tree_take_back(const struct cgroup_host *host)
{
	char path[CGROUP_PATH_MAX];

	for (size_t i = 0; i < CGROUP_CONTROLLERS; i++)
		if (host->handed[i])
			cgroup_tree_switch(host->base, '-',
					   cgroup_controllers[i].name);
	if (cgroup_tree_at_top(host) || cgroup_tree_move(host, "") < 0)
		return;
	if (cgroup_host_join(path, host->base, "", CGROUP_LEAF) == 0)
		rmdir(path);
}

/* Enable the controllers for child groups. Version 2 allows no process in a
 * group if its children have controllers. So the master, which is alone in its
 * group, moves into a leaf first. */
static int cgroup_tree_hand_down(struct cgroup_host *host)
{
	const char *ours = host->dirs[CG_MEMORY];
	int rc = cgroup_tree_enter_leaf(host);

	if (rc < 0)
		return rc;
	if (mkdir(ours, 0755) < 0 && errno != EEXIST)
		return -errno;
	for (size_t i = 0; i < CGROUP_CONTROLLERS && rc == 0; i++) {
		if (!host->dirs[i][0])
			continue;
		bool had = cgroup_tree_was_handed(host, i);

		rc = cgroup_tree_switch(host->base, '+',
					cgroup_controllers[i].name);
		host->handed[i] = rc == 0 && !had;
		if (rc == 0)
			rc = cgroup_tree_switch(ours, '+',
						cgroup_controllers[i].name);
	}
	return rc;
}

/* ---- the server's groups ---------------------------------------------- */

static void cgroup_tree_sweep(const struct cgroup_host *host)
{
	for (size_t i = 0; i < CGROUP_CONTROLLERS; i++)
		if (host->dirs[i][0])
			cgroup_tree_remove_dir(host->dirs[i]);
}

void cgroup_tree_remove(const struct cgroup_host *host)
{
	cgroup_tree_sweep(host);
	if (host->kind == CGROUP_V2)
		cgroup_tree_take_back(host);
}

/* Allow no swap, so that swap does not extend the memory limit. A host that
 * does not count swap lacks the file. In version 1 the limit on memory and swap
 * must never be below the memory limit. Writing both in the right order is not
 * possible when the memory limit is raised and lowered. */
static int cgroup_tree_forbid_swap(enum cgroup_kind kind, const char *dir,
				   char *error)
{
	char file[CGROUP_PATH_MAX];

	if (kind != CGROUP_V2)
		return 0;
	if (cgroup_host_join(file, dir, "", "memory.swap.max") < 0)
		return -ENAMETOOLONG;
	snprintf(error, CGROUP_PATH_MAX, "write %.490s", file);
	int rc = io_write_file(AT_FDCWD, file, "0");

	return rc == -ENOENT ? 0 : rc;
}

static int cgroup_tree_make_slot(const struct cgroup_host *host, size_t i,
				 const struct limits *limits, unsigned slot,
				 char *error)
{
	char dir[CGROUP_PATH_MAX], file[CGROUP_PATH_MAX], value[64];

	cgroup_host_slot_dir(host->dirs[i], slot, dir);
	snprintf(error, CGROUP_PATH_MAX, "make %.490s", dir);
	if (mkdir(dir, 0755) < 0 && errno != EEXIST)
		return -errno;
	cgroup_limit_value(host->kind, i, limits, limits->memory_mb, value);
	if (cgroup_host_join(file, dir, "",
			     cgroup_host_limit_file(host->kind, i)) < 0)
		return -ENAMETOOLONG;
	snprintf(error, CGROUP_PATH_MAX, "write %.490s", file);
	int rc = io_write_file(AT_FDCWD, file, value);

	return rc < 0 || i != CG_MEMORY
		       ? rc
		       : cgroup_tree_forbid_swap(host->kind, dir, error);
}

static int cgroup_tree_make_slots(const struct cgroup_host *host, size_t i,
				  const struct limits *limits,
				  const struct cgroup_slots *slots, char *error)
{
	const unsigned count = slots->count + slots->sessions;
	struct limits session = *limits;
	int rc = 0;

	limits_for_session(&session, slots->session_copies);
	for (unsigned slot = 0; slot < count && rc == 0; slot++)
		rc = cgroup_tree_make_slot(
			host, i, slot < slots->count ? limits : &session, slot,
			error);
	return rc;
}

static int cgroup_tree_make_dir(struct cgroup_host *host, size_t i, char *error)
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

/* Set the memory limit of all slots together. */
static int cgroup_tree_limit_all(const struct cgroup_host *host,
				 uint64_t memory_mb, char *error)
{
	char file[CGROUP_PATH_MAX], value[64];

	if (memory_mb == 0)
		return 0;
	if (cgroup_host_join(file, host->dirs[CG_MEMORY], "",
			     cgroup_host_limit_file(host->kind, CG_MEMORY)) < 0)
		return -ENAMETOOLONG;
	snprintf(error, CGROUP_PATH_MAX, "write %.490s", file);
	snprintf(value, sizeof(value), "%ju", (uintmax_t)memory_mb << 20);
	return io_write_file(AT_FDCWD, file, value);
}

int cgroup_tree_mend(struct cgroup_host *host, const struct limits *limits,
		     const struct cgroup_slots *slots,
		     char error[CGROUP_PATH_MAX])
{
	bool handed[CGROUP_CONTROLLERS];
	int rc = 0;

	memcpy(handed, host->handed, sizeof(handed));
	if (host->kind == CGROUP_V2) {
		snprintf(error, CGROUP_PATH_MAX,
			 "hand controllers down from %.400s", host->base);
		rc = cgroup_tree_hand_down(host);
	}
	for (size_t i = 0; i < CGROUP_CONTROLLERS && rc == 0; i++) {
		host->handed[i] |= handed[i]; /* by an earlier call */
		if (!host->dirs[i][0])
			continue;
		rc = cgroup_tree_make_dir(host, i, error);
		if (rc == 0 && i == CG_MEMORY)
			rc = cgroup_tree_limit_all(host, slots->memory_mb,
						   error);
		if (rc == 0)
			rc = cgroup_tree_make_slots(host, i, limits, slots,
						    error);
	}
	return rc;
}

int cgroup_tree_make(struct cgroup_host *host, const struct limits *limits,
		     const struct cgroup_slots *slots,
		     char error[CGROUP_PATH_MAX])
{
	cgroup_tree_sweep(host);
	int rc = cgroup_tree_mend(host, limits, slots, error);

	if (rc < 0)
		cgroup_tree_remove(host);
	return rc;
}

/* The link count of a group counts its child groups. A group that was made
 * again has another inode number. */
bool cgroup_tree_is_whole(const struct cgroup_host *host,
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

/* Errors that mean something more specific here. */
static const struct {
	int rc;
	const char *words;
} cgroup_tree_reasons[] = {
	{-EBUSY, "other processes are in that group"},
	{-EACCES, "it was not delegated to this user"},
	{-EPERM, "it was not delegated to this user"},
	{-EROFS, "it is mounted read-only"},
};

static const char *cgroup_tree_reason(int rc)
{
	for (size_t i = 0; i < ARRAY_LEN(cgroup_tree_reasons); i++)
		if (cgroup_tree_reasons[i].rc == rc)
			return cgroup_tree_reasons[i].words;
	return log_errno(rc);
}

const char *cgroup_tree_advice(void)
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

int cgroup_tree_begin(struct cgroup_host *host,
		      const struct cgroup_paths *paths,
		      const struct limits *limits,
		      const struct cgroup_slots *slots)
{
	char error[CGROUP_PATH_MAX] = "";

	cgroup_host_probe(host, paths);
	if (host->kind == CGROUP_NONE)
		return -ENOENT;
	int rc = cgroup_tree_make(host, limits, slots, error);

	if (rc < 0) {
		host->kind = CGROUP_NONE;
		snprintf(host->why, sizeof(host->why), "%.400s: %s", error,
			 cgroup_tree_reason(rc));
	}
	return rc;
}

static int64_t cgroup_tree_now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * INT64_C(1000000) + now.tv_nsec / 1000;
}

/* In a child: the microseconds that it took to enter SLOT, or a negative errno
 * value. It waits first, because the kernel's lock is still held for a while
 * after another entry, such as the master's into its leaf. */
static int64_t cgroup_tree_time_entry(const struct cgroup_slot *slot)
{
	usleep(CGROUP_QUIET_US);
	int64_t begun = cgroup_tree_now_us();
	int rc = cgroup_enter(slot);

	return rc < 0 ? rc : cgroup_tree_now_us() - begun;
}

/* Have a child enter SLOT; the result is that of cgroup_tree_time_entry(). */
static int64_t cgroup_tree_ask_child(const struct cgroup_slot *slot)
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
		took = cgroup_tree_time_entry(slot);
		_exit(io_write_full(out, &took, sizeof(took)) < 0);
	}
	base_release_fd(&out);
	int rc = io_read_full(in, &took, sizeof(took));

	waitpid(pid, NULL, 0);
	return rc < 0 ? rc : took;
}

/* A child enters the only slot. */
static int64_t cgroup_tree_try_slot(const struct cgroup_host *host)
{
	struct cgroup_slot slot;
	int rc = cgroup_open(host, 0, &slot);
	int64_t took = rc < 0 ? rc : cgroup_tree_ask_child(&slot);

	cgroup_forget(&slot);
	return took;
}

static int64_t cgroup_tree_try_all(struct cgroup_host *host,
				   const struct cgroup_paths *paths,
				   const struct limits *limits)
{
	const struct cgroup_slots one = {.count = 1};
	char name[CGROUP_NAME_MAX];
	const struct cgroup_paths trial = {
		.sysfs = paths->sysfs, .proc = paths->proc, .name = name};

	/* A running server has the group without this suffix. */
	snprintf(name, sizeof(name), "%.64s.check-%d", paths->name, getpid());
	int64_t rc = cgroup_tree_begin(host, &trial, limits, &one);

	if (rc < 0)
		return rc;
	rc = cgroup_tree_try_slot(host);
	cgroup_tree_remove(host);
	if (rc < 0) {
		host->kind = CGROUP_NONE;
		snprintf(host->why, sizeof(host->why), "enter %.400s: %s",
			 host->dirs[CG_MEMORY], cgroup_tree_reason((int)rc));
	}
	return rc;
}

int64_t cgroup_tree_try(struct cgroup_host *host,
			const struct cgroup_paths *paths,
			const struct limits *limits)
{
	sigset_t all, before;

	/* A signal that ends us would leave the groups behind. */
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	int64_t rc = cgroup_tree_try_all(host, paths, limits);

	sigprocmask(SIG_SETMASK, &before, NULL);
	return rc;
}
