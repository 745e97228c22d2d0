/* generation_handle - see generation_handle.h. */
#include "generation_handle.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "sandbox/base/io.h"
#include "sandbox/base/log.h"
#include "fcgi/shared/generation.h"

/* A third of the weight of a generation that serves. */
#define GENERATION_HANDLE_NICE 5

void generation_handle_init(struct generation_handle *handle)
{
	*handle = (struct generation_handle){.leave = -1,
					     .life = -1,
					     .events = -1,
					     .orders = -1,
					     .serve = -1};
}

/* ---- start ----------------------------------------------------------- */

static int generation_handle_conf_file(const struct bytes *text)
{
	owned_fd int fd = memfd_create("configuration", MFD_CLOEXEC);

	if (fd < 0)
		return -errno;
	int rc = io_write_full(fd, text->data, text->size);

	return rc < 0 ? rc : take_fd(&fd);
}

static int generation_handle_pipe(int ends[2])
{
	return pipe2(ends, O_CLOEXEC) < 0 ? -errno : 0;
}

/* The pool process's ends are closed here in any case. The master's ends
 * become HANDLE's. */
int generation_handle_start(struct generation_handle *handle,
			    const struct generation_handle_fds *from,
			    const struct bytes *text)
{
	int leave[2], life[2], events[2], orders[2], serve[2];
	owned_fd int conf = generation_handle_conf_file(text);

	if (conf < 0)
		return conf;
	if (generation_handle_pipe(leave) < 0)
		return -EMFILE;
	owned_fd int leave_out = leave[1], leave_in = leave[0];

	if (generation_handle_pipe(life) < 0)
		return -EMFILE;
	owned_fd int life_in = life[0], life_out = life[1];

	if (generation_handle_pipe(events) < 0)
		return -EMFILE;
	owned_fd int events_in = events[0], events_out = events[1];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, orders) < 0)
		return -EMFILE;
	owned_fd int orders_ours = orders[0], orders_theirs = orders[1];

	if (generation_handle_pipe(serve) < 0)
		return -EMFILE;
	owned_fd int serve_in = serve[0], serve_out = serve[1];
	/* In the order of enum generation_fd. */
	const int fds[] = {conf,           from->listener, leave_in,
			   life_out,       events_out,     from->board,
			   from->registry, orders_theirs,  from->archive,
			   serve_in,       from->queue,    from->shares,
			   from->tcp[0],   from->tcp[1],   from->tcp[2],
			   from->tcp[3]};
	_Static_assert(ADDRESS_LISTEN_MAX == 4, "all of them are here");
	int rc = io_set_nonblocking(events_in, true);
	pid_t pid = rc < 0 ? rc : generation_spawn(fds);

	if (pid < 0)
		return pid;
	const int64_t now = io_now_ms();

	*handle = (struct generation_handle){.used = true,
					     .pool = pid,
					     .group = pid,
					     .leave = take_fd(&leave_out),
					     .life = take_fd(&life_in),
					     .events = take_fd(&events_in),
					     .orders = take_fd(&orders_ours),
					     .serve = take_fd(&serve_out),
					     .began_ms = now,
					     .logged_ms = now};
	return 0;
}

/* ---- state ----------------------------------------------------------- */

enum generation_handle_state
generation_handle_state(const struct generation_handle *handle)
{
	if (!handle->used || handle->pool == 0 || handle->leave < 0)
		return GENERATION_HANDLE_GONE;
	return handle->ready       ? GENERATION_HANDLE_SERVING
	       : handle->activated ? GENERATION_HANDLE_ARMING
	       : handle->prepared  ? GENERATION_HANDLE_STANDBY
				   : GENERATION_HANDLE_PREPARING;
}

bool generation_handle_ended(const struct generation_handle *handle)
{
	struct pollfd polled = {.fd = handle->life};

	return poll(&polled, 1, 0) > 0 && (polled.revents & POLLHUP);
}

/* ---- end ------------------------------------------------------------- */

void generation_handle_retire(struct generation_handle *handle)
{
	base_release_fd(&handle->leave);
}

void generation_handle_abort(struct generation_handle *handle)
{
	generation_handle_retire(handle);
	kill(-handle->group, SIGKILL);
}

void generation_handle_close(struct generation_handle *handle)
{
	base_release_fd(&handle->leave);
	base_release_fd(&handle->life);
	base_release_fd(&handle->events);
	base_release_fd(&handle->orders);
	base_release_fd(&handle->serve);
}

/* ---- priority -------------------------------------------------------- */

void generation_handle_lower_priority(struct generation_handle *handle)
{
	handle->niced = setpriority(PRIO_PROCESS, (id_t)handle->pool,
				    GENERATION_HANDLE_NICE) == 0;
}

void generation_handle_restore_priority(struct generation_handle *handle)
{
	if (handle->niced && setpriority(PRIO_PGRP, (id_t)handle->group, 0) < 0)
		log_warn("restore the priority of a generation: %s",
			 log_errno(errno));
	handle->niced = false;
}

/* A child tries it, because the bound (RLIMIT_NICE) differs between hosts. */
bool generation_handle_can_restore(void)
{
	int status = -1;
	pid_t pid = fork();

	if (pid == 0)
		_exit(setpriority(PRIO_PROCESS, 0, GENERATION_HANDLE_NICE) <
			      0 ||
		      setpriority(PRIO_PROCESS, 0, 0) < 0);
	return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}
