/* support - see support.h. */
#include "tests/unit/support.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#define SUPPORT_PATH_MAX 4096
#define SUPPORT_FDS_MAX 1024

void support_say_skip(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	printf("skip: ");
	vprintf(fmt, args);
	printf("\n");
	va_end(args);
	fflush(stdout);
}

pid_t support_fork(void)
{
	static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGSYS,
				      SIGABRT};

	fflush(NULL);
	pid_t pid = fork();

	for (size_t i = 0; pid == 0 && i < ARRAY_LEN(signals); i++)
		signal(signals[i], SIG_DFL);
	return pid;
}

int support_wait(pid_t pid)
{
	int status = -1;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return status;
}

int support_in_child(int (*act)(void *context), void *context)
{
	pid_t pid = support_fork();

	if (pid == 0)
		_exit(act(context));
	assert_true(pid > 0);
	return support_wait(pid);
}

char *support_dir(void)
{
	char name[] = "/tmp/terrarium-test-XXXXXX";

	assert_non_null(mkdtemp(name));
	char *copy = strdup(name);

	assert_non_null(copy);
	return copy;
}

static int support_remove_one(const char *path, const struct stat *st,
			      int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path) < 0 && errno != ENOENT;
}

void support_remove(char **dir)
{
	if (!*dir)
		return;
	nftw(*dir, support_remove_one, 16, FTW_DEPTH | FTW_PHYS);
	free(take_ptr(dir));
}

const char *support_path(const char *dir, const char *name)
{
	static char paths[4][SUPPORT_PATH_MAX];
	static unsigned next;
	char *path = paths[next++ % ARRAY_LEN(paths)];

	snprintf(path, SUPPORT_PATH_MAX, "%s/%s", dir, name);
	return path;
}

static void support_parents(const char *path)
{
	char part[SUPPORT_PATH_MAX];

	for (const char *at = strchr(path + 1, '/'); at;
	     at = strchr(at + 1, '/')) {
		snprintf(part, sizeof(part), "%.*s", (int)(at - path), path);
		if (mkdir(part, 0755) < 0 && errno != EEXIST)
			fail_msg("mkdir %s: %s", part, strerror(errno));
	}
}

void support_write(const char *dir, const char *name, const char *text)
{
	const char *path = support_path(dir, name);

	support_parents(path);
	owned_fd int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC,
			       0644);

	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		fail_msg("write %s: %s", path, strerror(errno));
}

const char *support_read(const char *dir, const char *name)
{
	static char text[4096];
	owned_fd int fd = open(support_path(dir, name), O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

	if (n < 0)
		fail_msg("read %s/%s: %s", dir, name, strerror(errno));
	text[n < 0 ? 0 : n] = '\0';
	return text;
}

int support_count_fds(void)
{
	int count = 0;

	for (int fd = 0; fd < SUPPORT_FDS_MAX; fd++)
		count += fcntl(fd, F_GETFD) >= 0;
	return count;
}

static int support_put(const char *path, const char *text)
{
	owned_fd int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		return -errno;
	return 0;
}

int support_may_mount(void)
{
	char map[64];
	unsigned uid = geteuid(), gid = getegid();

	if (uid == 0)
		return 0;
	if (unshare(CLONE_NEWUSER | CLONE_NEWNS) < 0)
		return -errno;
	int rc = support_put("/proc/self/setgroups", "deny");

	snprintf(map, sizeof(map), "0 %u 1", uid);
	if (rc == 0)
		rc = support_put("/proc/self/uid_map", map);
	snprintf(map, sizeof(map), "0 %u 1", gid);
	return rc < 0 ? rc : support_put("/proc/self/gid_map", map);
}

int refuse_call(int number, int error)
{
	struct sock_filter program[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)number, 0, 1),
		BPF_STMT(BPF_RET | BPF_K,
			 SECCOMP_RET_ERRNO | (unsigned)error),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
	const struct sock_fprog filter = {ARRAY_LEN(program), program};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) < 0)
		return -errno;
	return 0;
}
