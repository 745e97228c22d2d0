/* namespaces - see namespaces.h, user_namespaces(7). */
#include "namespaces.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/wait.h>

#include "sandbox/base/io.h"

#define NAMESPACES_SHARED                                                    \
	(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC |         \
	 CLONE_NEWUTS | CLONE_NEWCGROUP)

uid_t identities_guest(const struct identities *who, unsigned slot)
{
	return who->separate ? who->guest_first + slot : who->guest_first;
}

/* Maps of several lines can be written only from outside, by a process that
 * still is root there. */
struct namespaces_mapper {
	pid_t pid;
	int go;
};

static int namespaces_write_maps(pid_t target, uid_t base, unsigned slots)
{
	char path[64], map[128];
	const char *names[] = {"uid_map", "gid_map"};

	snprintf(map, sizeof(map), "0 %u 1\n%u %u %u\n", base, IDENTITY_GUEST,
		 base + 1, slots);
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		snprintf(path, sizeof(path), "/proc/%d/%s", target, names[i]);
		int rc = io_write_file(AT_FDCWD, path, map);

		if (rc < 0)
			return rc;
	}
	return 0;
}

static int namespaces_start_mapper(uid_t base, unsigned slots,
				   struct namespaces_mapper *mapper)
{
	int go[2];
	pid_t parent = getpid();

	if (pipe2(go, O_CLOEXEC) < 0)
		return -errno;
	mapper->pid = fork();
	if (mapper->pid == 0) {
		char byte;

		close(go[1]);
		if (io_read_full(go[0], &byte, 1) < 0)
			_exit(ECANCELED);
		_exit(-namespaces_write_maps(parent, base, slots));
	}
	close(go[0]);
	mapper->go = go[1];
	return mapper->pid < 0 ? -errno : 0;
}

static int namespaces_finish_mapper(struct namespaces_mapper *mapper, bool go)
{
	int status = 0;
	int rc = go ? io_write_full(mapper->go, "g", 1) : 0;

	close(mapper->go);
	while (waitpid(mapper->pid, &status, 0) < 0 && errno == EINTR)
		;
	if (rc < 0)
		return rc;
	return WIFEXITED(status) ? -WEXITSTATUS(status) : -ECHILD;
}

static int namespaces_enter_root(uid_t base, unsigned slots,
				 const char **step)
{
	struct namespaces_mapper mapper = {.pid = -1, .go = -1};

	*step = "start the process that writes the uid maps";
	int rc = namespaces_start_mapper(base, slots, &mapper);

	if (rc < 0)
		return rc;
	*step = "leave supplementary groups";
	rc = setgroups(0, NULL) < 0 ? -errno : 0;
	if (rc == 0) {
		*step = "enter the shared namespaces";
		rc = unshare(NAMESPACES_SHARED) < 0 ? -errno : 0;
	}
	int mapped = namespaces_finish_mapper(&mapper, rc == 0);

	if (rc < 0)
		return rc;
	*step = "map the uids of workers and guests";
	return mapped;
}

static int namespaces_enter_user(const char **step)
{
	uid_t uid = geteuid();
	gid_t gid = getegid();
	char uid_map[64], gid_map[64];

	snprintf(uid_map, sizeof(uid_map), "%u %u 1\n", IDENTITY_GUEST, uid);
	snprintf(gid_map, sizeof(gid_map), "%u %u 1\n", IDENTITY_GUEST, gid);
	*step = "enter the shared namespaces (are unprivileged user "
		"namespaces switched off on this host?)";
	if (unshare(NAMESPACES_SHARED) < 0)
		return -errno;
	*step = "map the uid";
	int rc = io_write_file(AT_FDCWD, "/proc/self/setgroups", "deny");

	if (rc == 0)
		rc = io_write_file(AT_FDCWD, "/proc/self/uid_map", uid_map);
	if (rc == 0)
		rc = io_write_file(AT_FDCWD, "/proc/self/gid_map", gid_map);
	return rc;
}

int namespaces_enter(uid_t uid_base, unsigned slots, struct identities *who,
		     const char **step)
{
	static const char host[] = "sandbox";
	bool root = geteuid() == 0;

	*who = (struct identities){.worker = root ? 0 : IDENTITY_GUEST,
				   .guest_first = IDENTITY_GUEST,
				   .separate = root};
	int rc = root ? namespaces_enter_root(uid_base, slots, step)
		      : namespaces_enter_user(step);

	if (rc < 0)
		return rc;
	*step = "name the host";
	if (sethostname(host, sizeof(host) - 1) < 0)
		return -errno;
	*step = "make mounts private";
	if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
		return -errno;
	return 0;
}

int namespaces_become(const struct identities *who)
{
	uid_t uid = who->worker;

	if (!who->separate)
		return 0;
	return setresgid(uid, uid, uid) < 0 || setresuid(uid, uid, uid) < 0
		       ? -errno : 0;
}

int namespaces_own_mounts(void)
{
	return unshare(CLONE_NEWNS) < 0 ? -errno : 0;
}
