/*
 * archive - the process that keeps the files of solvers' runs.
 *
 * Who:    forked by the master, if server.artifacts_dir is set.
 * Holds:  one end of a socket, and the directory.
 * May:    write, create and remove files below that directory, as an
 *         unprivileged user. Its filter is a worker's with one more system
 *         call.
 * Talks:  It receives pieces from workers, and checks every number in them.
 * Ends:   It ends with the master, or when told to leave (leave.h). When it dies,
 *         the master starts another one.
 */
#include "archive.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>

#include "sandbox/base/io.h"
#include "sandbox/walls/landlock.h"
#include "sandbox/base/listing.h"
#include "sandbox/base/log.h"
#include "sandbox/walls/privileges.h"
#include "sandbox/walls/syscalls.h"
#include "sandbox/base/title.h"
#include "fcgi/shared/leave.h"

#define ARCHIVE_WAIT_S 1 /* timeout of a worker's send to the archive */

static const char *const archive_names[ARCHIVE_PARTS] = {
	[ARCHIVE_CODE] = "solver.py",	 [ARCHIVE_INPUT] = "input.json",
	[ARCHIVE_OUT] = "stdout.txt",	 [ARCHIVE_ERR] = "stderr.txt",
	[ARCHIVE_RESULT] = "result.json",
};

static const char archive_digits[] = "0123456789abcdef";

/* ---- master ---------------------------------------------------------- */

int archive_open(const struct archive_plan *plan, int *ours, int *workers)
{
	struct timeval wait = {.tv_sec = ARCHIVE_WAIT_S};
	int ends[2];

	if (mkdir(plan->dir, 0700) < 0 && errno != EEXIST)
		return -errno;
	if (geteuid() == 0 && chown(plan->dir, plan->uid, (gid_t)-1) < 0)
		return -errno;
	if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, ends) < 0)
		return -errno;
	owned_fd int in = ends[0], out = ends[1];

	/* Without a timeout, workers would wait for a stopped archive
	 * process. */
	if (setsockopt(out, SOL_SOCKET, SO_SNDTIMEO, &wait, sizeof(wait)) < 0)
		return -errno;
	*ours = take_fd(&in);
	*workers = take_fd(&out);
	return 0;
}

/* ---- worker ---------------------------------------------------------- */

static int archive_send_piece(int fd, struct archive_piece *piece)
{
	size_t size = offsetof(struct archive_piece, data) + piece->size;
	ssize_t n;

	do
		n = send(fd, piece, size, MSG_NOSIGNAL);
	while (n < 0 && errno == EINTR);
	piece->offset += piece->size;
	return n < 0 ? -errno : 0;
}

static int archive_send_bytes(int fd, struct archive_piece *piece,
			      enum archive_part part, const struct bytes *bytes)
{
	int rc = 0;

	piece->part = part;
	piece->offset = 0;
	for (size_t at = 0; at < bytes->size && rc == 0; at += piece->size) {
		size_t left = bytes->size - at;

		piece->size = left < ARCHIVE_PIECE ? (uint32_t)left
						   : ARCHIVE_PIECE;
		memcpy(piece->data, bytes->data + at, piece->size);
		rc = archive_send_piece(fd, piece);
	}
	return rc;
}

static int archive_send_file(int fd, struct archive_piece *piece,
			     const struct outcome_file *file)
{
	int rc = 0;

	piece->part = ARCHIVE_RESULT;
	piece->offset = 0;
	while (rc == 0 && piece->offset < file->size) {
		uint64_t left = file->size - piece->offset;
		ssize_t n = pread(file->fd, piece->data,
				  left < ARCHIVE_PIECE ? (size_t)left
						       : ARCHIVE_PIECE,
				  (off_t)piece->offset);

		if (n <= 0)
			return n < 0 ? -errno : -EIO;
		piece->size = (uint32_t)n;
		rc = archive_send_piece(fd, piece);
	}
	return rc;
}

int archive_send(int fd, const char *id, const struct job *job,
		 const struct outcome *outcome)
{
	struct archive_piece piece = {.id = ""};

	memcpy(piece.id, id, ARCHIVE_ID);
	int rc = archive_send_bytes(fd, &piece, ARCHIVE_CODE, &job->code);

	for (size_t i = 0; i < job->files_count && rc == 0; i++)
		if (strcmp(job->files[i].name,
			   archive_names[ARCHIVE_INPUT]) == 0)
			rc = archive_send_bytes(fd, &piece, ARCHIVE_INPUT,
						&job->files[i].content);
	if (rc == 0)
		rc = archive_send_bytes(fd, &piece, ARCHIVE_OUT,
					&outcome->out.kept);
	if (rc == 0)
		rc = archive_send_bytes(fd, &piece, ARCHIVE_ERR,
					&outcome->err.kept);
	for (size_t i = 0; i < outcome->files_count && rc == 0; i++)
		if (strcmp(outcome->files[i].name,
			   archive_names[ARCHIVE_RESULT]) == 0)
			rc = archive_send_file(fd, &piece, &outcome->files[i]);
	return rc;
}

/* ---- archive process ------------------------------------------------- */

bool archive_is_sane(const struct archive_piece *piece, size_t size,
		     uint64_t part_max)
{
	size_t head = offsetof(struct archive_piece, data);

	return size >= head && piece->size == size - head &&
	       piece->part < ARCHIVE_PARTS && piece->size <= part_max &&
	       piece->offset <= part_max - piece->size &&
	       strspn(piece->id, archive_digits) >= ARCHIVE_ID;
}

static bool archive_is_id(const char *name)
{
	return strlen(name) == ARCHIVE_ID &&
	       strspn(name, archive_digits) == ARCHIVE_ID;
}

static void archive_remove_run(int dir, const char *id)
{
	owned_fd int run = openat(dir, id, O_PATH | O_DIRECTORY |
						   O_NOFOLLOW | O_CLOEXEC);

	for (size_t i = 0; run >= 0 && i < ARCHIVE_PARTS; i++)
		unlinkat(run, archive_names[i], 0);
	if (unlinkat(dir, id, AT_REMOVEDIR) < 0)
		log_warn("remove an old run from the archive: %s",
			 log_errno(errno));
}

static bool archive_is_older(const struct stat *a, const struct stat *b)
{
	return a->st_mtim.tv_sec != b->st_mtim.tv_sec
		       ? a->st_mtim.tv_sec < b->st_mtim.tv_sec
		       : a->st_mtim.tv_nsec < b->st_mtim.tv_nsec;
}

/* Find the OLDEST run. Returns the number of runs, or a negative errno
 * value. */
static int archive_oldest_run(int dir, char oldest[ARCHIVE_ID + 1])
{
	owned_listing struct listing list = listing_of(dir);
	struct stat first = {0}, st;
	const char *name;
	int count = 0;

	while ((name = listing_next(&list))) {
		if (!archive_is_id(name) ||
		    fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
			continue;
		if (count++ > 0 && !archive_is_older(&st, &first))
			continue;
		first = st;
		memcpy(oldest, name, ARCHIVE_ID + 1);
	}
	return list.error < 0 ? list.error : count;
}

static void archive_prune(int dir, unsigned keep)
{
	char oldest[ARCHIVE_ID + 1];
	int count = archive_oldest_run(dir, oldest), left = count;

	for (; count >= 0 && left > (int)keep; left--) {
		archive_remove_run(dir, oldest);
		count = archive_oldest_run(dir, oldest);
	}
	if (count < 0)
		log_warn("list the runs in the archive: %s", log_errno(count));
}

int archive_write(int dir, const struct archive_piece *piece, unsigned keep)
{
	char id[ARCHIVE_ID + 1] = "";

	memcpy(id, piece->id, ARCHIVE_ID);
	if (mkdirat(dir, id, 0700) == 0)
		archive_prune(dir, keep);
	else if (errno != EEXIST)
		return -errno;
	owned_fd int run = openat(dir, id, O_PATH | O_DIRECTORY |
						   O_NOFOLLOW | O_CLOEXEC);
	owned_fd int fd = run < 0 ? -1
				  : openat(run, archive_names[piece->part],
					   O_CREAT | O_WRONLY | O_NOFOLLOW |
						   O_CLOEXEC, 0600);

	if (fd < 0)
		return -errno;
	ssize_t n = pwrite(fd, piece->data, piece->size, (off_t)piece->offset);
	int rc = n < 0 ? -errno : n < (ssize_t)piece->size ? -ENOSPC : 0;

	/* Some file systems report a full disk only when the file is closed. */
	if (close(take_fd(&fd)) < 0 && rc == 0)
		rc = -errno;
	return rc;
}

static bool archive_is_lost(const struct archive_lost *lost, const char *id)
{
	for (size_t i = 0; i < ARCHIVE_LOST; i++)
		if (memcmp(lost->ids[i], id, ARCHIVE_ID) == 0)
			return true;
	return false;
}

int archive_take(int dir, const struct archive_piece *piece, unsigned keep,
		 struct archive_lost *lost)
{
	char id[ARCHIVE_ID + 1] = "";

	if (archive_is_lost(lost, piece->id))
		return 0;
	int rc = archive_write(dir, piece, keep);

	if (rc < 0) {
		memcpy(id, piece->id, ARCHIVE_ID);
		memcpy(lost->ids[lost->count++ % ARCHIVE_LOST], id,
		       ARCHIVE_ID);
		archive_remove_run(dir, id);
	}
	return rc;
}

static int archive_lock(const struct archive_plan *plan, int dir)
{
	struct syscalls_filter filter;

	int rc = privileges_give_up(plan->uid, plan->master);

	if (rc == 0 && plan->landlock_abi > 0)
		rc = landlock_enforce_archive(plan->landlock_abi, dir);
	if (rc == 0)
		rc = syscalls_compile(SYSCALLS_ARCHIVE, &filter);
	return rc < 0 ? rc : syscalls_load(&filter);
}

void archive_main(const struct archive_plan *plan, int in)
{
	static struct archive_piece piece;
	static struct archive_lost lost;
	const int leave = leave_open();
	struct pollfd polled[] = {{.fd = in, .events = POLLIN},
				  {.fd = leave, .events = POLLIN}};
	int dir = open(plan->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	log_set_role("archive");
	title_set("archive");
	if (dir < 0)
		die("open %s: %s", plan->dir, log_errno(errno));
	if (leave < 0)
		die("make a signal descriptor: %s", log_errno(leave));
	int rc = archive_lock(plan, dir);

	if (rc < 0)
		die("lock the archive process: %s", log_errno(rc));
	while (!polled[1].revents) {
		if (poll(polled, ARRAY_LEN(polled), -1) <= 0 ||
		    !polled[0].revents)
			continue;
		ssize_t n = recv(in, &piece, sizeof(piece), 0);

		if (n < 0 && errno != EINTR)
			die("receive from workers: %s", log_errno(errno));
		if (n < 0 || !archive_is_sane(&piece, (size_t)n,
					      plan->part_max))
			continue;
		rc = archive_take(dir, &piece, plan->keep, &lost);
		if (rc < 0)
			log_warn("run not kept: id=%.*s error=\"%s\"",
				 ARCHIVE_ID, piece.id, log_errno(rc));
	}
	exit(0);
}
