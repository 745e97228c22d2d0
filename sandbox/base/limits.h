/*
 * limits - what one guest may use, and how much of what it made is kept.
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
	unsigned output_kb;    /* kept of std_out and of std_err, each */
	unsigned flood_mb;     /* printed in all, before the run is killed */
	unsigned value_kb;     /* JSON text of the final value */
	unsigned displays;     /* figures and rich values, number */
	unsigned displays_mb;  /* their size in all */
	unsigned files_in;     /* input files, number */
	unsigned files_out;    /* output files, number */
	unsigned files_out_mb; /* their size in all */
};

/*
 * Set the resource limits of the calling process, for good (soft and hard).
 * BASE_KB is the address space that the preloaded interpreter takes;
 * TASKS the most tasks the calling uid may have (0: leave it).
 * Returns 0 or a negative errno value.
 */
int limits_apply(const struct limits *limits, unsigned long base_kb,
		 unsigned long tasks);

/* Lower the tasks of PID's uid, which is its own, to PID and THREADS more. */
int limits_lower_threads(pid_t pid, unsigned threads);

/* Lower in LIMITS to those of MOST, where these are less, what is each call's
 * own: its time, what is taken in for it, and what is kept of it. What a
 * guest lives in is as it was. */
void limits_narrow(struct limits *limits, const struct limits *most);

/* Make of what one run may have what a session may that has COPIES of its
 * guest besides: tasks for them, and time for any number of calls; the
 * clock of each call is its session keeper's. */
void limits_for_session(struct limits *limits, unsigned copies);

/* Lower the address space of process PID to BASE_KB and MEMORY_MB. */
int limits_lower_memory(pid_t pid, unsigned long base_kb,
			unsigned memory_mb);

#endif
