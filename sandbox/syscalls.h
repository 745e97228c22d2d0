/*
 * syscalls - which system calls a guest may make: one table of call,
 * condition and reason, compiled once by libseccomp, loaded by each guest.
 */
#ifndef TERRARIUM_SYSCALLS_H
#define TERRARIUM_SYSCALLS_H

#include <stdio.h>

#include "base.h"

/* A guest's process id in its own namespace; 1 is the namespace's init. */
#define SYSCALLS_GUEST_PID 2

/* A finished program; INSTRUCTIONS belongs to it. */
struct syscalls_filter {
	unsigned short count;
	void *instructions;
};

/* Compile the table. 0 or a negative errno value. */
int syscalls_compile(struct syscalls_filter *filter);

void syscalls_free(struct syscalls_filter *filter);

/* Guest: load FILTER for good. no_new_privs must be set. */
int syscalls_load(const struct syscalls_filter *filter);

/* Print the table, then the compiled filter as pseudo code. */
int syscalls_print(FILE *out);

/* How many different calls the table allows on this machine. */
unsigned syscalls_allowed(void);

#endif
