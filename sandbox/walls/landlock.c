/* landlock - see landlock.h, landlock(7). */
#include "landlock.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/syscall.h>

/* Debian 12's headers lack these; the values are the kernel's. */
#define FS_REFER (1ULL << 13)	  /* ABI 2 */
#define FS_TRUNCATE (1ULL << 14)  /* ABI 3 */
#define FS_IOCTL_DEV (1ULL << 15) /* ABI 5 */
#define NET_ALL 3ULL		  /* ABI 4: bind and connect TCP */
#define SCOPE_ABSTRACT 1ULL	  /* ABI 6: abstract sockets */
#define SCOPE_ALL 3ULL		  /* ABI 6: and signals */

#define FS_READ                                                              \
	(LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)
#define FS_MAKE                                                              \
	(LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |         \
	 LANDLOCK_ACCESS_FS_MAKE_SYM | LANDLOCK_ACCESS_FS_REMOVE_DIR |       \
	 LANDLOCK_ACCESS_FS_REMOVE_FILE)
#define FS_MAKE_SPECIAL                                                      \
	(LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_BLOCK |      \
	 LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO)
#define FS_WRITE (LANDLOCK_ACCESS_FS_WRITE_FILE | FS_TRUNCATE)
#define FS_FILE_RIGHTS                                                       \
	(LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE |        \
	 LANDLOCK_ACCESS_FS_READ_FILE | FS_TRUNCATE | FS_IOCTL_DEV)

/* All rights that the ruleset handles: each is refused unless a rule grants
 * it. */
#define FS_HANDLED                                                           \
	(LANDLOCK_ACCESS_FS_EXECUTE | FS_READ | FS_WRITE | FS_MAKE |         \
	 FS_MAKE_SPECIAL | FS_REFER | FS_IOCTL_DEV)

/* The rights of a worker in its guest's tmpfs. */
#define FS_WORKER                                                            \
	(FS_READ | FS_WRITE | LANDLOCK_ACCESS_FS_MAKE_DIR |                  \
	 LANDLOCK_ACCESS_FS_MAKE_REG)

/* The rights of a session keeper there, which also removes and replaces files,
 * and moves them and links to other directories; and those of the archive
 * process in its directory. */
#define FS_KEEPER (FS_ARCHIVE | FS_REFER | LANDLOCK_ACCESS_FS_MAKE_SYM)
#define FS_ARCHIVE                                                           \
	(FS_WORKER | LANDLOCK_ACCESS_FS_REMOVE_DIR |                         \
	 LANDLOCK_ACCESS_FS_REMOVE_FILE)

/* A guest's rights. To grant more, add a row. A path that does not exist is
 * skipped. */
static const struct {
	const char *path;
	uint64_t rights;
	bool file;
} landlock_rows[] = {
	/* Names only: the root and /home hold what each guest has. */
	{"/", LANDLOCK_ACCESS_FS_READ_DIR, false},
	{"/usr", FS_READ, false},
	{"/etc", FS_READ, false},
	{"/var/cache", FS_READ, false},
	{"/dev", FS_READ, false},
	{"/dev/null", LANDLOCK_ACCESS_FS_READ_FILE | FS_WRITE, true},
	{"/dev/full", LANDLOCK_ACCESS_FS_READ_FILE | FS_WRITE, true},
	{"/home/user", FS_READ | FS_WRITE | FS_MAKE | FS_REFER, false},
	{"/home/tmp", FS_READ | FS_WRITE | FS_MAKE | FS_REFER, false},
};

/* struct landlock_ruleset_attr of ABI 6; older kernels take a shorter one. */
struct landlock_attr {
	uint64_t handled_fs;
	uint64_t handled_net;
	uint64_t scoped;
};

int landlock_abi(void)
{
	long abi = syscall(SYS_landlock_create_ruleset, NULL, 0,
			   LANDLOCK_CREATE_RULESET_VERSION);

	return abi < 0 ? 0 : (int)abi;
}

/* Those of RIGHTS that a kernel of this ABI knows. */
static uint64_t landlock_known(int abi, uint64_t rights)
{
	if (abi < 2)
		rights &= ~FS_REFER;
	if (abi < 3)
		rights &= ~FS_TRUNCATE;
	if (abi < 5)
		rights &= ~FS_IOCTL_DEV;
	return rights;
}

static int landlock_allow_below(int ruleset, int fd, uint64_t rights)
{
	struct landlock_path_beneath_attr rule = {
		.allowed_access = rights, .parent_fd = fd};

	if (syscall(SYS_landlock_add_rule, ruleset,
		    LANDLOCK_RULE_PATH_BENEATH, &rule, 0) < 0)
		return -errno;
	return 0;
}

static int landlock_allow(int ruleset, const char *path, uint64_t rights)
{
	owned_fd int fd = open(path, O_PATH | O_CLOEXEC);

	if (fd < 0)
		return errno == ENOENT ? 0 : -errno;
	return landlock_allow_below(ruleset, fd, rights);
}

/* A ruleset's descriptor, or a negative errno value. */
static int landlock_create(int abi, uint64_t scoped)
{
	struct landlock_attr attr = {
		.handled_fs = landlock_known(abi, FS_HANDLED),
		.handled_net = NET_ALL,
		.scoped = scoped,
	};
	size_t size = abi >= 6 ? 24 : abi >= 4 ? 16 : 8;
	long fd = syscall(SYS_landlock_create_ruleset, &attr, size, 0);

	return fd < 0 ? -errno : (int)fd;
}

static int landlock_restrict(int ruleset)
{
	return syscall(SYS_landlock_restrict_self, ruleset, 0) < 0 ? -errno
								   : 0;
}

int landlock_enforce(int abi)
{
	owned_fd int ruleset = landlock_create(abi, SCOPE_ALL);

	if (ruleset < 0)
		return ruleset;
	for (size_t i = 0; i < ARRAY_LEN(landlock_rows); i++) {
		uint64_t rights = landlock_known(abi, landlock_rows[i].rights);

		if (landlock_rows[i].file)
			rights &= FS_FILE_RIGHTS;
		int rc = landlock_allow(ruleset, landlock_rows[i].path,
					rights);

		if (rc < 0)
			return rc;
	}
	return landlock_restrict(ruleset);
}

/* Leave RIGHTS below the directory DIR (-1: none), and nothing else. */
static int landlock_enforce_below(int abi, int dir, uint64_t rights)
{
	owned_fd int ruleset = landlock_create(abi, SCOPE_ABSTRACT);
	int rc = ruleset < 0 ? ruleset : 0;

	if (rc == 0 && dir >= 0)
		rc = landlock_allow_below(ruleset, dir,
					  landlock_known(abi, rights));

	return rc < 0 ? rc : landlock_restrict(ruleset);
}

int landlock_enforce_archive(int abi, int dir)
{
	return landlock_enforce_below(abi, dir, FS_ARCHIVE);
}

int landlock_enforce_worker(int abi, int home)
{
	return landlock_enforce_below(abi, home, FS_WORKER);
}

int landlock_enforce_keeper(int abi, int home)
{
	return landlock_enforce_below(abi, home, FS_KEEPER);
}
