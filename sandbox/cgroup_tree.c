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

#include "io.h"

#define CGROUP_CPU_PERIOD_US 100000ul

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

void cgroup_remove_master(const struct cgroup_host *host)
{
	for (size_t i = 0; i < CGROUP_CONTROLLERS; i++)
		if (host->dirs[i][0])
			cgroup_remove_dir(host->dirs[i]);
}

/* Version 2 allows no processes in a group whose children have controllers:
 * move what is in ours (us) into a leaf. Only the host's root group is free
 * of that rule. */
static int cgroup_delegate_v2(const struct cgroup_host *host)
{
	char path[CGROUP_PATH_MAX];
	struct stat st;

	if (cgroup_join(path, host->base, "", "cgroup.type") == 0 &&
	    stat(path, &st) == 0) {
		if (cgroup_join(path, host->base, "", "server") < 0)
			return -ENAMETOOLONG;
		if (mkdir(path, 0755) < 0 && errno != EEXIST)
			return -errno;
		if (cgroup_join(path, host->base, "server",
				"cgroup.procs") < 0)
			return -ENAMETOOLONG;
		int rc = io_write_file(AT_FDCWD, path, "0");

		if (rc < 0)
			return rc;
	}
	const char *groups[] = {host->base, host->dirs[CG_MEMORY]};

	for (size_t g = 0; g < ARRAY_LEN(groups); g++)
		for (size_t i = 0; i < CGROUP_CONTROLLERS; i++) {
			char word[16];

			if (!host->dirs[i][0])
				continue;
			snprintf(word, sizeof(word), "+%s",
				 cgroup_rows[i].name);
			if (mkdir(groups[g], 0755) < 0 && errno != EEXIST)
				return -errno;
			if (cgroup_join(path, groups[g], "",
					"cgroup.subtree_control") < 0)
				return -ENAMETOOLONG;
			int rc = io_write_file(AT_FDCWD, path, word);

			if (rc < 0)
				return rc;
		}
	return 0;
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

int cgroup_make_master(struct cgroup_host *host, const struct limits *limits,
		       const struct cgroup_slots *slots,
		       char error[CGROUP_PATH_MAX])
{
	const unsigned count = slots->count + slots->sessions;
	struct limits session = *limits;
	int rc = 0;

	limits_for_session(&session, slots->session_copies);

	cgroup_remove_master(host);
	if (host->kind == CGROUP_V2) {
		snprintf(error, CGROUP_PATH_MAX,
			 "hand controllers down from %.400s", host->base);
		rc = cgroup_delegate_v2(host);
	}
	for (size_t i = 0; i < CGROUP_CONTROLLERS && rc == 0; i++) {
		if (!host->dirs[i][0])
			continue;
		snprintf(error, CGROUP_PATH_MAX, "make %.490s", host->dirs[i]);
		if (mkdir(host->dirs[i], 0755) < 0 && errno != EEXIST)
			rc = -errno;
		for (unsigned slot = 0; slot < count && rc == 0; slot++)
			rc = cgroup_make_slot(host, i,
					      slot < slots->count ? limits
								  : &session,
					      slot, error);
	}
	return rc;
}
