/*
 * syscalls - which system calls a guest may make, and which its worker: a
 * table of call, condition and reason for each, compiled once by libseccomp,
 * loaded by each process.
 */
#ifndef TERRARIUM_SYSCALLS_H
#define TERRARIUM_SYSCALLS_H

#include <stdio.h>

#include "sandbox/base/base.h"

/* The flags of glibc's fork(), and of no other call that may come by. */
#define SYSCALLS_FORK_FLAGS 0x1200011ul

/* A guest's process id in its own namespace; 1 is the namespace's init. */
#define SYSCALLS_GUEST_PID 2

/* A finished program; INSTRUCTIONS belongs to it. */
struct syscalls_filter {
	unsigned short count;
	void *instructions;
};

/* Whose table: a guest's, and that of a session; a worker's, that of one
 * which can call sessions, a session's session keeper's, the archive process's,
 * that of the init of a guest's pid namespace, and the queue's. */
enum syscalls_role {
	SYSCALLS_GUEST,
	SYSCALLS_WORKER,
	SYSCALLS_SESSION,
	SYSCALLS_CALLER,
	SYSCALLS_KEEPER,
	SYSCALLS_ARCHIVE,
	SYSCALLS_INIT,
	SYSCALLS_QUEUE,
	SYSCALLS_ROLES
};

/* Compile ROLE's table. 0 or a negative errno value. */
int syscalls_compile(enum syscalls_role role, struct syscalls_filter *filter);

void syscalls_free(struct syscalls_filter *filter);

/* Load FILTER for good. no_new_privs must be set. */
int syscalls_load(const struct syscalls_filter *filter);

/*
 * The gate of a session's guest (fork_gate.h): a program that is loaded before
 * the guest's own and hands one call to whoever holds the listener, whose
 * descriptor syscalls_load_gate() returns.
 */
int syscalls_compile_gate(struct syscalls_filter *filter);
int syscalls_load_gate(const struct syscalls_filter *filter);

/* Print ROLE's table, then the compiled filter as pseudo code. */
int syscalls_print(enum syscalls_role role, FILE *out);

/* How many different calls ROLE's table allows on this machine. */
unsigned syscalls_allowed(enum syscalls_role role);

#endif
