/* cgroup - see cgroup.h, cgroups(7), and the kernel's cgroup-v2.rst. */
#include "cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sandbox/base/io.h"

/* The kernel charges memory in batches, so a full group may be this far below
 * its limit. */
#define CGROUP_FULL_KB 4096

#define CGROUP_CPU_PERIOD_US 100000ul

/* Names of files of a slot's group other than limits, and the texts of the two
 * weights. Version 1 is entered by "tasks", which moves one thread. That avoids
 * cgroup_threadgroup_rwsem (since Linux 5.5), which each fork and exit of the
 * machine takes. The default weight is 100 in version 2, and 1024 shares in
 * version 1. */
static const struct {
	const char *entry, *events, *peak, *use, *weight;
	const char *weights[CGROUP_WEIGHTS];
} cgroup_files[] = {
	[CGROUP_V1] = {"tasks", "memory.oom_control",
		       "memory.max_usage_in_bytes",
		       "memory.usage_in_bytes", "cpu.shares",
		       {"1024", "128"}},
	[CGROUP_V2] = {"cgroup.procs", "memory.events", "memory.peak",
		       "memory.current", "cpu.weight", {"100", "12"}},
};

void cgroup_limit_value(enum cgroup_kind kind, size_t i,
			const struct limits *limits, unsigned memory_mb,
			char out[64])
{
	unsigned long quota = limits->cpu_percent *
			      (CGROUP_CPU_PERIOD_US / 100);

	if (i == CG_MEMORY)
		snprintf(out, 64, "%llu",
			 ((unsigned long long)memory_mb + limits->home_mb +
			  CGROUP_SLACK_MB)
				 << 20);
	else if (i == CG_PIDS)
		snprintf(out, 64, "%u", limits->threads + 1);
	else if (kind == CGROUP_V2)
		snprintf(out, 64, "%lu %lu", quota, CGROUP_CPU_PERIOD_US);
	else
		snprintf(out, 64, "%lu", quota);
}

void cgroup_slot_none(struct cgroup_slot *slot)
{
	*slot = (struct cgroup_slot){.events = -1, .peak = -1, .limit = -1,
				      .weight = -1};
	for (size_t i = 0; i < CGROUP_CONTROLLERS; i++)
		slot->entry[i] = -1;
}

size_t cgroup_entries(const struct cgroup_slot *slot,
		      int files[CGROUP_CONTROLLERS])
{
	size_t count = 0;

	for (size_t i = 0; i < CGROUP_CONTROLLERS; i++)
		if (slot->entry[i] >= 0)
			files[count++] = slot->entry[i];
	return count;
}

/* Open the file NAME of controller I in the group of SLOT. */
static int cgroup_open_file(const struct cgroup_host *host, size_t i,
			    unsigned slot, const char *name, int flags)
{
	char dir[CGROUP_PATH_MAX], file[CGROUP_PATH_MAX];

	cgroup_host_slot_dir(host->dirs[i], slot, dir);
	if (cgroup_host_join(file, dir, "", name) < 0)
		return -ENAMETOOLONG;
	owned_fd int opened = open(file, flags | O_CLOEXEC);

	if (opened < 0)
		return -errno;
	int fd = fcntl(opened, F_DUPFD_CLOEXEC, CGROUP_FD_ABOVE);

	/* EINVAL: the limit on descriptors is not above CGROUP_FD_ABOVE. */
	return fd >= 0 ? fd : errno == EINVAL ? -EMFILE : -errno;
}

static int cgroup_open_entries(const struct cgroup_host *host, unsigned slot,
			       struct cgroup_slot *out)
{
	for (size_t i = 0; i < CGROUP_CONTROLLERS; i++) {
		/* Version 2 has one group for all controllers. */
		if (!host->dirs[i][0] || (host->kind == CGROUP_V2 && i > 0))
			continue;
		out->entry[i] = cgroup_open_file(host, i, slot,
						 cgroup_files[host->kind].entry,
						 O_WRONLY);
		if (out->entry[i] < 0)
			return out->entry[i];
	}
	return 0;
}

/*
 * Version 2 records a peak since Linux 5.19 and can reset it since 6.12. A peak
 * that cannot be reset may be an earlier guest's. Then the present use is
 * sampled instead.
 */
static void cgroup_open_peak(const struct cgroup_host *host, unsigned slot,
			     struct cgroup_slot *out)
{
	out->peak = cgroup_open_file(host, CG_MEMORY, slot,
				     cgroup_files[host->kind].peak, O_RDWR);
	if (out->peak >= 0 && pwrite(out->peak, "0", 1, 0) == 1)
		return;
	base_release_fd(&out->peak);
	out->sampled = true;
	out->peak = cgroup_open_file(host, CG_MEMORY, slot,
				     cgroup_files[host->kind].use, O_RDONLY);
}

int cgroup_open(const struct cgroup_host *host, unsigned slot,
		struct cgroup_slot *out)
{
	const enum cgroup_kind kind = host->kind;

	cgroup_slot_none(out);
	if (kind == CGROUP_NONE)
		return 0;
	out->kind = kind;
	int rc = cgroup_open_entries(host, slot, out);

	if (rc < 0)
		return rc;
	if (host->dirs[CG_CPU][0])
		out->weight = cgroup_open_file(host, CG_CPU, slot,
					       cgroup_files[kind].weight,
					       O_WRONLY);
	out->events = cgroup_open_file(host, CG_MEMORY, slot,
				       cgroup_files[kind].events, O_RDONLY);
	out->limit = cgroup_open_file(host, CG_MEMORY, slot,
				      cgroup_host_limit_file(kind, CG_MEMORY),
				      O_RDWR);
	cgroup_open_peak(host, slot, out);
	return out->events < 0 ? out->events : out->limit < 0 ? out->limit : 0;
}

/* ---- lend and close -------------------------------------------------- */

int cgroup_lend(const struct cgroup_slot *slot, int first,
		struct cgroup_slot *out)
{
	int *const lent[CGROUP_SLOT_FDS] = {
		&out->entry[0], &out->entry[1], &out->entry[2],
		&out->weight, &out->events, &out->limit, &out->peak};

	*out = *slot;
	for (int i = 0; i < CGROUP_SLOT_FDS; i++)
		if (*lent[i] >= 0) {
			*lent[i] = dup3(*lent[i], first + i, O_CLOEXEC);
			if (*lent[i] < 0)
				return -errno;
		}
	return 0;
}

int cgroup_leave_behind(void)
{
	return syscall(SYS_close_range, CGROUP_FD_ABOVE, ~0U,
		       CLOSE_RANGE_UNSHARE) < 0 ? -errno : 0;
}

void cgroup_forget_entry(struct cgroup_slot *slot)
{
	for (size_t i = 0; i < CGROUP_CONTROLLERS; i++)
		base_release_fd(&slot->entry[i]);
}

void cgroup_forget(struct cgroup_slot *slot)
{
	cgroup_forget_entry(slot);
	base_release_fd(&slot->events);
	base_release_fd(&slot->peak);
	base_release_fd(&slot->limit);
	base_release_fd(&slot->weight);
}

/* Consecutive descriptors, which one call closes. */
struct cgroup_span {
	int first, last;
};

static void cgroup_close_span(const struct cgroup_span *span)
{
	if (span->first >= 0)
		syscall(SYS_close_range, span->first, span->last, 0);
}

static void cgroup_close_later(struct cgroup_span *span, int fd)
{
	if (fd < 0)
		return;
	if (span->first < 0 || fd != span->last + 1) {
		cgroup_close_span(span);
		span->first = fd;
	}
	span->last = fd;
}

void cgroup_keep_own(const struct cgroup_slot *slots, unsigned count,
		     unsigned own)
{
	struct cgroup_span span = {-1, -1};

	for (unsigned i = 0; i < count; i++) {
		const struct cgroup_slot *slot = &slots[i];
		/* In the order in which they were opened. */
		const int rest[] = {slot->weight, slot->events, slot->limit,
				    slot->peak};

		if (i == own)
			continue;
		for (size_t c = 0; c < CGROUP_CONTROLLERS; c++)
			cgroup_close_later(&span, slot->entry[c]);
		for (size_t f = 0; f < ARRAY_LEN(rest); f++)
			cgroup_close_later(&span, rest[f]);
	}
	cgroup_close_span(&span);
}

/* ---- use ------------------------------------------------------------- */

int cgroup_enter(const struct cgroup_slot *slot)
{
	if (slot->kind != CGROUP_NONE && slot->entry[0] < 0)
		return -EBADF;
	for (size_t i = 0; i < CGROUP_CONTROLLERS; i++)
		if (slot->entry[i] >= 0 && write(slot->entry[i], "0", 1) < 0)
			return -errno;
	return 0;
}

int cgroup_reset(const struct cgroup_slot *slot, const struct limits *limits,
		 unsigned memory_mb)
{
	char value[64];
	int rc = cgroup_set_weight(slot, CGROUP_WEIGHT_FULL);

	if (rc < 0 || slot->limit < 0)
		return rc;
	if (slot->peak >= 0 && !slot->sampled &&
	    pwrite(slot->peak, "0", 1, 0) < 0)
		return -errno;
	cgroup_limit_value(CGROUP_V1, CG_MEMORY, limits, memory_mb, value);
	if (pwrite(slot->limit, value, strlen(value), 0) < 0)
		return -errno;
	return 0;
}

bool cgroup_has_weight(const struct cgroup_slot *slot)
{
	return slot->weight >= 0;
}

int cgroup_set_weight(const struct cgroup_slot *slot, enum cgroup_weight weight)
{
	const char *value = cgroup_files[slot->kind].weights[weight];

	if (slot->weight < 0)
		return 0;
	return pwrite(slot->weight, value, strlen(value), 0) < 0 ? -errno : 0;
}

/* The number after NAME in SLOT's events file; 0 if there is none. */
static uint64_t cgroup_event(const struct cgroup_slot *slot, const char *name)
{
	char text[512];
	ssize_t n = slot->events < 0
			    ? 0
			    : pread(slot->events, text, sizeof(text) - 1, 0);

	if (n <= 0)
		return 0;
	text[n] = '\0';
	char *row = strstr(text, name);

	return row ? strtoull(row + strlen(name), NULL, 10) : 0;
}

uint64_t cgroup_memory_kills(const struct cgroup_slot *slot)
{
	return cgroup_event(slot, "oom_kill ");
}

uint64_t cgroup_own_ooms(const struct cgroup_slot *slot)
{
	uint64_t limit;

	if (slot->kind == CGROUP_V2)
		return cgroup_event(slot, "oom ");
	if (slot->limit < 0 || io_read_number(slot->limit, &limit) < 0)
		return 1;
	return cgroup_peak_kb(slot) + CGROUP_FULL_KB >= limit >> 10;
}

uint64_t cgroup_peak_kb(const struct cgroup_slot *slot)
{
	uint64_t peak;

	if (slot->peak < 0 || io_read_number(slot->peak, &peak) < 0)
		return 0;
	return peak >> 10;
}
