/* cgroup_host - see cgroup_host.h, cgroups(7). */
#include "cgroup_host.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>

#include "sandbox/base/io.h"

#define CGROUP_ENDLESS (UINT64_C(1) << 62) /* bytes */

const struct cgroup_controller cgroup_controllers[CGROUP_CONTROLLERS] = {
	[CG_MEMORY] = {"memory", "memory.limit_in_bytes", "memory.max", true},
	[CG_PIDS] = {"pids", "pids.max", "pids.max", true},
	[CG_CPU] = {"cpu", "cpu.cfs_quota_us", "cpu.max", false},
};

/* ---- paths ----------------------------------------------------------- */

/* "/" if LEFT and RIGHT need one between them, else "". */
static const char *cgroup_host_slash(const char *left, const char *right)
{
	size_t size = strlen(left);

	return !*left || !*right || left[size - 1] == '/' || *right == '/'
		       ? ""
		       : "/";
}

int cgroup_host_join(char *out, const char *a, const char *b, const char *c)
{
	char left[CGROUP_PATH_MAX];
	int n = snprintf(left, sizeof(left), "%s%s%s", a,
			 cgroup_host_slash(a, b), b);

	if (n < 0 || n >= CGROUP_PATH_MAX)
		return -ENAMETOOLONG;
	n = snprintf(out, CGROUP_PATH_MAX, "%s%s%s", left,
		     cgroup_host_slash(left, c), c);
	return n < 0 || n >= CGROUP_PATH_MAX ? -ENAMETOOLONG : 0;
}

const char *cgroup_host_limit_file(enum cgroup_kind kind, size_t i)
{
	return kind == CGROUP_V2 ? cgroup_controllers[i].limit_v2
				 : cgroup_controllers[i].limit_v1;
}

void cgroup_host_slot_dir(const char *dir, unsigned slot, char *out)
{
	snprintf(out, CGROUP_PATH_MAX, "%.480s/slot-%u", dir, slot);
}

/* ---- the probe ------------------------------------------------------- */

static bool cgroup_host_has_word(const char *text, const char *word, char end)
{
	size_t size = strlen(word);
	/* A variable, because strchr() is a macro in glibc 2.43, and a comma
	 * would end its argument. */
	const char ends[] = {end, ' ', ',', '\n', '\0'};

	for (const char *at = text; (at = strstr(at, word)); at += size)
		if ((at == text || strchr(" ,:", at[-1])) &&
		    strchr(end ? ends : ends + 1, at[size]))
			return true;
	return false;
}

/* Write the path of this process's group to OUT, from LINES, the text of
 * /proc/self/cgroup. CONTROLLER is of version 1; NULL: version 2. */
static int cgroup_host_own(const char *lines, const char *controller, char *out)
{
	for (const char *line = lines; *line;) {
		const char *end = strchrnul(line, '\n');
		const char *names = strchr(line, ':');
		const char *path = names ? strchr(names + 1, ':') : NULL;

		if (path && path < end) {
			char list[CGROUP_PATH_MAX];

			snprintf(list, sizeof(list), "%.*s",
				 (int)(path - names - 1), names + 1);
			if (controller ? cgroup_host_has_word(list, controller,
							      '\0')
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

/* Find the directory of the group OWN below MOUNT. A group that is not below
 * our mount, as in a container or a cgroup namespace, gives the top of the
 * mount. */
static int cgroup_host_locate(const char *mount, const char *own,
			      const char *name, char *base, char *dir)
{
	struct stat st;

	if (cgroup_host_join(base, mount, own, "") < 0 || stat(base, &st) < 0)
		if (cgroup_host_join(base, mount, "/", "") < 0)
			return -ENAMETOOLONG;
	return cgroup_host_join(dir, base, "", name);
}

static bool cgroup_host_find_v2(struct cgroup_host *host, const char *sysfs,
				const char *lines, const char *name)
{
	char own[CGROUP_PATH_MAX];
	struct bytes have;
	owned_free char *text = NULL;
	char file[CGROUP_PATH_MAX];

	if (cgroup_host_own(lines, NULL, own) < 0 ||
	    cgroup_host_locate(sysfs, own, name, host->base, host->dirs[0]) <
		    0 ||
	    cgroup_host_join(file, host->base, "", "cgroup.controllers") < 0 ||
	    io_read_file(AT_FDCWD, file, 4096, &have) < 0)
		return false;
	text = have.data;
	for (size_t i = 0; i < CGROUP_CONTROLLERS; i++) {
		bool there = cgroup_host_has_word(
			text, cgroup_controllers[i].name, '\0');

		if (!there && cgroup_controllers[i].needed) {
			snprintf(host->why, sizeof(host->why),
				 "%.400s has no %s controller", host->base,
				 cgroup_controllers[i].name);
			return false;
		}
		if (!there)
			host->dirs[i][0] = '\0';
		else if (i > 0)
			memcpy(host->dirs[i], host->dirs[0], CGROUP_PATH_MAX);
	}
	return true;
}

static bool cgroup_host_find_v1(struct cgroup_host *host, const char *sysfs,
				const char *lines, const char *name)
{
	for (size_t i = 0; i < CGROUP_CONTROLLERS; i++) {
		char own[CGROUP_PATH_MAX], mount[CGROUP_PATH_MAX];
		char base[CGROUP_PATH_MAX];
		struct stat st;

		host->dirs[i][0] = '\0';
		if (cgroup_host_own(lines, cgroup_controllers[i].name, own) ==
			    0 &&
		    cgroup_host_join(mount, sysfs, "",
				     cgroup_controllers[i].name) == 0 &&
		    stat(mount, &st) == 0 &&
		    cgroup_host_locate(mount, own, name, base, host->dirs[i]) ==
			    0)
			continue;
		if (!cgroup_controllers[i].needed)
			continue;
		if (!*host->why) /* no reason from version 2 */
			snprintf(host->why, sizeof(host->why),
				 "no %s controller, of version 2 or 1, below "
				 "%s",
				 cgroup_controllers[i].name, sysfs);
		return false;
	}
	return true;
}

static void cgroup_host_parent(const char *dir, char *out)
{
	snprintf(out, CGROUP_PATH_MAX, "%s", dir);
	*strrchr(out, '/') = '\0';
}

void cgroup_host_probe(struct cgroup_host *host,
		       const struct cgroup_paths *paths)
{
	const char *sysfs = paths->sysfs, *name = paths->name;
	char file[CGROUP_PATH_MAX];
	struct bytes lines = {0};

	*host = (struct cgroup_host){.kind = CGROUP_NONE};
	if (cgroup_host_join(file, paths->proc, "", "cgroup") < 0 ||
	    io_read_file(AT_FDCWD, file, 65536, &lines) < 0) {
		snprintf(host->why, sizeof(host->why), "cannot read %.400s",
			 file);
		return;
	}
	if (cgroup_host_find_v2(host, sysfs, lines.data, name))
		host->kind = CGROUP_V2;
	else if (cgroup_host_find_v1(host, sysfs, lines.data, name))
		host->kind = CGROUP_V1;
	if (host->kind == CGROUP_V1)
		cgroup_host_parent(host->dirs[CG_MEMORY], host->base);
	free(lines.data);
}

struct cgroup_paths cgroup_host_paths(const char *name)
{
	return (struct cgroup_paths){
		.sysfs = "/sys/fs/cgroup", .proc = "/proc/self", .name = name};
}

/* ---- memory ---------------------------------------------------------- */

uint64_t cgroup_host_ceiling_mb(const struct cgroup_host *host)
{
	const char *name = cgroup_host_limit_file(host->kind, CG_MEMORY);
	char dir[CGROUP_PATH_MAX], file[CGROUP_PATH_MAX];
	uint64_t most = 0;
	char *slash;

	snprintf(dir, sizeof(dir), "%s", host->dirs[CG_MEMORY]);
	/* Begin above the group, because we have set its own limit. */
	while ((slash = strrchr(dir, '/')) && slash > dir) {
		uint64_t bytes;

		*slash = '\0';
		if (cgroup_host_join(file, dir, "", name) < 0)
			break;
		owned_fd int fd = open(file, O_RDONLY | O_CLOEXEC);

		if (fd < 0)
			break;
		/* No limit is "max", or a huge number in version 1. */
		if (io_read_number(fd, &bytes) == 0 && bytes < CGROUP_ENDLESS &&
		    (most == 0 || bytes >> 20 < most))
			most = bytes >> 20;
	}
	return most;
}

uint64_t cgroup_host_share_mb(const struct cgroup_host *host, unsigned percent)
{
	const uint64_t ceiling = cgroup_host_ceiling_mb(host);
	struct sysinfo info;

	if (sysinfo(&info) < 0)
		return 0;
	uint64_t all = ((uint64_t)info.totalram * info.mem_unit) >> 20;

	if (ceiling > 0 && ceiling < all)
		all = ceiling;
	return all * percent / 100;
}
