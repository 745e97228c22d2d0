/* warm - see warm.h. */
#include "prefault.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "freeze.h"
#include "sandbox/guest/guest.h"
#include "sandbox/base/io.h"
#include "sandbox/base/job.h"
#include "sandbox/base/limits.h"
#include "sandbox/base/anon_pages.h"
#include "sandbox/python/interpreter.h"
#include "sandbox/base/stage.h"
#include "sandbox/ipc/wire.h"

#define WARM_MAPS_MAX (4u << 20) /* of /proc/self/maps, bytes */
#define WARM_ENTRIES 512 /* of /proc/self/pagemap, read at a time */
#define WARM_PAGE 4096u
#define WARM_WINDOW 65536u /* what a read fault maps, aligned (fault_around) */

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#define MADV_POPULATE_WRITE 23
#endif
#define WARM_SELF (-10000) /* PIDFD_SELF_THREAD, Linux 6.14 */

/* An entry of /proc/PID/pagemap (the kernel's pagemap.rst). */
#define WARM_IN_MEMORY (1ull << 63)
#define WARM_OF_A_FILE (1ull << 61)
#define WARM_OURS_ALONE (1ull << 56)

static char warm_code[] = WARM_PROGRAM;

static struct iovec *warm_last(struct warm_ranges *list)
{
	return list->count > 0 ? &list->ranges[list->count - 1] : NULL;
}

static void warm_add(struct warm_ranges *list, uintptr_t at)
{
	struct iovec *last = warm_last(list);

	if (last && (uintptr_t)last->iov_base + last->iov_len == at)
		last->iov_len += WARM_PAGE;
	else if (list->count < WARM_RANGES_MAX)
		list->ranges[list->count++] =
			(struct iovec){(void *)at, WARM_PAGE};
	else
		return;
	list->pages++;
}

/* A page that is read brings its neighbours along: one is enough of each
 * window. */
static void warm_add_read(struct warm_ranges *list, uintptr_t at)
{
	const struct iovec *last = warm_last(list);

	if (!last || (uintptr_t)last->iov_base / WARM_WINDOW !=
			     at / WARM_WINDOW)
		warm_add(list, at);
}

/* What is used of the mapping from START to END. What was written of frozen
 * memory is no page of the file any more, and nobody else's, which a page
 * that the zygote has written is. */
static int warm_look(struct warm *warm, int pagemap, uintptr_t start,
		     uintptr_t end, bool frozen)
{
	uint64_t entries[WARM_ENTRIES];

	for (uintptr_t at = start; at < end;) {
		size_t left = (end - at) / WARM_PAGE;
		size_t count = left < WARM_ENTRIES ? left : WARM_ENTRIES;
		ssize_t want = (ssize_t)(count * sizeof(*entries));

		if (pread(pagemap, entries, (size_t)want,
			  (off_t)(at / WARM_PAGE * sizeof(*entries))) != want)
			return -EIO;
		for (size_t i = 0; i < count; i++, at += WARM_PAGE) {
			bool here = entries[i] & WARM_IN_MEMORY;
			bool file = entries[i] & WARM_OF_A_FILE;
			bool ours = entries[i] & WARM_OURS_ALONE;

			if (here && file)
				warm_add_read(&warm->read, at);
			else if (here && frozen && ours)
				warm_add(&warm->written, at);
		}
	}
	return 0;
}

/* A line of /proc/PID/maps (proc(5)). Private mappings of files only: all
 * else is small or has a meaning of its own. */
static int warm_look_line(struct warm *warm, int pagemap, const char *line)
{
	uintptr_t start, end;
	char perms[5], name[64] = "";

	if (sscanf(line, "%lx-%lx %4s %*s %*s %*s %63s", &start, &end, perms,
		   name) < 4 || perms[0] != 'r' || perms[3] != 'p' ||
	    name[0] != '/')
		return 0;
	return warm_look(warm, pagemap, start, end,
			 strstr(name, FREEZE_NAME) != NULL);
}

static int warm_look_all(struct warm *warm, int proc)
{
	owned_fd int pagemap = openat(proc, "self/pagemap",
				      O_RDONLY | O_CLOEXEC);
	struct bytes text;

	if (pagemap < 0)
		return -errno;
	int rc = io_read_file(proc, "self/maps", WARM_MAPS_MAX, &text);

	if (rc < 0)
		return rc;
	char *rest = text.data, *line;

	while (rc == 0 && (line = strsep(&rest, "\n")))
		rc = warm_look_line(warm, pagemap, line);
	free(text.data);
	return rc;
}

int warm_pipes(const struct bytes *packed)
{
	for (int i = 0; i < WIRE_FD_COUNT; i++) {
		int ends[2], mine = i == WIRE_FD_JOB ? 0 : 1;

		if (pipe(ends) < 0)
			return -errno;
		for (int end = 0; end < 2; end++) {
			ends[end] = fcntl(ends[end], F_DUPFD, GUEST_FD_ABOVE);
			if (ends[end] < 0)
				return -errno;
		}
		if (i == WIRE_FD_JOB && packed &&
		    write(ends[1], packed->data, packed->size) !=
			    (ssize_t)packed->size)
			return -EIO;
		if (dup2(ends[mine], i) < 0)
			return -errno;
	}
	return 0;
}

int warm_guest(void *context)
{
	const struct job job = {.code = {warm_code, sizeof(warm_code) - 1}};
	struct bytes packed;
	int rc = wire_pack_job(&job, &packed);

	if (rc == 0)
		rc = warm_pipes(&packed);
	if (rc == 0)
		rc = python_after_fork();
	return rc < 0 ? rc : guest_serve(context);
}

int warm_wait(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	return WIFEXITED(status) ? -WEXITSTATUS(status) : -ECHILD;
}

struct warm_lesson {
	struct warm *warm; /* in memory that is shared */
	int proc;
	int (*act)(void *context);
	void *context;
};

static int warm_use(const struct warm_lesson *lesson)
{
	int rc = lesson->act(lesson->context);

	/* A process that has changed its user may not look at its own pages
	 * unless it says that others may, too. */
	if (rc == 0 && prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) < 0)
		rc = -errno;
	return rc < 0 ? rc : warm_look_all(lesson->warm, lesson->proc);
}

/* One call for all, where that is allowed on oneself (Linux 6.14); else one
 * for each. */
static void warm_advise(const struct warm_ranges *list, int advice)
{
	if (list->count == 0 ||
	    syscall(SYS_process_madvise, WARM_SELF, list->ranges, list->count,
		    advice, 0) > 0)
		return;
	for (size_t i = 0; i < list->count; i++)
		madvise(list->ranges[i].iov_base, list->ranges[i].iov_len,
			advice);
}

static int warm_is_here(int pagemap, uintptr_t at)
{
	uint64_t entry;

	if (pread(pagemap, &entry, sizeof(entry),
		  (off_t)(at / WARM_PAGE * sizeof(entry))) != sizeof(entry))
		return -EIO;
	return (entry & WARM_IN_MEMORY) != 0;
}

/* Of what is read, keep what must be asked for: with a page of a large one
 * the others come along. */
static int warm_thin(const struct warm_lesson *lesson)
{
	struct warm_ranges *list = &lesson->warm->read;
	struct warm_ranges all = *list;

	if (prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) < 0)
		return -errno;
	owned_fd int pagemap = openat(lesson->proc, "self/pagemap",
				      O_RDONLY | O_CLOEXEC);

	if (pagemap < 0)
		return -errno;
	warm_advise(&lesson->warm->written, MADV_POPULATE_WRITE);
	list->count = list->pages = 0;
	for (size_t i = 0; i < all.count; i++) {
		uintptr_t at = (uintptr_t)all.ranges[i].iov_base;
		int here = warm_is_here(pagemap, at);

		if (here < 0)
			return here;
		if (here)
			continue;
		(void)*(volatile const char *)at;
		warm_add(list, at);
	}
	return 0;
}

static int warm_in_child(int (*step)(const struct warm_lesson *lesson),
			 const struct warm_lesson *lesson)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(-step(lesson));
	stage_join(pid);
	return pid < 0 ? -errno : warm_wait(pid);
}

int warm_learn(int proc, int (*act)(void *context), void *context,
	       struct warm *warm)
{
	struct warm *shared = pages_open(sizeof(*shared), true);
	const struct warm_lesson lesson = {shared, proc, act, context};

	*warm = (struct warm){0};
	if (!shared)
		return -errno;
	int rc = warm_in_child(warm_use, &lesson);

	if (rc == 0)
		rc = warm_in_child(warm_thin, &lesson);
	if (rc == 0)
		*warm = *shared;
	pages_close(shared, sizeof(*shared));
	return rc;
}

void warm_take(const struct warm *warm)
{
	warm_advise(&warm->written, MADV_POPULATE_WRITE);
	warm_advise(&warm->read, MADV_POPULATE_READ);
}
