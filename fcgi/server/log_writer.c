/*
 * log_writer - see log_writer.h; RFC 3164 for syslog's lines.
 *
 * Who:    forked by the master, if log.file or log.syslog is set.
 * Holds:  the reading end of the pipe that is standard error of all others.
 * May:    all that the server's user may, because it opens the file again.
 * Talks:  It receives lines and copies them; it looks at their level only.
 * Ends:   when no other process has the pipe, or when told to leave (leave.h) and
 *         all that it has read is written. When it dies, the master starts
 *         another one.
 */
#include "log_writer.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "sandbox/base/io.h"
#include "sandbox/base/log.h"
#include "sandbox/base/title.h"
#include "fcgi/shared/leave.h"

#define LOG_WRITER_PIPE (1 << 20)	/* bytes that wait for the writer */
#define LOG_WRITER_LINE 4096		/* no line is longer */
#define LOG_WRITER_DAEMON (3 << 3)	/* syslog's facility */
#define LOG_WRITER_WAIT_S 1		/* for syslog to take a line */

struct log_writer_state {
	const struct log_writer *writer;
	int file, syslog; /* or -1 */
	bool cut;	  /* the file's last line has no end */
	bool failing;	  /* a failure was told, and lasts */
};

static volatile sig_atomic_t log_writer_reopen, log_writer_leave;

/* ---- master ---------------------------------------------------------- */

static int log_writer_open_file(const char *path)
{
	int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC |
			    O_NOCTTY | O_NONBLOCK, 0640);

	return fd < 0 ? -errno : fd;
}

/* Each process finds out by this variable, as under journald, that the reader
 * wants a level in front of each line and adds the time itself. */
static int log_writer_announce(int fd)
{
	char words[64];
	struct stat st;

	if (fstat(fd, &st) < 0)
		return -errno;
	snprintf(words, sizeof(words), "%ju:%ju", (uintmax_t)st.st_dev,
		 (uintmax_t)st.st_ino);
	return setenv(LOG_STREAM, words, 1) < 0 ? -errno : 0;
}

static int log_writer_redirect(struct log_writer *writer)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -errno;
	owned_fd int in = ends[0], out = ends[1];
	owned_fd int before = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);

	if (before < 0)
		return -errno;
	/* A smaller pipe only drops lines earlier. */
	fcntl(out, F_SETPIPE_SZ, LOG_WRITER_PIPE);
	int rc = log_writer_announce(out);

	if (rc < 0)
		return rc;
	if (dup2(out, STDERR_FILENO) < 0)
		return -errno;
	writer->in = take_fd(&in);
	writer->started_with = take_fd(&before);
	log_open();
	log_set_errors_fd(writer->started_with);
	return 0;
}

int log_writer_open(const struct conf *conf, struct log_writer *writer,
		    char error[LOG_WRITER_ERROR_MAX])
{
	*writer = (struct log_writer){.file = conf->log_file,
				      .syslog = conf->log_syslog,
				      .in = -1, .started_with = -1};
	if (!*writer->file && !*writer->syslog)
		return 0;
	owned_fd int file = *writer->file ? log_writer_open_file(writer->file)
					  : -1;
	const int opened = file;

	if (*writer->file && opened < 0) {
		snprintf(error, LOG_WRITER_ERROR_MAX, "open log.file %.100s: %s",
			 writer->file, log_errno(opened));
		return opened;
	}
	int rc = log_writer_redirect(writer);

	if (rc < 0)
		snprintf(error, LOG_WRITER_ERROR_MAX,
			 "make the pipe of the log: %s", log_errno(rc));
	return rc;
}

void log_writer_close(struct log_writer *writer)
{
	if (writer->in < 0)
		return;
	log_set_errors_fd(-1);
	dup2(writer->started_with, STDERR_FILENO);
	base_release_fd(&writer->in);
	base_release_fd(&writer->started_with);
}

/* ---- the file -------------------------------------------------------- */

/* Tell the first failure of several. */
static void log_writer_fail(struct log_writer_state *state, const char *name,
			    int rc)
{
	if (!state->failing)
		log_error("log writer: %s: %s", name, log_errno(rc));
	state->failing = true;
}

static void log_writer_renew_file(struct log_writer_state *state)
{
	const char *path = state->writer->file;

	log_writer_reopen = 0;
	if (!*path)
		return;
	int fd = log_writer_open_file(path);

	if (fd < 0) { /* the former one, if there is one, takes the lines */
		log_writer_fail(state, path, fd);
		return;
	}
	if (state->file >= 0)
		close(state->file);
	state->file = fd;
	state->cut = state->failing = false;
}

/* A full disk loses lines; the first one after it begins a line of its own. */
static void log_writer_put_file(struct log_writer_state *state, int level,
				const char *text, size_t size)
{
	static const char *const names[] = {"error", "error", "error", "error",
					    "warn",  "info",  "info",  "debug"};
	char line[LOG_WRITER_LINE + LOG_TIME_SIZE + 16], time[LOG_TIME_SIZE];
	int head = state->cut ? snprintf(line, sizeof(line), "\n") : 0;

	if (state->file < 0)
		return;
	log_time(time);
	if (*text != '{') /* a record has its time */
		head += snprintf(line + head, sizeof(line) - (size_t)head,
				 "%s %s ", time, names[level]);
	memcpy(line + head, text, size);
	line[(size_t)head + size] = '\n';
	const size_t all = (size_t)head + size + 1;
	ssize_t n = write(state->file, line, all);

	if (n == (ssize_t)all) {
		state->cut = state->failing = false;
		return;
	}
	state->cut = state->cut || n > 0;
	log_writer_fail(state, state->writer->file, n < 0 ? errno : ENOSPC);
}

/* ---- syslog ---------------------------------------------------------- */

static int log_writer_connect(const char *path)
{
	const struct timeval wait = {.tv_sec = LOG_WRITER_WAIT_S};
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	owned_fd int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (strlen(path) >= sizeof(address.sun_path))
		return -ENAMETOOLONG;
	memcpy(address.sun_path, path, strlen(path) + 1);
	if (fd < 0 ||
	    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &wait, sizeof(wait)) < 0 ||
	    connect(fd, (const struct sockaddr *)&address,
		    sizeof(address)) < 0)
		return -errno;
	return take_fd(&fd);
}

static int log_writer_send(struct log_writer_state *state, const char *line,
			   size_t size)
{
	if (state->syslog < 0)
		state->syslog = log_writer_connect(state->writer->syslog);
	if (state->syslog < 0)
		return state->syslog;
	if (send(state->syslog, line, size, MSG_NOSIGNAL) >= 0)
		return 0;
	int rc = -errno;

	if (rc != -EAGAIN) /* it may have been started anew */
		base_release_fd(&state->syslog);
	return rc;
}

static void log_writer_put_syslog(struct log_writer_state *state, int level,
				  const char *text, size_t size)
{
	char line[LOG_WRITER_LINE + 64], date[32] = "";
	const time_t now = time(NULL);
	struct tm local;

	if (!*state->writer->syslog)
		return;
	if (localtime_r(&now, &local))
		strftime(date, sizeof(date), "%b %e %H:%M:%S", &local);
	int head = snprintf(line, sizeof(line), "<%d>%s terrarium[%d]: ",
			    LOG_WRITER_DAEMON | level, date, getppid());

	memcpy(line + head, text, size);
	int rc = log_writer_send(state, line, (size_t)head + size);

	if (rc < 0 && rc != -EAGAIN)
		rc = log_writer_send(state, line, (size_t)head + size);
	if (rc < 0)
		log_writer_fail(state, state->writer->syslog, rc);
	else
		state->failing = false;
}

/* ---- lines ----------------------------------------------------------- */

static void log_writer_line(struct log_writer_state *state, const char *line,
			    size_t size)
{
	int level = 6;

	/* sd-daemon(3): "<N>" in front. */
	if (size >= 3 && line[0] == '<' && line[1] >= '0' && line[1] <= '7' &&
	    line[2] == '>') {
		level = line[1] - '0';
		line += 3;
		size -= 3;
	}
	if (size == 0)
		return;
	log_writer_put_file(state, level, line, size);
	log_writer_put_syslog(state, level, line, size);
}

/* Write the lines of BUFFER, and keep the rest. A line that fills it is cut. */
static void log_writer_lines(struct log_writer_state *state, char *buffer,
			     size_t *used)
{
	size_t from = 0;

	for (char *end; (end = memchr(buffer + from, '\n', *used - from));) {
		const size_t size = (size_t)(end - buffer) - from;

		log_writer_line(state, buffer + from, size);
		from += size + 1;
	}
	if (from == 0 && *used == LOG_WRITER_LINE) {
		log_writer_line(state, buffer, *used);
		from = *used;
	}
	memmove(buffer, buffer + from, *used - from);
	*used -= from;
}

static void log_writer_on_reopen(int signal)
{
	(void)signal;
	log_writer_reopen = 1;
}

static void log_writer_on_leave(int signal)
{
	(void)signal;
	log_writer_leave = 1;
}

/* Terminals and service managers signal all processes of the server. The
 * writer outlives the others. */
static void log_writer_signals(sigset_t *waiting)
{
	static const int ignored[] = {SIGINT, SIGTERM, SIGQUIT, SIGHUP,
				      SIGPIPE};
	const struct sigaction reopen = {.sa_handler = log_writer_on_reopen};
	const struct sigaction leave = {.sa_handler = log_writer_on_leave};
	sigset_t blocked;

	for (size_t i = 0; i < ARRAY_LEN(ignored); i++)
		signal(ignored[i], SIG_IGN);
	sigemptyset(&blocked);
	sigprocmask(SIG_SETMASK, &blocked, waiting);
	*waiting = blocked;
	sigaddset(&blocked, SIGUSR1);
	sigaddset(&blocked, LEAVE_SIGNAL);
	sigprocmask(SIG_SETMASK, &blocked, NULL);
	sigaction(SIGUSR1, &reopen, NULL);
	sigaction(LEAVE_SIGNAL, &leave, NULL);
}

void log_writer_main(const struct log_writer *writer)
{
	struct log_writer_state state = {.writer = writer, .file = -1,
					 .syslog = -1};
	struct pollfd in = {.fd = writer->in, .events = POLLIN};
	static char buffer[LOG_WRITER_LINE];
	size_t used = 0;
	ssize_t n = 1;
	sigset_t waiting;

	title_set("log");
	log_set_role("log");
	log_set_errors_fd(-1);
	dup2(writer->started_with, STDERR_FILENO);
	close(writer->started_with);
	log_writer_signals(&waiting);
	log_writer_renew_file(&state);
	/* Each write to the pipe is whole lines, so a rest has its end there. */
	while (n > 0 && (!log_writer_leave || used > 0)) {
		if (ppoll(&in, 1, NULL, &waiting) < 0 && errno != EINTR)
			die("ppoll: %s", log_errno(errno));
		if (log_writer_reopen)
			log_writer_renew_file(&state);
		if (in.revents == 0)
			continue;
		n = read(writer->in, buffer + used, sizeof(buffer) - used);
		if (n > 0) {
			used += (size_t)n;
			log_writer_lines(&state, buffer, &used);
		}
		in.revents = 0;
	}
	exit(0);
}
