/* prefault - see prefault.h. */
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
#include "sandbox/base/io.h"
#include "sandbox/base/anon_pages.h"
#include "sandbox/base/stage.h"
#include "sandbox/ipc/wire.h"

#define PREFAULT_MAPS_MAX (4u << 20) /* of /proc/self/maps, bytes */
#define PREFAULT_ENTRIES 512 /* of /proc/self/pagemap, read at a time */
#define PREFAULT_FD_ABOVE 16 /* where pipe ends are parked, past wire_fd */
#define PREFAULT_PAGE 4096u
#define PREFAULT_WINDOW 65536u /* bytes that a read fault maps, aligned */

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#define MADV_POPULATE_WRITE 23
#endif
#define PREFAULT_SELF (-10000) /* PIDFD_SELF_THREAD, Linux 6.14 */

/* An entry of /proc/PID/pagemap (the kernel's pagemap.rst). */
#define PREFAULT_IN_MEMORY (1ull << 63)
#define PREFAULT_OF_A_FILE (1ull << 61)
#define PREFAULT_OURS_ALONE (1ull << 56)

static struct iovec *prefault_last(struct prefault_ranges *list)
{
	return list->count > 0 ? &list->ranges[list->count - 1] : NULL;
}

static void prefault_add(struct prefault_ranges *list, uintptr_t at)
{
	struct iovec *last = prefault_last(list);

	if (last && (uintptr_t)last->iov_base + last->iov_len == at)
		last->iov_len += PREFAULT_PAGE;
	else if (list->count < PREFAULT_RANGES_MAX)
		list->ranges[list->count++] = (struct iovec){(void *)at,
							     PREFAULT_PAGE};
	else
		return;
	list->pages++;
}

/* Add one page of each window: a read fault maps its neighbours, too. */
static void prefault_add_read(struct prefault_ranges *list, uintptr_t at)
{
	const struct iovec *last = prefault_last(list);

	if (!last ||
	    (uintptr_t)last->iov_base / PREFAULT_WINDOW != at / PREFAULT_WINDOW)
		prefault_add(list, at);
}

/* List the pages of the mapping from START to END that are in memory. A page of
 * frozen memory that this child has written is not the file's any more, and is
 * mapped by this child alone; the parent's written pages are shared. */
static int prefault_list_mapping(struct prefault *prefault, int pagemap,
				 uintptr_t start, uintptr_t end, bool frozen)
{
	uint64_t entries[PREFAULT_ENTRIES];

	for (uintptr_t at = start; at < end;) {
		size_t left = (end - at) / PREFAULT_PAGE;
		size_t count = left < PREFAULT_ENTRIES ? left
						       : PREFAULT_ENTRIES;
		ssize_t want = (ssize_t)(count * sizeof(*entries));

		if (pread(pagemap, entries, (size_t)want,
			  (off_t)(at / PREFAULT_PAGE * sizeof(*entries))) !=
		    want)
			return -EIO;
		for (size_t i = 0; i < count; i++, at += PREFAULT_PAGE) {
			bool here = entries[i] & PREFAULT_IN_MEMORY;
			bool file = entries[i] & PREFAULT_OF_A_FILE;
			bool ours = entries[i] & PREFAULT_OURS_ALONE;

			if (here && file)
				prefault_add_read(&prefault->read, at);
			else if (here && frozen && ours)
				prefault_add(&prefault->written, at);
		}
	}
	return 0;
}

/* List the pages of the mapping in LINE of /proc/PID/maps (proc(5)), if it is a
 * private one of a file. The others are small, or must not be touched. */
static int prefault_list_line(struct prefault *prefault, int pagemap,
			      const char *line)
{
	uintptr_t start, end;
	char perms[5], name[64] = "";

	if (sscanf(line, "%lx-%lx %4s %*s %*s %*s %63s", &start, &end, perms,
		   name) < 4 || perms[0] != 'r' || perms[3] != 'p' ||
	    name[0] != '/')
		return 0;
	return prefault_list_mapping(prefault, pagemap, start, end,
				     strstr(name, FREEZE_NAME) != NULL);
}

static int prefault_list_all(struct prefault *prefault, int proc)
{
	owned_fd int pagemap = openat(proc, "self/pagemap",
				      O_RDONLY | O_CLOEXEC);
	struct bytes text;

	if (pagemap < 0)
		return -errno;
	int rc = io_read_file(proc, "self/maps", PREFAULT_MAPS_MAX, &text);

	if (rc < 0)
		return rc;
	char *rest = text.data, *line;

	while (rc == 0 && (line = strsep(&rest, "\n")))
		rc = prefault_list_line(prefault, pagemap, line);
	free(text.data);
	return rc;
}

int prefault_pipes(const struct bytes *packed)
{
	for (int i = 0; i < WIRE_FD_COUNT; i++) {
		int ends[2], mine = i == WIRE_FD_JOB ? 0 : 1;

		if (pipe(ends) < 0)
			return -errno;
		for (int end = 0; end < 2; end++) {
			ends[end] = fcntl(ends[end], F_DUPFD,
					  PREFAULT_FD_ABOVE);
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

int prefault_wait(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	return WIFEXITED(status) ? -WEXITSTATUS(status) : -ECHILD;
}

struct prefault_rehearsal {
	struct prefault *prefault; /* in shared memory */
	int proc;
	int (*act)(void *context);
	void *context;
};

static int prefault_learn_pages(const struct prefault_rehearsal *rehearsal)
{
	int rc = rehearsal->act(rehearsal->context);

	/* A process that has changed its user may read its own pagemap only if
	 * it is dumpable. */
	if (rc == 0 && prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) < 0)
		rc = -errno;
	return rc < 0 ? rc
		      : prefault_list_all(rehearsal->prefault, rehearsal->proc);
}

/* Linux 6.14 and later take all ranges in one call on the calling process;
 * earlier ones need a call for each. */
static void prefault_advise(const struct prefault_ranges *list, int advice)
{
	if (list->count == 0 ||
	    syscall(SYS_process_madvise, PREFAULT_SELF, list->ranges,
		    list->count, advice, 0) > 0)
		return;
	for (size_t i = 0; i < list->count; i++)
		madvise(list->ranges[i].iov_base, list->ranges[i].iov_len,
			advice);
}

static int prefault_is_here(int pagemap, uintptr_t at)
{
	uint64_t entry;

	if (pread(pagemap, &entry, sizeof(entry),
		  (off_t)(at / PREFAULT_PAGE * sizeof(entry))) != sizeof(entry))
		return -EIO;
	return (entry & PREFAULT_IN_MEMORY) != 0;
}

/* Keep those pages of the read list that no other page brings along, as each
 * page of a huge one does. */
static int prefault_thin(const struct prefault_rehearsal *rehearsal)
{
	struct prefault_ranges *list = &rehearsal->prefault->read;
	struct prefault_ranges all = *list;

	if (prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) < 0)
		return -errno;
	owned_fd int pagemap = openat(rehearsal->proc, "self/pagemap",
				      O_RDONLY | O_CLOEXEC);

	if (pagemap < 0)
		return -errno;
	prefault_advise(&rehearsal->prefault->written, MADV_POPULATE_WRITE);
	list->count = list->pages = 0;
	for (size_t i = 0; i < all.count; i++) {
		uintptr_t at = (uintptr_t)all.ranges[i].iov_base;
		int here = prefault_is_here(pagemap, at);

		if (here < 0)
			return here;
		if (here)
			continue;
		(void)*(volatile const char *)at;
		prefault_add(list, at);
	}
	return 0;
}

static int
prefault_in_child(int (*step)(const struct prefault_rehearsal *rehearsal),
		  const struct prefault_rehearsal *rehearsal)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(-step(rehearsal));
	stage_join(pid);
	return pid < 0 ? -errno : prefault_wait(pid);
}

int prefault_learn(int proc, int (*act)(void *context), void *context,
		   struct prefault *prefault)
{
	struct prefault *shared = anon_pages_open(sizeof(*shared), true);
	const struct prefault_rehearsal rehearsal = {shared, proc, act,
						     context};

	*prefault = (struct prefault){0};
	if (!shared)
		return -errno;
	int rc = prefault_in_child(prefault_learn_pages, &rehearsal);

	if (rc == 0)
		rc = prefault_in_child(prefault_thin, &rehearsal);
	if (rc == 0)
		*prefault = *shared;
	anon_pages_close(shared, sizeof(*shared));
	return rc;
}

void prefault_take(const struct prefault *prefault)
{
	prefault_advise(&prefault->written, MADV_POPULATE_WRITE);
	prefault_advise(&prefault->read, MADV_POPULATE_READ);
}
