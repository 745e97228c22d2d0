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
#include "sandbox/base/steps.h"

#define NAMESPACES_SHARED                                                    \
	(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC |         \
	 CLONE_NEWUTS | CLONE_NEWCGROUP)

uid_t namespaces_guest_uid(const struct identities *who, unsigned slot)
{
	return who->separate ? who->guest_first + slot : who->guest_first;
}

struct namespaces_work {
	uid_t uid; /* of this process, outside */
	gid_t gid;
	uid_t base;
	unsigned slots;
	pid_t mapper; /* the process that writes the maps; 0: none runs */
	int go;	      /* a byte through this pipe makes it write them */
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

/* Start the mapper. A map of several lines can be written only by a process
 * outside the namespace that is root there. */
static int namespaces_start_mapper(struct namespaces_work *work)
{
	int go[2];
	pid_t parent = getpid();

	if (pipe2(go, O_CLOEXEC) < 0)
		return -errno;
	work->mapper = fork();
	if (work->mapper == 0) {
		char byte;

		close(go[1]);
		if (io_read_full(go[0], &byte, 1) < 0)
			_exit(ECANCELED);
		_exit(-namespaces_write_maps(parent, work->base, work->slots));
	}
	close(go[0]);
	work->go = go[1];
	return work->mapper < 0 ? -errno : 0;
}

/* Wait for the mapper's end. Its result is the exit status; it fails if it was
 * not told to write the maps. */
static int namespaces_end_mapper(struct namespaces_work *work)
{
	int status = 0;

	base_release_fd(&work->go);
	if (work->mapper <= 0)
		return 0;
	while (waitpid(work->mapper, &status, 0) < 0 && errno == EINTR)
		;
	work->mapper = 0;
	return WIFEXITED(status) ? -WEXITSTATUS(status) : -ECHILD;
}

static int namespaces_leave_groups(struct namespaces_work *work)
{
	(void)work;
	return setgroups(0, NULL) < 0 ? -errno : 0;
}

static int namespaces_unshare(struct namespaces_work *work)
{
	(void)work;
	return unshare(NAMESPACES_SHARED) < 0 ? -errno : 0;
}

static int namespaces_map_many(struct namespaces_work *work)
{
	int rc = io_write_full(work->go, "g", 1);
	int mapped = namespaces_end_mapper(work);

	return rc < 0 ? rc : mapped;
}

static int namespaces_map_one(struct namespaces_work *work)
{
	char uid_map[64], gid_map[64];

	snprintf(uid_map, sizeof(uid_map), "%u %u 1\n", IDENTITY_GUEST,
		 work->uid);
	snprintf(gid_map, sizeof(gid_map), "%u %u 1\n", IDENTITY_GUEST,
		 work->gid);
	int rc = io_write_file(AT_FDCWD, "/proc/self/setgroups", "deny");

	if (rc == 0)
		rc = io_write_file(AT_FDCWD, "/proc/self/uid_map", uid_map);
	if (rc == 0)
		rc = io_write_file(AT_FDCWD, "/proc/self/gid_map", gid_map);
	return rc;
}

static int namespaces_name_host(struct namespaces_work *work)
{
	static const char host[] = "sandbox";

	(void)work;
	return sethostname(host, sizeof(host) - 1) < 0 ? -errno : 0;
}

static int namespaces_private_mounts(struct namespaces_work *work)
{
	(void)work;
	return mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ? -errno
								     : 0;
}

static const STEP(struct namespaces_work *) namespaces_root_steps[] = {
	{"start the process that writes the uid maps",
	 namespaces_start_mapper},
	{"leave supplementary groups", namespaces_leave_groups},
	{"enter the shared namespaces", namespaces_unshare},
	{"map the uids of workers and guests", namespaces_map_many},
	{"name the host", namespaces_name_host},
	{"make mounts private", namespaces_private_mounts},
};

static const STEP(struct namespaces_work *) namespaces_user_steps[] = {
	{"enter the shared namespaces (are unprivileged user namespaces "
	 "switched off on this host?)",
	 namespaces_unshare},
	{"map the uid", namespaces_map_one},
	{"name the host", namespaces_name_host},
	{"make mounts private", namespaces_private_mounts},
};

int namespaces_enter(uid_t uid_base, unsigned slots, struct identities *who,
		     char *error, size_t size)
{
	struct namespaces_work work = {.uid = geteuid(), .gid = getegid(),
				       .base = uid_base, .slots = slots,
				       .go = -1};
	bool root = work.uid == 0;
	int rc;

	*who = (struct identities){.worker = root ? 0 : IDENTITY_GUEST,
				   .guest_first = IDENTITY_GUEST,
				   .separate = root};
	if (root)
		rc = steps_take(namespaces_root_steps, &work, error, size);
	else
		rc = steps_take(namespaces_user_steps, &work, error, size);
	namespaces_end_mapper(&work);
	return rc;
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
