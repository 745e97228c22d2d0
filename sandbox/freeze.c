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

struct freeze_mapping {
	uintptr_t start, end;
	int protection;
	bool wanted;
};

struct freeze {
	int smaps;
	size_t count;
	struct freeze_mapping mappings[FREEZE_MAPPINGS_MAX];
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
	freeze->smaps = open("/proc/self/smaps", O_RDONLY | O_CLOEXEC);
	*out = freeze;
	return freeze->smaps < 0 ? -errno : 0;
}

void freeze_close(struct freeze **freeze)
{
	if (!*freeze)
		return;
	base_release_fd(&(*freeze)->smaps);
	munmap(*freeze, sizeof(**freeze));
	*freeze = NULL;
}

static int freeze_read(struct freeze *freeze)
{
	size_t size = 0;

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
	if (sscanf(line, "%lx-%lx %4s %*s %*s %*s %31s", &out->start,
		   &out->end, perms, name) < 3 || !strchr("rwxp-", perms[0]))
		return false;
	out->protection = (perms[0] == 'r' ? PROT_READ : 0) |
			  (perms[1] == 'w' ? PROT_WRITE : 0) |
			  (perms[2] == 'x' ? PROT_EXEC : 0);
	out->wanted = perms[0] == 'r' && perms[3] == 'p' &&
		      (name[0] != '[' || strcmp(name, "[heap]") == 0 ||
		       strncmp(name, "[anon", 5) == 0);
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

static int freeze_add(struct freeze *freeze,
		      const struct freeze_mapping *mapping)
{
	if (freeze->count == FREEZE_MAPPINGS_MAX)
		return -E2BIG;
	freeze->mappings[freeze->count++] = *mapping;
	return 0;
}

/* The constants of a library, and behind them those that the loader has
 * filled in, are two mappings only because the second has pages of its own.
 * Frozen together they become one; a fork copies each. */
static bool freeze_joins(const struct freeze_mapping *before,
			 const struct freeze_mapping *now)
{
	return before->wanted && before->end == now->start &&
	       before->protection == PROT_READ && now->protection == PROT_READ;
}

/* A mapping without pages of its own has no page tables worth a copy. */
static int freeze_parse(struct freeze *freeze)
{
	char *rest = freeze->text, *line;
	struct freeze_mapping now = {0}, before = {0};
	unsigned long own_kb = 0;
	int rc = 0;

	while (rc == 0 && (line = strsep(&rest, "\n"))) {
		struct freeze_mapping next;

		if (sscanf(line, "Anonymous: %lu", &own_kb) == 1)
			continue;
		if (strncmp(line, "VmFlags:", 8) == 0) {
			now.wanted &= !freeze_refused_flags(line + 8);
			if (!now.wanted || own_kb == 0)
				continue;
			if (freeze_joins(&before, &now))
				rc = freeze_add(freeze, &before);
			if (rc == 0)
				rc = freeze_add(freeze, &now);
		} else if (freeze_head(line, &next)) {
			before = now;
			before.wanted &= own_kb == 0;
			now = next;
			own_kb = 0;
		}
	}
	return rc;
}

static bool freeze_is_zero(const char *page, size_t size)
{
	return page[0] == 0 && memcmp(page, page + 1, size - 1) == 0;
}

/* Pages of zeros stay holes of the file. */
static int freeze_copy(const struct freeze_mapping *mapping, int file,
		       off_t offset)
{
	size_t page = (size_t)getpagesize();

	for (uintptr_t at = mapping->start; at < mapping->end; at += page) {
		const char *data = (const char *)at;
		off_t to = offset + (off_t)(at - mapping->start);

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
static bool freeze_exact(const struct freeze_mapping *mapping, int file,
			 off_t offset)
{
	char page[4096];

	for (uintptr_t at = mapping->start; at < mapping->end;
	     at += sizeof(page)) {
		long n = syscall(SYS_pread64, file, page, sizeof(page),
				 offset + (off_t)(at - mapping->start));

		if (n != (long)sizeof(page) ||
		    memcmp(page, (const char *)at, sizeof(page)) != 0)
			return false;
	}
	return true;
}

static int freeze_map(const struct freeze_mapping *mapping, int file,
		      off_t offset)
{
	int rc = freeze_copy(mapping, file, offset);

	if (rc < 0)
		return rc;
	if (!freeze_exact(mapping, file, offset))
		return -EILSEQ;
	void *at = mmap((void *)mapping->start, mapping->end - mapping->start,
			mapping->protection, MAP_PRIVATE | MAP_FIXED, file,
			offset);

	return at == MAP_FAILED ? -errno : 0;
}

int freeze_heap(struct freeze *freeze, struct freeze_report *report)
{
	owned_fd int file = memfd_create(FREEZE_NAME, MFD_CLOEXEC);
	off_t size = 0;

	*report = (struct freeze_report){0};
	if (file < 0)
		return -errno;
	int rc = freeze_read(freeze);

	if (rc == 0)
		rc = freeze_parse(freeze);
	if (rc < 0)
		return rc;
	for (size_t i = 0; i < freeze->count; i++)
		size += (off_t)(freeze->mappings[i].end -
				freeze->mappings[i].start);
	if (ftruncate(file, size) < 0)
		return -errno;
	off_t offset = 0;

	for (size_t i = 0; i < freeze->count && rc == 0; i++) {
		const struct freeze_mapping *mapping = &freeze->mappings[i];

		rc = freeze_map(mapping, file, offset);
		offset += (off_t)(mapping->end - mapping->start);
	}
	*report = (struct freeze_report){.bytes = (size_t)size,
					 .mappings = freeze->count};
	return rc;
}
