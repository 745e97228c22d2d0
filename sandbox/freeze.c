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
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "io.h"
#include "mount_api.h"

#define FREEZE_TEXT_MAX (4u << 20) /* of /proc/self/smaps, bytes */
#define FREEZE_MAPPINGS_MAX 8192
#define FREEZE_LARGE (2u << 20) /* bytes of a large page, x86-64's, arm64's */

struct freeze_mapping {
	uintptr_t start, end;
	int protection;
	bool wanted;
	bool of_file;
	bool empty; /* zeros only: not worth a place in the file */
	off_t offset;
};

struct freeze_list {
	size_t count;
	struct freeze_mapping mappings[FREEZE_MAPPINGS_MAX];
};

struct freeze {
	int smaps;
	struct freeze_list there;  /* what could be frozen; WANTED: shall be */
	struct freeze_list chosen; /* as it is going to be mapped */
	char text[FREEZE_TEXT_MAX];
};

/* Flags of a mapping (proc(5), VmFlags) that we cannot give back: grows
 * down, device, raw pages, not copied on fork, wiped on fork (secrets, the
 * state of random generators), huge pages, locked, shared, watched by
 * userfaultfd (2), sealed. */
static const char *const freeze_unwanted[] = {"gd", "io", "pf", "dc", "wf",
					      "ht", "lo", "sh", "um", "uw",
					      "sl"};

int freeze_open(struct freeze **out, int proc)
{
	struct freeze *freeze = mmap(NULL, sizeof(*freeze),
				     PROT_READ | PROT_WRITE,
				     MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (freeze == MAP_FAILED)
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
	out->of_file = name[0] == '/';
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

static int freeze_add(struct freeze_list *list,
		      const struct freeze_mapping *mapping)
{
	if (list->count == FREEZE_MAPPINGS_MAX)
		return -E2BIG;
	list->mappings[list->count++] = *mapping;
	return 0;
}

/* Behind one another and of one kind they are one. */
static int freeze_add_part(struct freeze_list *list,
			   const struct freeze_mapping *part)
{
	struct freeze_mapping *last = list->count > 0
		? &list->mappings[list->count - 1] : NULL;

	if (!last || last->end != part->start || last->empty != part->empty ||
	    last->protection != part->protection)
		return freeze_add(list, part);
	last->end = part->end;
	return 0;
}

static bool freeze_is_zero(const char *page, size_t size)
{
	return page[0] == 0 && memcmp(page, page + 1, size - 1) == 0;
}

/* Where the run of pages ends that are all zero, or all not, from AT. */
static uintptr_t freeze_run(uintptr_t at, uintptr_t end, bool *zero)
{
	size_t page = (size_t)getpagesize();

	*zero = freeze_is_zero((const char *)at, page);
	do
		at += page;
	while (at < end && freeze_is_zero((const char *)at, page) == *zero);
	return at;
}

/* Add MAPPING in parts: what malloc has got and not yet given away is fresh
 * memory again, which costs its user a page, not a copy of one. */
static int freeze_add_parts(struct freeze_list *list,
			    const struct freeze_mapping *mapping)
{
	struct freeze_mapping part = *mapping;
	uintptr_t next;
	int rc = 0;

	for (uintptr_t at = part.start; rc == 0 && at < mapping->end;
	     at = next) {
		bool zero;

		next = freeze_run(at, mapping->end, &zero);
		if (!zero || next - at < FREEZE_LARGE)
			continue;
		part.end = at;
		if (part.end > part.start)
			rc = freeze_add_part(list, &part);
		part.start = at, part.end = next, part.empty = true;
		if (rc == 0)
			rc = freeze_add_part(list, &part);
		part.start = next, part.empty = false;
	}
	part.end = mapping->end;
	return rc < 0 || part.start == part.end ? rc
						: freeze_add_part(list, &part);
}

/* A mapping without pages of its own has no page tables worth a copy. */
static int freeze_parse(struct freeze *freeze)
{
	char *rest = freeze->text, *line;
	struct freeze_mapping now = {0};
	unsigned long own_kb = 0;
	int rc = 0;

	while (rc == 0 && (line = strsep(&rest, "\n"))) {
		struct freeze_mapping next;

		if (freeze_head(line, &next))
			now = next;
		if (sscanf(line, "Anonymous: %lu", &own_kb) == 1 ||
		    strncmp(line, "VmFlags:", 8) != 0 || !now.wanted ||
		    freeze_refused_flags(line + 8))
			continue;
		now.wanted = own_kb > 0;
		rc = freeze_add(&freeze->there, &now);
	}
	return rc;
}

/* The constants of a library, and behind them those that the loader has
 * filled in, are two mappings only because the second has pages of its own. */
static bool freeze_joins(const struct freeze_mapping *here,
			 const struct freeze_mapping *next)
{
	return here->protection == PROT_READ && here->end == next->start &&
	       next->protection == PROT_READ && next->wanted;
}

/* A library's headers, in front of its text, behind another one's data. */
static bool freeze_is_header(const struct freeze_mapping *last,
			     const struct freeze_mapping *here,
			     const struct freeze_mapping *next)
{
	return here->of_file && here->protection == PROT_READ &&
	       here->end == next->start && (next->protection & PROT_EXEC) &&
	       last->end == here->start && last->wanted &&
	       (last->protection & PROT_WRITE);
}

/* A fork copies each mapping: those that are next to one another become one,
 * which takes that they may be used alike. */
static void freeze_choose(struct freeze_list *there, enum freeze_how how)
{
	static const struct freeze_mapping none;

	for (size_t i = 0; i < there->count; i++) {
		struct freeze_mapping *here = &there->mappings[i];
		const struct freeze_mapping *last = i > 0 ? here - 1 : &none;
		const struct freeze_mapping *next =
			i + 1 < there->count ? here + 1 : &none;

		here->wanted |= freeze_joins(here, next) ||
				(how == FREEZE_FEW &&
				 freeze_is_header(last, here, next));
		if (how == FREEZE_FEW && here->wanted && here->of_file &&
		    here->protection == PROT_READ)
			here->protection |= PROT_WRITE;
	}
}

static int freeze_lay_out(struct freeze *freeze)
{
	int rc = 0;

	for (size_t i = 0; i < freeze->there.count && rc == 0; i++) {
		const struct freeze_mapping *here =
			&freeze->there.mappings[i];

		if (here->wanted && (here->protection & PROT_WRITE))
			rc = freeze_add_parts(&freeze->chosen, here);
		else if (here->wanted)
			rc = freeze_add_part(&freeze->chosen, here);
	}
	return rc;
}

/* Pages of zeros stay holes of the file. */
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

static int freeze_map(const struct freeze_mapping *mapping, int file)
{
	int rc = mapping->empty ? 0 : freeze_copy(mapping, file);

	if (rc < 0)
		return rc;
	if (!mapping->empty && !freeze_exact(mapping, file))
		return -EILSEQ;
	void *at = mmap((void *)mapping->start, mapping->end - mapping->start,
			mapping->protection,
			MAP_PRIVATE | MAP_FIXED |
				(mapping->empty ? MAP_ANONYMOUS : 0),
			mapping->empty ? -1 : file, mapping->offset);

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

int freeze_heap(struct freeze *freeze, enum freeze_how how,
		struct freeze_report *report)
{
	*report = (struct freeze_report){0};
	owned_fd int file = freeze_make_file(report);

	if (file < 0)
		return -errno;
	int rc = freeze_read(freeze);

	if (rc == 0)
		rc = freeze_parse(freeze);
	freeze_choose(&freeze->there, how);
	if (rc == 0)
		rc = freeze_lay_out(freeze);
	if (rc < 0)
		return rc;
	if (ftruncate(file, freeze_place(freeze, report)) < 0)
		return -errno;
	for (size_t i = 0; i < freeze->chosen.count && rc == 0; i++)
		rc = freeze_map(&freeze->chosen.mappings[i], file);
	return rc;
}
