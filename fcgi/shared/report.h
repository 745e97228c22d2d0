/*
 * report - the messages of a worker to its pool process. All have one size, and
 * consist of numbers and one short error sentence. All workers of a generation
 * share one pipe; the kernel does not mix writes of this size (pipe(7)).
 */
#ifndef TERRARIUM_REPORT_H
#define TERRARIUM_REPORT_H

#include "sandbox/base/base.h"

#define REPORT_ERROR_MAX 160
#define REPORT_NAME_MAX 65 /* of a client or a door, with its NUL */

enum report_event {
	REPORT_ARMED, /* a guest is armed; the worker waits for a request */
	REPORT_ARM_FAILED, /* ERROR has the reason; the worker exits */
	REPORT_BUSY, /* a request was taken */
	/* A request went to the queue, because its client must wait. */
	REPORT_QUEUED,
	/* A request was refused, because too many of its client wait. */
	REPORT_REFUSED,
	/* A connection came from an address that is not allowed. */
	REPORT_PEER_REFUSED,
	REPORT_DONE, /* answered; the numbers below are set */
	REPORT_EVENTS
};

struct report {
	uint32_t event;
	uint32_t slot;
	uint32_t ran; /* a job was run; VERDICT is its outcome */
	uint32_t verdict; /* enum outcome_verdict */
	uint32_t status; /* of HTTP */
	int32_t guest; /* with REPORT_ARMED: its pid */
	uint32_t slow; /* it took log.slow_after_ms or longer */
	uint32_t log_dropped; /* log lines; report_send() sets it */
	uint64_t runtime_ms, queue_ms, total_ms, cpu_ms, memory_peak_kb;
	uint64_t arm_us; /* with REPORT_ARMED: the time that it took */
	uint64_t bytes_in, bytes_out;
	union {
		char error[REPORT_ERROR_MAX];
		struct { /* with REPORT_DONE */
			char client[REPORT_NAME_MAX], door[REPORT_NAME_MAX];
		};
	};
};

/* Worker: send REPORT without blocking. FD is non-blocking. */
void report_send(int fd, const struct report *report);

/* Pool process: read a report from the non-blocking FD. Returns 1 if it got a
 * valid one, with a SLOT below SLOTS; 0 if none is there. */
int report_read(int fd, struct report *report, unsigned slots);

#endif
