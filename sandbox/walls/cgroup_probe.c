/* cgroup_probe - what this host has of control groups; see cgroup.h,
 * cgroups(7). */
#include "cgroup_tree.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "sandbox/base/io.h"

static bool cgroup_has_word(const char *text, const char *word, char end)
{
	size_t size = strlen(word);
	/* A variable: in glibc 2.43 strchr() is a macro, which commas end. */
	const char ends[] = {end, ' ', ',', '\n', '\0'};

	for (const char *at = text; (at = strstr(at, word)); at += size)
		if ((at == text || strchr(" ,:", at[-1])) &&
		    strchr(end ? ends : ends + 1, at[size]))
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

		if (!there && cgroup_rows[i].needed) {
			snprintf(host->why, sizeof(host->why),
				 "%.400s has no %s controller", host->base,
				 cgroup_rows[i].name);
			return false;
		}
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
		if (!*host->why) /* version 2 has said nothing */
			snprintf(host->why, sizeof(host->why),
				 "no %s controller, of version 2 or 1, below "
				 "%s", cgroup_rows[i].name, sysfs);
		return false;
	}
	return true;
}

static void cgroup_parent(const char *dir, char *out)
{
	snprintf(out, CGROUP_PATH_MAX, "%s", dir);
	*strrchr(out, '/') = '\0';
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
	if (host->kind == CGROUP_V1)
		cgroup_parent(host->dirs[CG_MEMORY], host->base);
	free(lines.data);
}
