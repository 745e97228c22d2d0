/*
 * report - what a worker tells its pool process: messages of one size, numbers
 * only but for one short sentence of ours, on a pipe that all workers of a
 * generation share (a write of this size is never mixed with another's).
 */
#ifndef TERRARIUM_REPORT_H
#define TERRARIUM_REPORT_H

#include "sandbox/base/base.h"

#define REPORT_WORDS_MAX 160

enum report_event {
	REPORT_ARMED,	   /* a guest stands ready; waiting for a request */
	REPORT_ARM_FAILED, /* WORDS says why; the worker exits */
	REPORT_BUSY,	   /* a request was taken */
	REPORT_QUEUED,	   /* one was handed to the queue: its client waits */
	REPORT_CROWDED,	   /* one was refused: too many of its client wait */
	REPORT_DONE,	   /* answered; the numbers below are set */
	REPORT_EVENTS
};

struct report {
	uint32_t event;
	uint32_t slot;
	uint32_t ran;	  /* a job was run: VERDICT says how it ended */
	uint32_t verdict; /* enum outcome_verdict */
	uint32_t status;  /* HTTP */
	int32_t guest;	  /* ARMED: its pid */
	uint64_t runtime_ms, queue_ms, cpu_ms;
	uint64_t bytes_in, bytes_out;
	char words[REPORT_WORDS_MAX];
};

/* Worker: send, without ever waiting; FD is non-blocking. */
void report_send(int fd, const struct report *report);

/* Pool process: read one from the non-blocking FD. 1 got one that is sane (its
 * SLOT is below SLOTS), 0 none there. */
int report_read(int fd, struct report *report, unsigned slots);

#endif
