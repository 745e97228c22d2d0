/*
 * syscalls - filters of system calls (seccomp).
 *
 * Each role has a table of calls, conditions and reasons (syscalls_table.h). A
 * pool process compiles the tables once, with libseccomp; each process loads
 * the filter of its role.
 */
#ifndef TERRARIUM_SYSCALLS_H
#define TERRARIUM_SYSCALLS_H

#include <stdio.h>

#include "sandbox/base/base.h"

/* The flags of clone(2) in glibc's fork(), and in no other allowed call. */
#define SYSCALLS_FORK_FLAGS 0x1200011ul

/* A guest's process id in its own pid namespace; the namespace's init has 1. */
#define SYSCALLS_GUEST_PID 2

/* A compiled filter. It owns INSTRUCTIONS; release it by syscalls_free(). */
struct syscalls_filter {
	unsigned short count;
	void *instructions;
};

enum syscalls_role {
	SYSCALLS_GUEST,
	SYSCALLS_WORKER,
	SYSCALLS_SESSION, /* the guest of a session */
	SYSCALLS_CALLER,  /* a worker of a server: it calls sessions and
			   * streams */
	SYSCALLS_KEEPER,  /* a session keeper */
	SYSCALLS_ARCHIVE, /* the archive process */
	SYSCALLS_INIT,	  /* the init of a guest's pid namespace */
	SYSCALLS_QUEUE,	  /* the queue process */
	SYSCALLS_ROLES
};

/* Compile ROLE's table. 0 or a negative errno value. */
int syscalls_compile(enum syscalls_role role, struct syscalls_filter *filter);

/* The same for a guest. With JIT it may make memory executable that it has
 * written, though never both at once (walls.jit). */
int syscalls_compile_guest(enum syscalls_role role, bool jit,
			   struct syscalls_filter *filter);

void syscalls_free(struct syscalls_filter *filter);

/* Load FILTER in the calling process; it cannot be removed. no_new_privs must
 * be set. 0 or a negative errno value. */
int syscalls_load(const struct syscalls_filter *filter);

/*
 * The gate of a session's guest (fork_gate.h): a filter that is loaded before
 * the guest's own. It sends some calls to the process that holds its listener.
 * syscalls_load_gate() returns the listener's descriptor.
 */
int syscalls_compile_gate(struct syscalls_filter *filter);
int syscalls_load_gate(const struct syscalls_filter *filter);

/* Print ROLE's table, then the compiled filter as pseudo code. 0 or a negative
 * errno value. */
int syscalls_print(enum syscalls_role role, FILE *out);

/* The number of different calls that ROLE's table allows on this machine. */
unsigned syscalls_allowed(enum syscalls_role role);

#endif
