/* cgroup - see cgroup.h, cgroups(7), and the kernel's cgroup-v2.rst. */
#include "cgroup.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "io.h"

enum { CG_MEMORY, CG_PIDS, CG_CPU };

/*
 * The controllers, and what their files are called. To add one, give it a
 * row, and a value in cgroup_values(). A controller that is not needed may
 * be missing on a host.
 */
static const struct cgroup_row {
	const char *name;
	const char *limit_v1, *limit_v2;
	bool needed;
} cgroup_rows[CGROUP_CONTROLLERS] = {
	[CG_MEMORY] = {"memory", "memory.limit_in_bytes", "memory.max", true},
	[CG_PIDS] = {"pids", "pids.max", "pids.max", true},
	[CG_CPU] = {"cpu", "cpu.cfs_quota_us", "cpu.max", false},
};

static const struct {
	const char *events, *peak;
} cgroup_memory_files[] = {
	[CGROUP_V1] = {"memory.oom_control", "memory.max_usage_in_bytes"},
	[CGROUP_V2] = {"memory.events", "memory.peak"},
};

#define CGROUP_CPU_PERIOD_US 100000ul

static bool cgroup_has_word(const char *text, const char *word, char end)
{
	size_t size = strlen(word);

	for (const char *at = text; (at = strstr(at, word)); at += size)
		if ((at == text || strchr(" ,:", at[-1])) &&
		    strchr(end ? (char[]){end, ' ', ',', '\n', 0} : " ,\n",
			   at[size]))
			return true;
	return false;
}

/* The group this process is in, from /proc/self/cgroup: the line of
 * CONTROLLER, or of version 2 for NULL. */
static int cgroup_own(const char *lines, const char *controller, char *out)
{
	for (const char *line = lines; *line;) {
		const char *end = strchrnul(line, '\n');
		const char *names = strchr(line, ':');
		const char *path = names ? strchr(names + 1, ':') : NULL;

		if (path && path < end) {
			char list[CGROUP_PATH_MAX];

			snprintf(list, sizeof(list), "%.*s",
				 (int)(path - names - 1), names + 1);
			if (controller ? cgroup_has_word(list, controller, '\0')
				       : !*list) {
				snprintf(out, CGROUP_PATH_MAX, "%.*s",
					 (int)(end - path - 1), path + 1);
				return 0;
			}
		}
		line = *end ? end + 1 : end;
	}
	return -ENOENT;
}

/* A "/" between two names, but one only. */
static const char *cgroup_slash(const char *left, const char *right)
{
	size_t size = strlen(left);

	return !*left || !*right || left[size - 1] == '/' || *right == '/'
		       ? "" : "/";
}

/* A, B and C as one path; B or C may be "". */
static int cgroup_join(char *out, const char *a, const char *b, const char *c)
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

/* A group that is not below our mount (a cgroup namespace's, a container's)
 * leaves the top of the mount. */
static int cgroup_locate(const char *mount, const char *own, const char *name,
			 char *base, char *dir)
{
	struct stat st;

	if (cgroup_join(base, mount, own, "") < 0 || stat(base, &st) < 0)
		if (cgroup_join(base, mount, "/", "") < 0)
			return -ENAMETOOLONG;
	return cgroup_join(dir, base, "", name);
}

static bool cgroup_probe_v2(struct cgroup_host *host, const char *sysfs,
			    const char *lines, const char *name)
{
	char own[CGROUP_PATH_MAX];
	struct bytes have;
	owned_free char *text = NULL;
	char file[CGROUP_PATH_MAX];

	if (cgroup_own(lines, NULL, own) < 0 ||
	    cgroup_locate(sysfs, own, name, host->base, host->dirs[0]) < 0 ||
	    cgroup_join(file, host->base, "", "cgroup.controllers") < 0 ||
	    io_read_file(AT_FDCWD, file, 4096, &have) < 0)
		return false;
	text = have.data;
	for (size_t i = 0; i < CGROUP_CONTROLLERS; i++) {
		bool there = cgroup_has_word(text, cgroup_rows[i].name, '\0');

		if (!there && cgroup_rows[i].needed)
			return false;
		if (!there)
			host->dirs[i][0] = '\0';
		else if (i > 0)
			memcpy(host->dirs[i], host->dirs[0], CGROUP_PATH_MAX);
	}
	return true;
}

static bool cgroup_probe_v1(struct cgroup_host *host, const char *sysfs,
			    const char *lines, const char *name)
{
	for (size_t i = 0; i < CGROUP_CONTROLLERS; i++) {
		char own[CGROUP_PATH_MAX], mount[CGROUP_PATH_MAX];
		char base[CGROUP_PATH_MAX];
		struct stat st;

		host->dirs[i][0] = '\0';
		if (cgroup_own(lines, cgroup_rows[i].name, own) == 0 &&
		    cgroup_join(mount, sysfs, "", cgroup_rows[i].name) == 0 &&
		    stat(mount, &st) == 0 &&
		    cgroup_locate(mount, own, name, base,
				  host->dirs[i]) == 0)
			continue;
		if (!cgroup_rows[i].needed)
			continue;
		snprintf(host->why, sizeof(host->why),
			 "no %s controller, of version 2 or 1, below %s",
			 cgroup_rows[i].name, sysfs);
		return false;
	}
	return true;
}

void cgroup_probe(struct cgroup_host *host, const char *sysfs,
		  const char *proc, const char *name)
{
	char file[CGROUP_PATH_MAX];
	struct bytes lines = {0};

	*host = (struct cgroup_host){.kind = CGROUP_NONE};
	if (cgroup_join(file, proc, "", "cgroup") < 0 ||
	    io_read_file(AT_FDCWD, file, 65536, &lines) < 0) {
		snprintf(host->why, sizeof(host->why), "cannot read %.400s",
			 file);
		return;
	}
	if (cgroup_probe_v2(host, sysfs, lines.data, name))
		host->kind = CGROUP_V2;
	else if (cgroup_probe_v1(host, sysfs, lines.data, name))
		host->kind = CGROUP_V1;
	free(lines.data);
}

/* ---- master ---------------------------------------------------------- */

/* What goes into the limit file of controller I; tmpfs pages count as the
 * guest's memory, so its home is added. */
static void cgroup_value(enum cgroup_kind kind, size_t i,
			 const struct limits *limits, unsigned memory_mb,
			 char out[64])
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

static const char *cgroup_limit_file(enum cgroup_kind kind, size_t i)
{
	return kind == CGROUP_V2 ? cgroup_rows[i].limit_v2
				 : cgroup_rows[i].limit_v1;
}

static void cgroup_slot_dir(const char *dir, unsigned slot, char *out)
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

/* ---- zygote, guest, worker ------------------------------------------- */

void cgroup_slot_none(struct cgroup_slot *slot)
{
	*slot = (struct cgroup_slot){.events = -1, .peak = -1, .limit = -1};
	for (size_t i = 0; i < CGROUP_CONTROLLERS; i++)
		slot->procs[i] = -1;
}

static int cgroup_open(const char *dir, const char *name, int flags)
{
	char file[CGROUP_PATH_MAX];

	if (cgroup_join(file, dir, "", name) < 0)
		return -ENAMETOOLONG;
	int fd = open(file, flags | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

int cgroup_open_zygote(const struct cgroup_host *host, unsigned slot,
		       struct cgroup_slot *out)
{
	char dir[CGROUP_PATH_MAX];

	cgroup_slot_none(out);
	if (host->kind == CGROUP_NONE)
		return 0;
	for (size_t i = 0; i < CGROUP_CONTROLLERS; i++) {
		/* One group of version 2 is entered once for all. */
		if (!host->dirs[i][0] || (host->kind == CGROUP_V2 && i > 0))
			continue;
		cgroup_slot_dir(host->dirs[i], slot, dir);
		out->procs[i] = cgroup_open(dir, "cgroup.procs", O_WRONLY);
		if (out->procs[i] < 0)
			return out->procs[i];
	}
	cgroup_slot_dir(host->dirs[CG_MEMORY], slot, dir);
	out->events = cgroup_open(dir, cgroup_memory_files[host->kind].events,
				  O_RDONLY);
	out->limit = cgroup_open(dir, cgroup_limit_file(host->kind, CG_MEMORY),
				 O_WRONLY);
	/* Before Linux 5.19 version 2 keeps no peak; before 6.12 it cannot
	 * be reset. */
	out->peak = cgroup_open(dir, cgroup_memory_files[host->kind].peak,
				O_RDWR);
	return out->events < 0 ? out->events : out->limit < 0 ? out->limit : 0;
}

void cgroup_keep_entry(struct cgroup_slot *slot)
{
	base_release_fd(&slot->events);
	base_release_fd(&slot->peak);
	base_release_fd(&slot->limit);
}

int cgroup_enter(const struct cgroup_slot *slot)
{
	for (size_t i = 0; i < CGROUP_CONTROLLERS; i++)
		if (slot->procs[i] >= 0 && write(slot->procs[i], "0", 1) < 0)
			return -errno;
	return 0;
}

int cgroup_reset(const struct cgroup_slot *slot, const struct limits *limits,
		 unsigned memory_mb)
{
	char value[64];

	if (slot->limit < 0)
		return 0;
	/* Refused only by kernels that keep no peak that can be reset. */
	if (slot->peak >= 0 && pwrite(slot->peak, "0", 1, 0) < 0 &&
	    errno != EINVAL)
		return -errno;
	cgroup_value(CGROUP_V1, CG_MEMORY, limits, memory_mb, value);
	if (pwrite(slot->limit, value, strlen(value), 0) < 0)
		return -errno;
	return 0;
}

uint64_t cgroup_memory_kills(const struct cgroup_slot *slot)
{
	char text[512];
	ssize_t n = slot->events < 0
			    ? 0 : pread(slot->events, text, sizeof(text) - 1, 0);

	if (n <= 0)
		return 0;
	text[n] = '\0';
	char *row = strstr(text, "oom_kill ");

	return row ? strtoull(row + 9, NULL, 10) : 0;
}

uint64_t cgroup_peak_kb(const struct cgroup_slot *slot)
{
	uint64_t peak;

	if (slot->peak < 0 || io_read_number(slot->peak, &peak) < 0)
		return 0;
	return peak >> 10;
}
