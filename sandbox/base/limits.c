/* limits - see limits.h, setrlimit(2). */
#include "limits.h"

#include <errno.h>
#include <string.h>
#include <sys/resource.h>

/* Room for files that are mapped: OpenCV and what it needs take 390 MB. Memory
 * that is shared fits there, too, so it is less where nothing else limits that.
 * Without room OpenBLAS asks for memory until the time is up. */
#define LIMITS_LIBRARIES_MB 1024
#define LIMITS_LIBRARIES_ALONE_MB 512
#define LIMITS_CPU_SLACK 2	 /* seconds past the wall clock's limit */

/* Address space in bytes: that of the preloaded interpreter plus that of the
 * program, its threads' stacks included. */
static rlim_t limits_size(const struct limits_base *base, unsigned memory_mb)
{
	const rlim_t libraries_mb = base->counted ? LIMITS_LIBRARIES_MB
						  : LIMITS_LIBRARIES_ALONE_MB;

	return ((rlim_t)base->size_kb << 10) +
	       ((memory_mb + libraries_mb) << 20);
}

/* The part of it that is private and can be written. */
static rlim_t limits_data(const struct limits_base *base, unsigned memory_mb)
{
	return ((rlim_t)base->data_kb << 10) + ((rlim_t)memory_mb << 20);
}

/* Seconds of processor time, of all threads together. This limit is for the
 * case that no process is left that watches the wall clock. */
static rlim_t limits_cpu_s(const struct limits *limits)
{
	rlim_t wall = limits->timeout_ms / 1000 + LIMITS_CPU_SLACK;

	return wall * (limits->cpu_percent / 100 + 1);
}

int limits_apply(const struct limits *limits, const struct limits_base *base,
		 unsigned long tasks)
{
	const struct {
		__rlimit_resource_t resource;
		rlim_t most;
		bool skip;
	} rows[] = {
		{RLIMIT_AS, limits_size(base, limits->memory_mb), false},
		{RLIMIT_DATA, limits_data(base, limits->memory_mb), false},
		{RLIMIT_CPU, limits_cpu_s(limits), false},
		{RLIMIT_FSIZE, (rlim_t)limits->home_mb << 20, false},
		{RLIMIT_NOFILE, limits->open_files, false},
		{RLIMIT_NPROC, tasks, tasks == 0},
		{RLIMIT_CORE, 0, false},
		{RLIMIT_MEMLOCK, 0, false},
		{RLIMIT_MSGQUEUE, 0, false},
		{RLIMIT_SIGPENDING, 64, false},
		{RLIMIT_NICE, 0, false},
		{RLIMIT_RTPRIO, 0, false},
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct rlimit limit = {rows[i].most, rows[i].most};

		if (rows[i].skip)
			continue;
		if (setrlimit(rows[i].resource, &limit) < 0)
			return -errno;
	}
	return 0;
}

/* Those that apply to one call. */
static const size_t limits_of_calls[] = {
	offsetof(struct limits, timeout_ms),
	offsetof(struct limits, output_kb),
	offsetof(struct limits, flood_mb),
	offsetof(struct limits, value_kb),
	offsetof(struct limits, displays),
	offsetof(struct limits, displays_mb),
	offsetof(struct limits, files_in),
	offsetof(struct limits, files_out),
	offsetof(struct limits, files_out_mb),
};

void limits_narrow(struct limits *limits, const struct limits *most)
{
	for (size_t i = 0; i < ARRAY_LEN(limits_of_calls); i++) {
		const size_t at = limits_of_calls[i];
		unsigned *own = (unsigned *)(void *)((char *)limits + at);
		unsigned other;

		memcpy(&other, (const char *)most + at, sizeof(other));
		if (other < *own)
			*own = other;
	}
}

void limits_for_session(struct limits *limits, unsigned copies)
{
	limits->threads += copies;
	limits->timeout_ms = UINT32_MAX;
}

int limits_lower_memory(pid_t pid, const struct limits_base *base,
			unsigned memory_mb)
{
	const rlim_t size = limits_size(base, memory_mb);
	const rlim_t data = limits_data(base, memory_mb);
	const struct rlimit sizes = {size, size}, datas = {data, data};

	return prlimit(pid, RLIMIT_AS, &sizes, NULL) < 0 ||
			       prlimit(pid, RLIMIT_DATA, &datas, NULL) < 0
		       ? -errno : 0;
}

int limits_lower_threads(pid_t pid, unsigned threads)
{
	struct rlimit limit = {threads + 1ul, threads + 1ul};

	return prlimit(pid, RLIMIT_NPROC, &limit, NULL) < 0 ? -errno : 0;
}
