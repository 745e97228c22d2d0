/* io - see io.h. */
#include "io.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

int io_read_full(int fd, void *data, size_t size)
{
	char *at = data;

	while (size > 0) {
		ssize_t n = read(fd, at, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			return -EPIPE;
		at += n;
		size -= (size_t)n;
	}
	return 0;
}

int io_write_full(int fd, const void *data, size_t size)
{
	const char *at = data;

	while (size > 0) {
		ssize_t n = write(fd, at, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		at += n;
		size -= (size_t)n;
	}
	return 0;
}

int io_write_file(int dir, const char *name, const char *text)
{
	owned_fd int fd = openat(dir, name, O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	return io_write_full(fd, text, strlen(text));
}

static int io_grow(struct bytes *out, size_t *room, size_t max)
{
	size_t more = *room ? *room * 2 : 4096;

	if (more > max + 2)
		more = max + 2;
	char *data = realloc(out->data, more);

	if (!data)
		return -ENOMEM;
	out->data = data;
	*room = more;
	return 0;
}

static int io_read_rest(int fd, size_t max, struct bytes *out)
{
	size_t room = 0;

	for (;;) {
		if (out->size + 1 >= room && io_grow(out, &room, max) < 0)
			return -ENOMEM;
		ssize_t n = read(fd, out->data + out->size,
				 room - out->size - 1);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		out->size += (size_t)n;
		if (out->size > max)
			return -EFBIG;
	}
	out->data[out->size] = '\0';
	return 0;
}

int io_read_fd(int fd, size_t max, struct bytes *out)
{
	*out = (struct bytes){0};
	int rc = io_read_rest(fd, max, out);

	if (rc < 0) {
		free(out->data);
		*out = (struct bytes){0};
	}
	return rc;
}

int io_read_file(int dir, const char *name, size_t max, struct bytes *out)
{
	owned_fd int fd = openat(dir, name, O_RDONLY | O_CLOEXEC);

	*out = (struct bytes){0};
	if (fd < 0)
		return -errno;
	return io_read_fd(fd, max, out);
}

int io_read_number(int fd, uint64_t *out)
{
	char text[32];
	ssize_t n = pread(fd, text, sizeof(text) - 1, 0);

	if (n < 0)
		return -errno;
	text[n] = '\0';
	char *end;

	errno = 0;
	*out = strtoull(text, &end, 10);
	return end == text || errno ? -EINVAL : 0;
}

/* The size in bytes of the whole pages between FROM and END; *FIRST is their
 * start. */
static size_t io_pages(char *from, const char *end, char **first)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	const char *last = end - ((uintptr_t)end & (page - 1));

	*first = from + (-(uintptr_t)from & (page - 1));
	return *first < last ? (size_t)(last - *first) : 0;
}

char *io_release_pages(char *from, const char *end)
{
	char *first;
	size_t size = io_pages(from, end, &first);

	if (size == 0)
		return from;
	/* A failure only keeps unneeded memory for longer. */
	madvise(first, size, MADV_DONTNEED);
	return first + size;
}

void io_ask_huge_pages(char *from, const char *end)
{
	char *first;
	size_t size = io_pages(from, end, &first);

	/* A failure leaves normal pages, which work as well. */
	if (size > 0)
		madvise(first, size, MADV_HUGEPAGE);
}

int io_set_nonblocking(int fd, bool on)
{
	int flags = fcntl(fd, F_GETFL);

	if (flags < 0)
		return -errno;
	flags = on ? flags | O_NONBLOCK : flags & ~O_NONBLOCK;
	return fcntl(fd, F_SETFL, flags) < 0 ? -errno : 0;
}

int64_t io_now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int64_t io_now_ms(void)
{
	return io_now_us() / 1000;
}

int io_wait_readable(int fd, int timeout_ms)
{
	struct pollfd want = {.fd = fd, .events = POLLIN};
	int64_t end = io_now_ms() + timeout_ms;

	for (;;) {
		int left = (int)(end - io_now_ms());
		int n = poll(&want, 1, left > 0 ? left : 0);

		if (n >= 0)
			return n;
		if (errno != EINTR)
			return -errno;
	}
}
