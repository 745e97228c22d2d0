/* claim - see claim.h, fcntl(2). */
#include "claim.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sandbox/base/log.h"
#include "sandbox/base/digest.h"
#include "fcgi/sessions/registry.h"

#define CLAIM_PATH_MAX 64
/* Bytes of the file. A uid has the byte of its own number. A group's path has
 * one byte above all uids. */
#define CLAIM_GROUPS (INT64_C(1) << 40)
#define CLAIM_GROUPS_MASK ((UINT64_C(1) << 60) - 1)
#define CLAIM_RANGES (1 + CGROUP_CONTROLLERS)

struct claim_range {
	const char *what, *option;
	int64_t first, count; /* count 0: no claim */
};

static int64_t claim_byte(const char *path)
{
	return CLAIM_GROUPS + (int64_t)(digest_text(path) & CLAIM_GROUPS_MASK);
}

static void claim_ranges(const struct claim *claim,
			 struct claim_range ranges[CLAIM_RANGES])
{
	const struct conf *conf = claim->conf;

	ranges[0] = (struct claim_range){
		.what = "user ids", .option = "walls.uid_base",
		.first = conf->uid_base,
		.count = geteuid() != 0 ? 0
			 : 1 + (int64_t)conf_generations(conf) *
				   conf->workers +
			   registry_slots(&conf->sessions)};
	for (size_t i = 0; i < CGROUP_CONTROLLERS; i++) {
		const char *dir = claim->host->dirs[i];
		bool used = claim->host->kind != CGROUP_NONE && *dir;

		ranges[1 + i] = (struct claim_range){
			.what = "control group", .option = "walls.cgroup_name",
			.first = used ? claim_byte(dir) : 0, .count = used};
	}
}

static bool claim_is_own_dir(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && S_ISDIR(st.st_mode) &&
	       st.st_uid == geteuid() && !(st.st_mode & 022);
}

/* All servers of a user must find the same file, so the path does not depend on
 * the environment. */
static void claim_path(char path[CLAIM_PATH_MAX])
{
	char dir[CLAIM_PATH_MAX / 2];

	snprintf(dir, sizeof(dir), "/run/user/%u", geteuid());
	if (geteuid() == 0)
		snprintf(path, CLAIM_PATH_MAX, "/run/terrarium.lock");
	else if (claim_is_own_dir(dir))
		snprintf(path, CLAIM_PATH_MAX, "%s/terrarium.lock", dir);
	else
		snprintf(path, CLAIM_PATH_MAX, "/tmp/terrarium-%u.lock",
			 geteuid());
}

/* Open the lock file. It is never removed: a server that waits for its lock
 * would then lock a file without a name. It must be accessible to one user
 * only, because others could hold its locks. */
static int claim_open(char error[CLAIM_ERROR_MAX])
{
	char path[CLAIM_PATH_MAX];
	struct stat st = {0};

	claim_path(path);
	owned_fd int fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC,
			       0600);
	int rc = fd < 0 || fstat(fd, &st) < 0 ? -errno : 0;

	if (rc == 0 && (!S_ISREG(st.st_mode) || st.st_uid != geteuid() ||
			(st.st_mode & 077)))
		rc = -EPERM;
	if (rc == 0)
		return take_fd(&fd);
	snprintf(error, CLAIM_ERROR_MAX, "lock %s: %s", path,
		 rc == -EPERM ? "it is not a file of this user alone"
			      : log_errno(rc));
	return rc;
}

/* Is RANGE free? Returns 1, 0 with ERROR, or a negative errno value with
 * ERROR. */
static int claim_ask(int fd, const struct claim_range *range,
		     char error[CLAIM_ERROR_MAX])
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET,
			     .l_start = range->first, .l_len = range->count};
	char holder[48] = "a process that cannot be seen from here";

	if (fcntl(fd, F_GETLK, &lock) < 0) {
		snprintf(error, CLAIM_ERROR_MAX, "ask for a lock: %s",
			 log_errno(errno));
		return -errno;
	}
	if (lock.l_type == F_UNLCK)
		return 1;
	if (lock.l_pid > 0)
		snprintf(holder, sizeof(holder), "process %d", lock.l_pid);
	snprintf(error, CLAIM_ERROR_MAX,
		 "another server, %s, has the same %s: give this one another "
		 "%s",
		 holder, range->what, range->option);
	return 0;
}

static int claim_lock(int fd, const struct claim_range *range,
		      char error[CLAIM_ERROR_MAX])
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET,
			     .l_start = range->first, .l_len = range->count};

	/* The holder may end between the two calls; then try again. */
	for (int tries = 0; tries < 3; tries++) {
		if (fcntl(fd, F_SETLK, &lock) == 0)
			return 1;
		int rc = errno == EAGAIN || errno == EACCES
				 ? claim_ask(fd, range, error)
				 : -errno;

		if (rc <= 0)
			return rc;
	}
	snprintf(error, CLAIM_ERROR_MAX,
		 "another server is starting with the same %s: "
		 "change %s",
		 range->what, range->option);
	return 0;
}

static int claim_each(int fd, const struct claim *claim, bool take,
		      char error[CLAIM_ERROR_MAX])
{
	struct claim_range ranges[CLAIM_RANGES];
	int rc = 1;

	claim_ranges(claim, ranges);
	for (size_t i = 0; i < CLAIM_RANGES && rc > 0; i++)
		if (ranges[i].count > 0)
			rc = (take ? claim_lock : claim_ask)(fd, &ranges[i],
							     error);
	return rc;
}

int claim_take(const struct claim *claim, int *fd, char error[CLAIM_ERROR_MAX])
{
	/* Any close of the file by this process releases the locks. */
	*fd = claim_open(error);
	return *fd < 0 ? *fd : claim_each(*fd, claim, true, error);
}

void claim_release_groups(int fd)
{
	struct flock lock = {.l_type = F_UNLCK, .l_whence = SEEK_SET,
			     .l_start = CLAIM_GROUPS};

	if (fd >= 0 && fcntl(fd, F_SETLK, &lock) < 0)
		log_warn("release the name of control groups: %s",
			 log_errno(errno));
}

int claim_check(const struct claim *claim, char error[CLAIM_ERROR_MAX])
{
	owned_fd int fd = claim_open(error);

	return fd < 0 ? fd : claim_each(fd, claim, false, error);
}
