/*
 * freeze - see freeze.h.
 *
 * Between the copy of a mapping and its new mapping nothing here may write to
 * it. So the lists of mappings live in shared memory, which is never frozen,
 * and all else lives on the stack.
 */
#include "freeze.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <linux/mount.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sandbox/base/anon_pages.h"
#include "sandbox/base/io.h"
#include "sandbox/filesystem/mount_api.h"

#define FREEZE_TEXT_MAX (4u << 20) /* of /proc/self/smaps, bytes */
#define FREEZE_MAPPINGS_MAX 8192
#define FREEZE_LARGE (2u << 20) /* bytes of a huge page on x86-64 and arm64 */
#define FREEZE_WRITE_MAX (64u << 20) /* bytes: one call writes less than 2 GB */
#define FREEZE_COPIES_MAX 16 /* of a page that the kernel changes */
#define FREEZE_MAPPED_LARGE "\nShmemPmdMapped:" /* in smaps; proc(5) */

struct freeze_mapping {
	uintptr_t start, end;
	int protection;
	bool text; /* code of the program or of a library */
	bool wanted; /* it is to be frozen */
	bool loose; /* of an object that may become writable */
	bool empty; /* zeros only: needs no place in the file */
	off_t offset;
};

struct freeze_list {
	size_t count;
	struct freeze_mapping mappings[FREEZE_MAPPINGS_MAX];
};

struct freeze {
	int smaps;
	bool large; /* the file has huge pages */
	off_t asked; /* bytes of the file, for which it has pages */
	struct freeze_list there; /* mappings that could be frozen */
	struct freeze_list chosen; /* the mappings as they will be */
	char text[FREEZE_TEXT_MAX];
};

/* A page of zeros needs no place in a file. */
static bool freeze_is_zero(const char *page, size_t size)
{
	return page[0] == 0 && memcmp(page, page + 1, size - 1) == 0;
}

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

/* ---- the mappings of this process ------------------------------------- */

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

/* Flags of a mapping (proc(5), VmFlags) that a new mapping would lose: grows
 * down, device, raw pages, not copied on fork, wiped on fork (secrets, the
 * state of random generators), hugetlbfs, locked, shared, watched by
 * userfaultfd (2), sealed. */
static const char *const freeze_unwanted[] = {
	"gd", "io", "pf", "dc", "wf", "ht", "lo", "sh", "um", "uw", "sl"};

/* Parse the first line of a mapping, "7f00-7f01 rw-p 00000000 00:00 0 [stack]".
 * Returns whether LINE is one. */
static bool freeze_head(const char *line, struct freeze_mapping *out)
{
	char perms[5], name[32] = "";

	*out = (struct freeze_mapping){0};
	if (sscanf(line, "%lx-%lx %4s %*s %*s %*s %31s", &out->start, &out->end,
		   perms, name) < 3 ||
	    !strchr("rwxp-", perms[0]))
		return false;
	out->protection = (perms[0] == 'r' ? PROT_READ : 0) |
			  (perms[1] == 'w' ? PROT_WRITE : 0) |
			  (perms[2] == 'x' ? PROT_EXEC : 0);
	out->text = strcmp(perms, "r-xp") == 0 && name[0] == '/';
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

/* Add PART, as one with the part before if they are adjacent and alike. */
static int freeze_add_part(struct freeze_list *list,
			   const struct freeze_mapping *part)
{
	struct freeze_mapping *last = list->count > 0
					      ? &list->mappings[list->count - 1]
					      : NULL;

	if (!last || last->end != part->start || last->empty != part->empty ||
	    last->protection != part->protection)
		return freeze_add(list, part);
	last->end = part->end;
	return 0;
}

/* The end of the run of pages from AT that are all zero, or all not. */
static uintptr_t freeze_run(uintptr_t at, uintptr_t end, bool *zero)
{
	size_t page = (size_t)getpagesize();

	*zero = freeze_is_zero((const char *)at, page);
	do
		at += page;
	while (at < end && freeze_is_zero((const char *)at, page) == *zero);
	return at;
}

/* Add MAPPING in parts. Memory that malloc(3) has never used becomes fresh
 * memory again, so that its first user pays for a page and not for a copy. */
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

/* Add to THERE the mappings that could be frozen. TEXT is that of
 * /proc/self/smaps; it is cut to pieces. A mapping without pages of its own has
 * no page tables that fork would copy, so it is not wanted. 0, or -E2BIG. */
static int freeze_parse(char *text, struct freeze_list *there)
{
	char *rest = text, *line;
	struct freeze_mapping now = {0};
	unsigned long own_kb = 0;
	int rc = 0;

	while (rc == 0 && (line = strsep(&rest, "\n"))) {
		struct freeze_mapping next;

		if (freeze_head(line, &next))
			now = next, own_kb = 0;
		if (sscanf(line, "Anonymous: %lu", &own_kb) == 1 ||
		    strncmp(line, "VmFlags:", 8) != 0 || !now.wanted ||
		    freeze_refused_flags(line + 8))
			continue;
		now.wanted = own_kb > 0;
		rc = freeze_add(there, &now);
	}
	return rc;
}

/* ---- which of them are frozen, and how ------------------------------- */

static void freeze_loosen(struct freeze_list *there, uintptr_t start,
			  uintptr_t end)
{
	for (size_t i = 0; i < there->count; i++)
		if (there->mappings[i].start < end &&
		    there->mappings[i].end > start)
			there->mappings[i].loose = true;
}

struct freeze_objects {
	size_t seen, exact;
	struct freeze_list *there;
};

/* For dl_iterate_phdr(3): an object that the loader has mapped. */
static int freeze_see_object(struct dl_phdr_info *info, size_t size,
			     void *context)
{
	struct freeze_objects *objects = context;

	(void)size;
	if (objects->seen++ < objects->exact)
		return 0;
	for (size_t i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &info->dlpi_phdr[i];
		const uintptr_t start = info->dlpi_addr + part->p_vaddr;

		if (part->p_type == PT_LOAD)
			freeze_loosen(objects->there, start,
				      start + part->p_memsz);
	}
	return 0;
}

size_t freeze_count_objects(void)
{
	struct freeze_objects objects = {.exact = SIZE_MAX};

	dl_iterate_phdr(freeze_see_object, &objects);
	return objects.seen;
}

/* HERE are a library's constants, NEXT those that the loader has relocated.
 * They are two mappings only because the second has pages of its own. */
static bool freeze_joins(const struct freeze_mapping *here,
			 const struct freeze_mapping *next)
{
	return here->protection == PROT_READ && here->end == next->start &&
	       next->protection == PROT_READ && next->wanted;
}

/* HERE are a library's headers, in front of its text, behind the data of
 * another library. */
static bool freeze_is_header(const struct freeze_mapping *last,
			     const struct freeze_mapping *here,
			     const struct freeze_mapping *next)
{
	return here->loose && here->protection == PROT_READ &&
	       here->end == next->start && (next->protection & PROT_EXEC) &&
	       last->end == here->start && last->wanted &&
	       (last->protection & PROT_WRITE);
}

/* Children run our own code in some fifty places; huge pages make that cheaper.
 * The code of other libraries is not worth the memory.
 *
 * A fork copies each mapping. So adjacent mappings become one, and must have
 * the same protection for that. */
static void freeze_choose(struct freeze_list *there)
{
	static const struct freeze_mapping none;

	for (size_t i = 0; i < there->count; i++) {
		struct freeze_mapping *here = &there->mappings[i];
		const struct freeze_mapping *last = i > 0 ? here - 1 : &none;
		const struct freeze_mapping *next = i + 1 < there->count
							    ? here + 1
							    : &none;

		here->wanted |= (here->text && !here->loose) ||
				freeze_joins(here, next) ||
				freeze_is_header(last, here, next);
		if (here->loose && here->wanted &&
		    here->protection == PROT_READ)
			here->protection |= PROT_WRITE;
	}
}

/* Add to CHOSEN the mappings as they will be. The first EXACT objects keep
 * their protection. 0, or -E2BIG. */
static int freeze_lay_out(struct freeze_list *there, size_t exact,
			  struct freeze_list *chosen)
{
	struct freeze_objects objects = {.exact = exact, .there = there};
	int rc = 0;

	dl_iterate_phdr(freeze_see_object, &objects);
	freeze_choose(there);
	for (size_t i = 0; i < there->count && rc == 0; i++) {
		const struct freeze_mapping *here = &there->mappings[i];

		if (here->wanted && (here->protection & PROT_WRITE))
			rc = freeze_add_parts(chosen, here);
		else if (here->wanted)
			rc = freeze_add_part(chosen, here);
	}
	return rc;
}
/* ---- copied to the file, mapped from there --------------------------- */

/* Allocate the pages of the file up to the huge one in which MAPPING ends.
 * Linux 6.14 to 6.16 allocate pages of a tmpfs as large as the write that needs
 * them, and freeze_copy() may write 4 kB at a time. */
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

/* Skip pages of zeros: the file has zeros where it was not written. One call
 * writes a whole run of other pages, because a write of less than a huge page
 * makes the kernel clear the rest of it first. */
static int freeze_copy(const struct freeze_mapping *mapping, int file)
{
	uintptr_t next;
	bool zero;

	for (uintptr_t at = mapping->start; at < mapping->end; at = next) {
		off_t to = mapping->offset + (off_t)(at - mapping->start);

		next = freeze_run(at, mapping->end, &zero);
		if (next - at > FREEZE_WRITE_MAX)
			next = at + FREEZE_WRITE_MAX;
		if (zero)
			continue;
		/* pwrite(3) is a cancellation point: it would write to the
		 * thread's descriptor, which may be on this page. */
		long n = syscall(SYS_pwrite64, file, at, next - at, to);

		if (n != (long)(next - at))
			return n < 0 ? -errno : -ENOSPC;
	}
	return 0;
}

/*
 * Whether the file has, byte for byte, the page AT. The kernel writes a
 * thread's rseq area (rseq(2)) when it moves the thread to another processor,
 * also between a copy and its check, so a page that differs is copied again.
 */
static bool freeze_exact_page(const char *at, int file, off_t offset)
{
	char page[4096];

	for (unsigned i = 0; i < FREEZE_COPIES_MAX; i++) {
		if (i > 0 && syscall(SYS_pwrite64, file, at, sizeof(page),
				     offset) != (long)sizeof(page))
			return false;
		if (syscall(SYS_pread64, file, page, sizeof(page), offset) !=
		    (long)sizeof(page))
			return false;
		if (memcmp(page, at, sizeof(page)) == 0)
			return true;
	}
	return false;
}

/* The same for all pages of MAPPING. */
static bool freeze_exact(const struct freeze_mapping *mapping, int file)
{
	for (uintptr_t at = mapping->start; at < mapping->end; at += 4096)
		if (!freeze_exact_page((const char *)at, file,
				       mapping->offset +
					       (off_t)(at - mapping->start)))
			return false;
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
		return 0; /* a policy forbids it: the code stays as it was */
	return at == MAP_FAILED ? -errno : 0;
}

/* Make the file, in a tmpfs of its own with huge pages, which are mapped and
 * unmapped in one step. Without such a tmpfs a memory file serves. */
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

/* Give each mapping its place in the file. A mapping that can have huge pages
 * gets an offset that is congruent to its address, as these need. */
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

/* Count the bytes of FILE, which has SIZE, in huge pages: map it, read it, and
 * see in smaps how much the kernel has mapped as such. */
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
