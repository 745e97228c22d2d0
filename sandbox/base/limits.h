/*
 * limits - the limits of one guest, on its resources and on its results.
 */
#ifndef TERRARIUM_LIMITS_H
#define TERRARIUM_LIMITS_H

#include "base.h"

struct limits {
	unsigned timeout_ms;   /* wall clock of one run */
	unsigned memory_mb;    /* beyond the preloaded interpreter */
	unsigned threads;
	unsigned cpu_percent;  /* 100 is one processor; needs a cgroup */
	unsigned home_mb;      /* tmpfs that holds home and /tmp */
	unsigned home_inodes;
	unsigned open_files;
	unsigned output_kb;    /* kept of each of std_out and std_err */
	unsigned flood_mb;     /* printed in all; above, the run is killed */
	unsigned value_kb;     /* JSON text of the final value */
	unsigned displays;     /* figures and rich values: number */
	unsigned displays_mb;  /* their size in all */
	unsigned files_in;     /* input files: number */
	unsigned files_out;    /* output files: number */
	unsigned files_out_mb; /* their size in all */
};

/* Memory of the preloaded interpreter, which a program has besides its own. */
struct limits_base {
	uint64_t size_kb; /* address space (VmSize of proc(5)) */
	uint64_t data_kb; /* private memory that can be written (VmData) */
	/* A control group limits the memory in use. Then there is more room for
	 * libraries that a program imports, which only map files. */
	bool counted;
};

/*
 * Set the calling process's resource limits, soft and hard. TASKS is the most
 * tasks that the calling uid may have; 0: no change. 0 or a negative errno
 * value.
 */
int limits_apply(const struct limits *limits, const struct limits_base *base,
		 unsigned long tasks);

/* Lower the most tasks of PID's uid, which no other guest has, to THREADS + 1.
 * 0 or a negative errno value. */
int limits_lower_threads(pid_t pid, unsigned threads);

/* Lower those of LIMITS that apply to one call (its time, its input and its
 * results) to those of MOST, where MOST's are lower. Limits of the guest itself
 * stay as they are. */
void limits_narrow(struct limits *limits, const struct limits *most);

/* Turn the limits of one run into those of a session with COPIES copies of its
 * guest. They get more tasks, and time for any number of calls, because the
 * session keeper limits the time of each call. */
void limits_for_session(struct limits *limits, unsigned copies);

/* Lower the limits on the memory of process PID to BASE plus MEMORY_MB. 0 or a
 * negative errno value. */
int limits_lower_memory(pid_t pid, const struct limits_base *base,
			unsigned memory_mb);

#endif
