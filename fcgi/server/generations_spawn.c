/* generations_spawn - see generations_spawn.h. */
#include "generations_spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "sandbox/base/io.h"
#include "sandbox/base/log.h"
#include "fcgi/shared/generation.h"

#define GENERATIONS_NICE 5 /* a third of the weight of one that serves */

static int generations_conf_file(const struct generations *line)
{
	owned_fd int fd = memfd_create("configuration", MFD_CLOEXEC);

	if (fd < 0)
		return -errno;
	int rc = io_write_full(fd, line->text.data, line->text.size);

	return rc < 0 ? rc : take_fd(&fd);
}

static int generations_pipe(int ends[2])
{
	return pipe2(ends, O_CLOEXEC) < 0 ? -errno : 0;
}

/* The pool process's ends are closed here in any case; ours are ROW's. */
int generations_spawn(struct generations *line,
		      struct generations_generation *row)
{
	int leave[2], life[2], news[2], orders[2], serve[2];
	owned_fd int conf = generations_conf_file(line);

	if (conf < 0)
		return conf;
	if (generations_pipe(leave) < 0)
		return -EMFILE;
	owned_fd int leave_out = leave[1], leave_in = leave[0];

	if (generations_pipe(life) < 0)
		return -EMFILE;
	owned_fd int life_in = life[0], life_out = life[1];

	if (generations_pipe(news) < 0)
		return -EMFILE;
	owned_fd int news_in = news[0], news_out = news[1];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, orders) < 0)
		return -EMFILE;
	owned_fd int orders_ours = orders[0], orders_theirs = orders[1];
	if (generations_pipe(serve) < 0)
		return -EMFILE;
	owned_fd int serve_in = serve[0], serve_out = serve[1];
	const int fds[] = {conf,           line->listener, leave_in,
			   life_out,       news_out,       line->board_fd,
			   line->registry, orders_theirs,  line->archive,
			   serve_in,       line->queue,    line->shares};
	int rc = io_set_nonblocking(news_in, true);
	pid_t pid = rc < 0 ? rc : generation_spawn(fds);

	if (pid < 0)
		return pid;
	*row = (struct generations_generation){.there = true,
					       .pool = pid,
					       .group = pid,
					       .leave = take_fd(&leave_out),
					       .life = take_fd(&life_in),
					       .news = take_fd(&news_in),
					       .orders = take_fd(&orders_ours),
					       .serve = take_fd(&serve_out),
					       .edition = line->edition,
					       .number = ++line->begun,
					       .began_ms = io_now_ms(),
					       .told_ms = io_now_ms()};
	return 0;
}

void generations_close(struct generations_generation *row)
{
	base_release_fd(&row->leave);
	base_release_fd(&row->life);
	base_release_fd(&row->news);
	base_release_fd(&row->orders);
	base_release_fd(&row->serve);
}

void generations_slow(struct generations_generation *row)
{
	row->slow = setpriority(PRIO_PROCESS, (id_t)row->pool,
				GENERATIONS_NICE) == 0;
}

void generations_hurry(struct generations_generation *row)
{
	if (row->slow && setpriority(PRIO_PGRP, (id_t)row->group, 0) < 0)
		log_warn("undo a low priority: %s", log_errno(errno));
	row->slow = false;
}

/* Tried, because the bound is not the same everywhere (RLIMIT_NICE). */
bool generations_may_hurry(void)
{
	int status = -1;
	pid_t pid = fork();

	if (pid == 0)
		_exit(setpriority(PRIO_PROCESS, 0, GENERATIONS_NICE) < 0 ||
		      setpriority(PRIO_PROCESS, 0, 0) < 0);
	return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}
