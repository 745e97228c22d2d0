/* freeze_plan - see freeze_plan.h. */
#include "freeze_plan.h"

#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "freeze.h"

/* Flags of a mapping (proc(5), VmFlags) that we cannot give back: grows
 * down, device, raw pages, not copied on fork, wiped on fork (secrets, the
 * state of random generators), huge pages, locked, shared, watched by
 * userfaultfd (2), sealed. */
static const char *const freeze_unwanted[] = {"gd", "io", "pf", "dc", "wf",
					      "ht", "lo", "sh", "um", "uw",
					      "sl"};

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
int freeze_parse(char *text, struct freeze_list *there)
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

/* ---- which of them --------------------------------------------------- */

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

/* dl_iterate_phdr(3): an object that the loader has mapped. */
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
	return here->loose && here->protection == PROT_READ &&
	       here->end == next->start && (next->protection & PROT_EXEC) &&
	       last->end == here->start && last->wanted &&
	       (last->protection & PROT_WRITE);
}

/* Code of what we came with is what every child runs, and each reads it in
 * some fifty pieces: of the file's large pages they cost it less, of our other
 * libraries no more than their memory is worth.
 *
 * A fork copies each mapping: those that are next to one another become one,
 * which takes that they may be used alike. */
static void freeze_choose(struct freeze_list *there)
{
	static const struct freeze_mapping none;

	for (size_t i = 0; i < there->count; i++) {
		struct freeze_mapping *here = &there->mappings[i];
		const struct freeze_mapping *last = i > 0 ? here - 1 : &none;
		const struct freeze_mapping *next =
			i + 1 < there->count ? here + 1 : &none;

		here->wanted |= (here->text && !here->loose) ||
				freeze_joins(here, next) ||
				freeze_is_header(last, here, next);
		if (here->loose && here->wanted &&
		    here->protection == PROT_READ)
			here->protection |= PROT_WRITE;
	}
}

int freeze_lay_out(struct freeze_list *there, size_t exact,
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
