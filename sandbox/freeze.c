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
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "io.h"

#define FREEZE_TEXT_MAX (4u << 20) /* of /proc/self/smaps, bytes */
#define FREEZE_MAPPINGS_MAX 8192
#define FREEZE_NAME "terrarium-frozen"
#define FREEZE_PAGE 4096u
#define FREEZE_ENTRIES 512 /* of /proc/self/pagemap, read at a time */

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

struct freeze_mapping {
	uintptr_t start, end;
	int protection;
	off_t offset; /* in the file */
	bool wanted;
	bool frozen; /* was mapped by us */
};

struct freeze {
	int smaps, pagemap; /* of this process; pagemap is -1 without */
	int file;
	size_t count;
	struct freeze_mapping mappings[FREEZE_MAPPINGS_MAX];
	struct freeze_hot hot;
	char text[FREEZE_TEXT_MAX];
};

/* Flags of a mapping (proc(5), VmFlags) that we cannot give back: grows
 * down, device, raw pages, not copied on fork, wiped on fork (secrets, the
 * state of random generators), huge pages, locked, shared, watched by
 * userfaultfd (2), sealed. */
static const char *const freeze_unwanted[] = {"gd", "io", "pf", "dc", "wf",
					      "ht", "lo", "sh", "um", "uw",
					      "sl"};

int freeze_open(struct freeze **out)
{
	struct freeze *freeze = mmap(NULL, sizeof(*freeze),
				     PROT_READ | PROT_WRITE,
				     MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (freeze == MAP_FAILED)
		return -errno;
	freeze->file = -1;
	freeze->smaps = open("/proc/self/smaps", O_RDONLY | O_CLOEXEC);
	freeze->pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	*out = freeze;
	return freeze->smaps < 0 ? -errno : 0;
}

void freeze_close(struct freeze **freeze)
{
	if (!*freeze)
		return;
	base_release_fd(&(*freeze)->smaps);
	base_release_fd(&(*freeze)->pagemap);
	base_release_fd(&(*freeze)->file);
	munmap(*freeze, sizeof(**freeze));
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

/* "7f00-7f01 rw-p 00000000 00:00 0   [stack]": a mapping's first line. */
static bool freeze_head(const char *line, struct freeze_mapping *out)
{
	char perms[5], name[32] = "";

	*out = (struct freeze_mapping){0};
	if (sscanf(line, "%lx-%lx %4s %lx %*s %*s %31s", &out->start,
		   &out->end, perms, &out->offset, name) < 4 ||
	    !strchr("rwxp-", perms[0]))
		return false;
	out->protection = (perms[0] == 'r' ? PROT_READ : 0) |
			  (perms[1] == 'w' ? PROT_WRITE : 0) |
			  (perms[2] == 'x' ? PROT_EXEC : 0);
	out->wanted = perms[0] == 'r' && perms[3] == 'p' &&
		      (name[0] != '[' || strcmp(name, "[heap]") == 0 ||
		       strncmp(name, "[anon", 5) == 0);
	out->frozen = strcmp(name, "/memfd:" FREEZE_NAME) == 0;
	return true;
}

static bool freeze_refused_flags(const char *flags)
{
	for (size_t i = 0; i < ARRAY_LEN(freeze_unwanted); i++) {
		const char *at = strstr(flags, freeze_unwanted[i]);

		if (at && at[-1] == ' ' && at[2] == ' ')
			return true;
	}
	return false;
}

/* List the mappings to freeze, or those to freeze again. One without pages
 * of its own has no page tables worth a copy. */
static int freeze_parse(struct freeze *freeze, bool again)
{
	char *rest = freeze->text, *line;
	struct freeze_mapping now = {0};
	unsigned long own_kb = 0;

	freeze->count = 0;
	while ((line = strsep(&rest, "\n"))) {
		struct freeze_mapping next;

		if (sscanf(line, "Anonymous: %lu", &own_kb) == 1)
			continue;
		if (strncmp(line, "VmFlags:", 8) == 0) {
			if (!now.wanted || own_kb == 0 ||
			    (again && !now.frozen) ||
			    freeze_refused_flags(line + 8))
				continue;
			if (freeze->count == FREEZE_MAPPINGS_MAX)
				return -E2BIG;
			freeze->mappings[freeze->count++] = now;
		} else if (freeze_head(line, &next)) {
			now = next;
			own_kb = 0;
		}
	}
	return 0;
}

static bool freeze_is_zero(const char *page, size_t size)
{
	return page[0] == 0 && memcmp(page, page + 1, size - 1) == 0;
}

static off_t freeze_offset(const struct freeze_mapping *mapping, uintptr_t at)
{
	return mapping->offset + (off_t)(at - mapping->start);
}

static int freeze_copy_page(const struct freeze_mapping *mapping, int file,
			    uintptr_t at)
{
	/* Not pwrite(3): as a cancellation point it writes to the thread's
	 * descriptor, which may be on this page. */
	long n = syscall(SYS_pwrite64, file, at, FREEZE_PAGE,
			 freeze_offset(mapping, at));

	return n == FREEZE_PAGE ? 0 : n < 0 ? -errno : -ENOSPC;
}

/* What will be mapped must be, byte for byte, what is there. */
static bool freeze_exact(const struct freeze_mapping *mapping, int file,
			 uintptr_t at)
{
	char page[FREEZE_PAGE];
	long n = syscall(SYS_pread64, file, page, sizeof(page),
			 freeze_offset(mapping, at));

	return n == (long)sizeof(page) &&
	       memcmp(page, (const char *)at, sizeof(page)) == 0;
}

/* Pages of zeros stay holes of the file. */
static int freeze_copy(const struct freeze_mapping *mapping, int file)
{
	for (uintptr_t at = mapping->start; at < mapping->end;
	     at += FREEZE_PAGE) {
		int rc = freeze_is_zero((const char *)at, FREEZE_PAGE)
				 ? 0 : freeze_copy_page(mapping, file, at);

		if (rc < 0)
			return rc;
		if (!freeze_exact(mapping, file, at))
			return -EILSEQ;
	}
	return 0;
}

static int freeze_map(const struct freeze_mapping *mapping, int file)
{
	void *at = mmap((void *)mapping->start, mapping->end - mapping->start,
			mapping->protection, MAP_PRIVATE | MAP_FIXED, file,
			mapping->offset);

	return at == MAP_FAILED ? -errno : 0;
}

/* One behind another in the file: neighbours become one mapping. */
static int freeze_make_file(struct freeze *freeze, off_t *size)
{
	*size = 0;
	for (size_t i = 0; i < freeze->count; i++) {
		struct freeze_mapping *mapping = &freeze->mappings[i];

		mapping->offset = *size;
		*size += (off_t)(mapping->end - mapping->start);
	}
	freeze->file = memfd_create(FREEZE_NAME, MFD_CLOEXEC);
	if (freeze->file < 0 || ftruncate(freeze->file, *size) < 0)
		return -errno;
	return 0;
}

int freeze_heap(struct freeze *freeze, struct freeze_report *report)
{
	off_t size = 0;
	int rc = freeze_read(freeze);

	*report = (struct freeze_report){0};
	if (rc == 0)
		rc = freeze_parse(freeze, false);
	if (rc == 0)
		rc = freeze_make_file(freeze, &size);
	for (size_t i = 0; i < freeze->count && rc == 0; i++) {
		rc = freeze_copy(&freeze->mappings[i], freeze->file);
		if (rc == 0)
			rc = freeze_map(&freeze->mappings[i], freeze->file);
	}
	*report = (struct freeze_report){.bytes = (size_t)size,
					 .mappings = freeze->count};
	return rc;
}

/* ---- hot pages ------------------------------------------------------- */

static void freeze_add_hot(struct freeze_hot *hot, uintptr_t at)
{
	struct freeze_range *last = &hot->ranges[hot->count - 1];

	if (hot->count > 0 && last->start + last->size == at) {
		last->size += FREEZE_PAGE;
	} else if (hot->count < FREEZE_HOT_MAX) {
		hot->ranges[hot->count++] =
			(struct freeze_range){at, FREEZE_PAGE};
	} else {
		return;
	}
	hot->pages++;
}

/* A page table entry as proc(5) shows it: in memory or in swap, and not a
 * page of the file. */
static bool freeze_is_own(uint64_t entry)
{
	return entry >> 62 && !(entry >> 61 & 1);
}

/* Find what was written of MAPPING, and bring the file up to it. */
static int freeze_update(struct freeze *freeze,
			 const struct freeze_mapping *mapping)
{
	uint64_t entries[FREEZE_ENTRIES];
	uintptr_t at = mapping->start;
	int rc = 0;

	while (at < mapping->end && rc == 0) {
		size_t left = (mapping->end - at) / FREEZE_PAGE;
		size_t count = left < FREEZE_ENTRIES ? left : FREEZE_ENTRIES;
		long want = (long)(count * sizeof(*entries));

		if (syscall(SYS_pread64, freeze->pagemap, entries, want,
			    at / FREEZE_PAGE * sizeof(*entries)) != want)
			return -ENOTSUP;
		for (size_t i = 0; i < count && rc == 0;
		     i++, at += FREEZE_PAGE) {
			if (!freeze_is_own(entries[i]))
				continue;
			rc = freeze_copy_page(mapping, freeze->file, at);
			if (rc == 0 && !freeze_exact(mapping, freeze->file, at))
				rc = -EILSEQ;
			freeze_add_hot(&freeze->hot, at);
		}
	}
	return rc;
}

int freeze_learn(struct freeze *freeze, struct freeze_hot *hot)
{
	int rc = freeze->pagemap < 0 ? -ENOTSUP : freeze_read(freeze);

	freeze->hot = (struct freeze_hot){0};
	if (rc == 0)
		rc = freeze_parse(freeze, true);
	for (size_t i = 0; i < freeze->count && rc == 0; i++) {
		size_t known = freeze->hot.pages;

		rc = freeze_update(freeze, &freeze->mappings[i]);
		if (rc == 0 && freeze->hot.pages > known)
			rc = freeze_map(&freeze->mappings[i], freeze->file);
	}
	*hot = freeze->hot;
	return rc;
}

void freeze_take(const struct freeze_hot *hot)
{
	for (size_t i = 0; i < hot->count; i++)
		/* Only speed is lost where it fails: before Linux 5.14. */
		madvise((void *)hot->ranges[i].start, hot->ranges[i].size,
			MADV_POPULATE_WRITE);
}
