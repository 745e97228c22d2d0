/*
 * status - the process that reports the server's state, even when every worker
 * is busy.
 *
 * Who:    forked by the master. It serves one request after another.
 * Holds:  a listening socket of its own, the scoreboard, and the client shares.
 * May:    answer on that socket, and nothing else. As root it becomes an
 *         unprivileged user. It has the same filter as workers.
 * Talks:  It answers the web server (FastCGI).
 * Ends:   It ends with the master, or when told to leave (leave.h). When it dies,
 *         the master starts another one.
 */
#include "status.h"

#include <errno.h>
#include <grp.h>
#include <poll.h>
#include <signal.h>

#include "sandbox/walls/confine.h"
#include "sandbox/base/log.h"
#include "sandbox/walls/privileges.h"
#include "sandbox/base/title.h"
#include "fcgi/shared/leave.h"
#include "status_pages.h"
#include "fcgi/http/request.h"

#define STATUS_TIMEOUT_MS 1000

static void status_serve(const struct scoreboard *board, int listener)
{
	struct request *request = NULL;
	struct reply reply;
	int connection = request_accept(listener, STATUS_TIMEOUT_MS, NULL);

	if (connection < 0 ||
	    request_open(&request, connection, STATUS_TIMEOUT_MS) < 0)
		return;
	reply_init(&reply);
	reply.id = request_id(request);
	status_pages_answer(board, request, &reply);
	reply_send(request, &reply);
	reply_free(&reply);
	request_close(&request);
}

static void status_drop(uid_t uid, pid_t master, int landlock_abi)
{
	struct syscalls_filter filter;
	char error[CONFINE_ERROR_MAX];

	if (geteuid() == 0 &&
	    (setgroups(0, NULL) < 0 || privileges_become(uid) < 0))
		die("become uid %u: %s", uid, log_errno(errno));
	int rc = privileges_die_with(master);

	if (rc == 0)
		rc = privileges_lock();
	if (rc < 0)
		die("lock privileges: %s", log_errno(rc));
	rc = syscalls_compile(SYSCALLS_WORKER, &filter);
	if (rc < 0)
		die("compile the filter: %s", log_errno(rc));
	const struct confine_plan plan = {
		.filter = &filter, .landlock_abi = landlock_abi, .home = -1};

	if (confine_process(&plan, error) < 0)
		die("%s", error);
	syscalls_free(&filter);
}

void status_main(int fd, int shares_fd, int listener, uid_t uid, pid_t master)
{
	const int leave = leave_open();
	struct pollfd polled[] = {{.fd = listener, .events = POLLIN},
				  {.fd = leave, .events = POLLIN}};
	const struct scoreboard *board = scoreboard_map(fd);

	log_set_role("status");
	title_set("status");
	signal(SIGPIPE, SIG_IGN);
	request_prepare();
	if (leave < 0)
		die("make a signal descriptor: %s", log_errno(leave));
	if (!board)
		die("map the scoreboard: %s", log_errno(errno));
	int rc = status_pages_open(shares_fd);

	if (rc < 0)
		die("map the client shares: %s", log_errno(rc));
	status_drop(uid, master, board->landlock_abi);
	while (!polled[1].revents)
		if (poll(polled, ARRAY_LEN(polled), -1) > 0 &&
		    polled[0].revents)
			status_serve(board, listener);
	exit(0);
}
