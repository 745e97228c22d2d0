/* former - see former.h. */
#include "former.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "sandbox/base/io.h"

#define FORMER_MAGIC 0x31736e6f69737365 /* changes with the file's layout */

/* The file: this, then COUNT entries, the oldest first. */
struct former_head {
	uint64_t magic;
	uint64_t point; /* of the digests */
	uint64_t count;
};

static int64_t former_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static uint64_t former_name(const struct former *former, const char *owner,
			    const char *id)
{
	char text[SESSION_ORDER_OWNER_MAX + SESSION_ORDER_ID_MAX];
	struct digest digest = former->seed;
	int size = snprintf(text, sizeof(text), "%s%c%s", owner, '\0', id);

	digest_add(&digest, text, (size_t)size);
	return digest.sum;
}

static void former_put(struct former *former, const struct former_entry *entry)
{
	former->entries[former->next] = *entry;
	former->next = (former->next + 1) % FORMER_MAX;
	if (former->count < FORMER_MAX)
		former->count++;
}

void former_add(struct former *former, const char *owner, const char *id,
		enum session_origin reason)
{
	if (former->entries)
		former_put(former, &(struct former_entry){
					   former_name(former, owner, id),
					   former_now(), reason});
}

/* The entry that was added I entries before the last one. */
static const struct former_entry *former_at(const struct former *former,
					    size_t i)
{
	return &former->entries[(former->next + FORMER_MAX - 1 - i) %
				FORMER_MAX];
}

enum session_origin former_find(const struct former *former, const char *owner,
				const char *id)
{
	if (!former->entries)
		return SESSION_NEW;
	const uint64_t name = former_name(former, owner, id);
	const int64_t since = former_now() - FORMER_AGE_MS;

	for (size_t i = 0; i < former->count; i++) {
		const struct former_entry *entry = former_at(former, i);

		if (entry->name == name)
			return entry->ended_ms > since ? entry->reason
						       : SESSION_NEW;
	}
	return SESSION_NEW;
}

/* ---- the file -------------------------------------------------------- */

static int former_parse(struct former *former, const struct bytes *text)
{
	const size_t size = sizeof(struct former_entry);
	struct former_head head;

	if (text->size < sizeof(head))
		return -EINVAL;
	memcpy(&head, text->data, sizeof(head));
	if (head.magic != FORMER_MAGIC || head.point == 0 ||
	    head.count > FORMER_MAX ||
	    text->size != sizeof(head) + head.count * size)
		return -EINVAL;
	former->seed = (struct digest){.point = head.point};
	for (size_t i = 0; i < head.count; i++) {
		struct former_entry entry;

		memcpy(&entry, text->data + sizeof(head) + i * size, size);
		if (entry.reason > SESSION_NEW &&
		    entry.reason < SESSION_ORIGINS)
			former_put(former, &entry);
	}
	return 0;
}

/* Open the file of a former server of the same user. Workers own its directory,
 * so another's file, a link, or a pipe that nothing is written to is refused.
 * Returns a descriptor or a negative errno value. */
static int former_open_file(const char *path)
{
	struct stat st;
	owned_fd int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK |
					     O_CLOEXEC);

	if (fd < 0 || fstat(fd, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode) || st.st_uid != geteuid() ||
	    (st.st_mode & 077) != 0)
		return -EPERM;
	return take_fd(&fd);
}

static int former_load(struct former *former, const char *path)
{
	const size_t most = sizeof(struct former_head) +
			    FORMER_MAX * sizeof(struct former_entry);
	owned_fd int fd = former_open_file(path);
	struct bytes text = {0};

	if (fd == -ENOENT)
		return 0;
	int rc = fd < 0 ? fd : io_read_fd(fd, most, &text);

	if (rc == 0)
		rc = former_parse(former, &text);
	free(text.data);
	unlink(path); /* it is true once */
	return rc;
}

int former_open(struct former *former, const char *path)
{
	*former = (struct former){
		.entries = calloc(FORMER_MAX, sizeof(*former->entries))};
	if (!former->entries)
		return -ENOMEM;
	int rc = digest_begin(&former->seed);

	return rc == 0 && path ? former_load(former, path) : rc;
}

int former_save(const struct former *former, const char *path)
{
	const struct former_head head = {FORMER_MAGIC, former->seed.point,
					 former->count};

	/* A new file: nothing that lies there is written to. */
	unlink(path);
	owned_fd int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
			       0600);

	if (fd < 0)
		return -errno;
	int rc = io_write_full(fd, &head, sizeof(head));

	for (size_t i = former->count; i > 0 && rc == 0; i--)
		rc = io_write_full(fd, former_at(former, i - 1),
				   sizeof(struct former_entry));
	return rc;
}

void former_free(struct former *former)
{
	free(former->entries);
	*former = (struct former){0};
}
