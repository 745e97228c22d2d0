/*
 * freeze - see freeze.h.
 *
 * Nothing here may write to memory that is being frozen between its copy and
 * its new mapping: what is known about the mappings lives in shared memory,
 * which is never frozen, the rest on the stack.
 */
#include "freeze.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "freeze_plan.h"
#include "sandbox/base/io.h"
#include "sandbox/filesystem/mount_api.h"
#include "sandbox/base/anon_pages.h"

#define FREEZE_TEXT_MAX (4u << 20) /* of /proc/self/smaps, bytes */
#define FREEZE_MAPPED_LARGE "\nShmemPmdMapped:" /* there; proc(5) */

struct freeze {
	int smaps;
	bool large;  /* pages are to be had */
	off_t asked; /* for those of the file up to here */
	struct freeze_list there;  /* what could be frozen; WANTED: shall be */
	struct freeze_list chosen; /* as it is going to be mapped */
	char text[FREEZE_TEXT_MAX];
};

int freeze_open(struct freeze **out, int proc)
{
	struct freeze *freeze = anon_pages_open(sizeof(*freeze), true);

	if (!freeze)
		return -errno;
	freeze->smaps = openat(proc, "self/smaps", O_RDONLY | O_CLOEXEC);
	*out = freeze;
	return freeze->smaps < 0 ? -errno : 0;
}

void freeze_close(struct freeze **freeze)
{
	if (!*freeze)
		return;
	base_release_fd(&(*freeze)->smaps);
	anon_pages_close(*freeze, sizeof(**freeze));
	*freeze = NULL;
}

static int freeze_read(struct freeze *freeze)
{
	size_t size = 0;

	if (lseek(freeze->smaps, 0, SEEK_SET) < 0)
		return -errno;
	for (;;) {
		ssize_t n = read(freeze->smaps, freeze->text + size,
				 FREEZE_TEXT_MAX - 1 - size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		size += (size_t)n;
		if (size == FREEZE_TEXT_MAX - 1)
			return -EFBIG;
	}
	freeze->text[size] = '\0';
	return 0;
}

/* Ask for the pages of the file up to the large one in which MAPPING ends.
 * From Linux 6.14 to 6.16 a tmpfs gives pages that are as large as the call
 * that asks for them, and we write 4 kB at a time. */
static int freeze_reserve(struct freeze *freeze,
			  const struct freeze_mapping *mapping, int file)
{
	off_t end = mapping->offset + (off_t)(mapping->end - mapping->start);
	off_t more = ((end - 1) | (FREEZE_LARGE - 1)) + 1 - freeze->asked;
	int rc;

	if (!freeze->large || end <= freeze->asked)
		return 0;
	do
		rc = fallocate(file, FALLOC_FL_KEEP_SIZE, freeze->asked, more);
	while (rc < 0 && errno == EINTR);
	if (rc < 0)
		return -errno;
	freeze->asked += more;
	return 0;
}

/* Pages of zeros are what the file has. */
static int freeze_copy(const struct freeze_mapping *mapping, int file)
{
	size_t page = (size_t)getpagesize();

	for (uintptr_t at = mapping->start; at < mapping->end; at += page) {
		const char *data = (const char *)at;
		off_t to = mapping->offset + (off_t)(at - mapping->start);

		if (freeze_is_zero(data, page))
			continue;
		/* Not pwrite(3): as a cancellation point it writes to the
		 * thread's descriptor, which may be on this page. */
		long n = syscall(SYS_pwrite64, file, data, page, to);

		if (n != (long)page)
			return n < 0 ? -errno : -ENOSPC;
	}
	return 0;
}

/* What was mapped must be, byte for byte, what was there. */
static bool freeze_exact(const struct freeze_mapping *mapping, int file)
{
	char page[4096];

	for (uintptr_t at = mapping->start; at < mapping->end;
	     at += sizeof(page)) {
		long n = syscall(SYS_pread64, file, page, sizeof(page),
				 mapping->offset +
					 (off_t)(at - mapping->start));

		if (n != (long)sizeof(page) ||
		    memcmp(page, (const char *)at, sizeof(page)) != 0)
			return false;
	}
	return true;
}

static int freeze_write(struct freeze *freeze,
			const struct freeze_mapping *mapping, int file)
{
	int rc = freeze_reserve(freeze, mapping, file);

	if (rc == 0)
		rc = freeze_copy(mapping, file);
	return rc < 0 ? rc : freeze_exact(mapping, file) ? 0 : -EILSEQ;
}

static int freeze_map(struct freeze *freeze,
		      const struct freeze_mapping *mapping, int file)
{
	int rc = mapping->empty ? 0 : freeze_write(freeze, mapping, file);

	if (rc < 0)
		return rc;
	void *at = mmap((void *)mapping->start, mapping->end - mapping->start,
			mapping->protection,
			MAP_PRIVATE | MAP_FIXED |
				(mapping->empty ? MAP_ANONYMOUS : 0),
			mapping->empty ? -1 : file, mapping->offset);

	if (at == MAP_FAILED && mapping->text)
		return 0; /* not here, by some policy: it stays as it was */
	return at == MAP_FAILED ? -errno : 0;
}

/* Of a tmpfs of its own, whose pages are as large as the kernel can make
 * them: mapped and unmapped many at a time. Where there are none such, a
 * memory file is as good. */
static int freeze_make_file(struct freeze_report *report)
{
	static const struct mount_api_option options[] = {
		{"huge", "always"}, {"size", "0"}, {"mode", "0700"},
		{NULL, NULL}};
	owned_fd int fd = mount_api_tmpfs(
		options, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV);

	report->no_large = fd < 0 ? fd : 0;
	if (fd < 0)
		return memfd_create(FREEZE_NAME, MFD_CLOEXEC);
	return openat(fd, FREEZE_NAME, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC,
		      0600);
}

/* Give each its place in the file. What could be mapped as large pages lies
 * there as it lies in memory, by the measure of a large page. */
static off_t freeze_place(struct freeze *freeze, struct freeze_report *report)
{
	off_t end = 0;

	for (size_t i = 0; i < freeze->chosen.count; i++) {
		struct freeze_mapping *mapping = &freeze->chosen.mappings[i];
		size_t size = mapping->end - mapping->start;

		if (mapping->empty)
			continue;
		if (size >= FREEZE_LARGE)
			end += (off_t)((mapping->start - (uintptr_t)end) &
				       (FREEZE_LARGE - 1));
		mapping->offset = end;
		end += (off_t)size;
		report->bytes += size;
		report->mappings++;
	}
	return end;
}

/* How much of FILE, of SIZE bytes, is in large pages: what the kernel maps as
 * such, of a mapping that is there for nothing else. */
static int freeze_count_large(struct freeze *freeze, int file, size_t size,
			      size_t *large)
{
	char head[32];
	unsigned long kb = 0;
	const char *at = mmap(NULL, size, PROT_READ, MAP_SHARED, file, 0);

	if (at == MAP_FAILED)
		return -errno;
	for (size_t i = 0; i < size; i += FREEZE_LARGE)
		(void)*(volatile const char *)(at + i);
	int rc = freeze_read(freeze);

	snprintf(head, sizeof(head), "\n%lx-", (unsigned long)at);
	const char *line = rc < 0 ? NULL : strstr(freeze->text, head);

	line = line ? strstr(line, FREEZE_MAPPED_LARGE) : NULL;
	if (line)
		kb = strtoul(line + strlen(FREEZE_MAPPED_LARGE), NULL, 10);
	*large = (size_t)kb << 10;
	munmap((void *)(uintptr_t)at, size);
	return rc;
}

int freeze_heap(struct freeze *freeze, size_t exact,
		struct freeze_report *report)
{
	*report = (struct freeze_report){0};
	owned_fd int file = freeze_make_file(report);

	if (file < 0)
		return -errno;
	int rc = freeze_read(freeze);

	if (rc == 0)
		rc = freeze_parse(freeze->text, &freeze->there);
	if (rc == 0)
		rc = freeze_lay_out(&freeze->there, exact,
				    &freeze->chosen);
	if (rc < 0)
		return rc;
	off_t size = freeze_place(freeze, report);

	if (ftruncate(file, size) < 0)
		return -errno;
	freeze->large = report->no_large == 0;
	for (size_t i = 0; i < freeze->chosen.count && rc == 0; i++)
		rc = freeze_map(freeze, &freeze->chosen.mappings[i], file);
	if (rc == 0 && freeze->large && size > 0)
		rc = freeze_count_large(freeze, file, (size_t)size,
					&report->large);
	return rc;
}
