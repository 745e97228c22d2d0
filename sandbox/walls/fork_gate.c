/* fork_gate - see fork_gate.h. */
#include "fork_gate.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "sandbox/base/fdpass.h"
#include "sandbox/base/pidfd.h"

/* ---- guest ----------------------------------------------------------- */

int fork_gate_load(const struct syscalls_filter *filter, int fd)
{
	owned_fd int listener = syscalls_load_gate(filter);

	return listener < 0 ? listener
			    : fdpass_send(fd, "", 1, &listener, 1, 0);
}

int fork_gate_wait(void)
{
	for (;;) {
		long pid = syscall(SYS_clone, SYSCALLS_FORK_FLAGS, 0, 0, 0, 0);

		if (pid >= 0) /* the keeper never lets this knock pass */
			_exit(1);
		if (errno != EINTR)
			return -errno;
	}
}

/* ---- session keeper -------------------------------------------------- */

int fork_gate_receive(int fd)
{
	size_t count = 1;
	int listener;
	char byte;
	int rc = fdpass_receive(fd, &byte, 1, &listener, &count, MSG_DONTWAIT);

	return rc < 0 ? rc : rc == 0 || count == 0 ? -EPROTO : listener;
}

int fork_gate_next(int gate, struct fork_gate_knock *knock)
{
	struct pollfd polled = {.fd = gate, .events = POLLIN};
	struct seccomp_notif notice = {0};

	if (poll(&polled, 1, 0) < 0)
		return errno == EINTR ? 0 : -errno;
	if (!(polled.revents & POLLIN))
		return polled.revents & (POLLHUP | POLLERR) ? -EPIPE : 0;
	if (ioctl(gate, SECCOMP_IOCTL_NOTIF_RECV, &notice) < 0)
		return errno == ENOENT || errno == EINTR ? 0 : -errno;
	*knock = (struct fork_gate_knock){
		.id = notice.id,
		.pid = (pid_t)notice.pid,
		.signals = notice.data.nr != SYS_clone,
		.target = notice.data.args[0],
		/* the second argument of kill, the third of tgkill */
		.signal = (uint32_t)notice.data
				  .args[notice.data.nr == SYS_kill ? 1 : 2]};
	return 1;
}

bool fork_gate_waits(int gate, const struct fork_gate_knock *knock)
{
	return ioctl(gate, SECCOMP_IOCTL_NOTIF_ID_VALID, &knock->id) == 0;
}

static int fork_gate_answer(int gate, const struct fork_gate_knock *knock,
			    uint32_t flags, int error)
{
	struct seccomp_notif_resp answer = {
		.id = knock->id, .error = -error, .flags = flags};

	return ioctl(gate, SECCOMP_IOCTL_NOTIF_SEND, &answer) < 0 ? -errno : 0;
}

int fork_gate_pass(int gate, const struct fork_gate_knock *knock)
{
	return fork_gate_answer(gate, knock, SECCOMP_USER_NOTIF_FLAG_CONTINUE,
				0);
}

int fork_gate_refuse(int gate, const struct fork_gate_knock *knock, int error)
{
	return fork_gate_answer(gate, knock, 0, error);
}

int fork_gate_pidfd(int gate, const struct fork_gate_knock *knock)
{
	owned_fd int fd = pidfd_of(knock->pid);

	if (fd < 0)
		return fd;
	/* It still waits, so it has not died since it knocked, and the process
	 * id was not given to another process before pidfd_of(). */
	return fork_gate_waits(gate, knock) ? take_fd(&fd) : -ENOENT;
}

int fork_gate_open_mirror(struct fork_gate_mirror *mirror, int proc)
{
	char path[32];

	*mirror = (struct fork_gate_mirror){
		.fd = open("/dev/null", O_RDONLY | O_CLOEXEC), .text = -1};
	if (mirror->fd < 0)
		return -errno;
	snprintf(path, sizeof(path), "self/fdinfo/%d", mirror->fd);
	mirror->text = proc < 0 ? -1 : openat(proc, path,
					      O_RDONLY | O_CLOEXEC);
	return 0;
}

void fork_gate_close_mirror(struct fork_gate_mirror *mirror)
{
	base_release_fd(&mirror->fd);
	base_release_fd(&mirror->text);
}

/* The last number of the line "NSpid:" is that of the innermost namespace. */
static pid_t fork_gate_last_number(const char *text)
{
	const char *line = strstr(text, "\nNSpid:");
	long number = 0;

	for (line = line ? line + 7 : ""; *line == '\t';) {
		char *end;

		number = strtol(line + 1, &end, 10);
		line = end;
	}
	return number > 0 && number <= INT32_MAX ? (pid_t)number : 0;
}

/* The kernel looks up the descriptor FD each time TEXT is read. */
pid_t fork_gate_number(struct fork_gate_mirror *mirror, int pidfd)
{
	char text[512];

	if (mirror->text < 0 || pidfd < 0)
		return 0;
	close(mirror->fd);
	int fd = fcntl(pidfd, F_DUPFD_CLOEXEC, mirror->fd);

	if (fd != mirror->fd) { /* another descriptor has taken the number */
		base_release_fd(&fd);
		mirror->fd = -1;
		base_release_fd(&mirror->text);
		return 0;
	}
	ssize_t n = pread(mirror->text, text, sizeof(text) - 1, 0);

	text[n > 0 ? n : 0] = '\0';
	return fork_gate_last_number(text);
}

/* Signal 0 is not sent; the call fails if the thread is not of GUEST. */
static bool fork_gate_is_of(const struct fork_gate_knock *knock, pid_t guest)
{
	return syscall(SYS_tgkill, guest, knock->pid, 0) == 0;
}

bool fork_gate_signals_itself(int gate, const struct fork_gate_knock *knock,
			      pid_t guest, pid_t number)
{
	return knock->signals && knock->signal != SIGCONT && number > 1 &&
	       knock->target == (uint64_t)number &&
	       fork_gate_is_of(knock, guest) &&
	       fork_gate_waits(gate, knock); /* the thread has not ended */
}

#define FORK_GATE_DEATH_MS 20 /* from its exit to its reaping */

/* Wait until the process was reaped; return its wait status, or a negative
 * errno value if it does not become known. */
static int fork_gate_status(int pidfd)
{
	int status = -EAGAIN;

	for (int i = 0; i < FORK_GATE_DEATH_MS && status == -EAGAIN; i++) {
		if (i > 0)
			poll(NULL, 0, 1);
		status = pidfd_status(pidfd);
	}
	return status;
}

void fork_gate_death(int pidfd, siginfo_t *info)
{
	int status = fork_gate_status(pidfd);

	*info = (siginfo_t){.si_code = CLD_KILLED};
	if (status >= 0 && WIFEXITED(status)) {
		info->si_code = CLD_EXITED;
		info->si_status = WEXITSTATUS(status);
	} else if (status >= 0) {
		info->si_status = WTERMSIG(status);
	}
}
