/*
 * fork_gate - a filter that asks the session keeper about each fork of a
 * session's guest.
 *
 * The guest of a session forks before each call, so that a copy keeps its state
 * from before the call. Its own filter allows only the fork(2) of glibc. The
 * gate is a second filter (seccomp_unotify(2)). A fork is a knock: the caller
 * waits in the kernel until the session keeper, which holds the listener,
 * answers. The kernel says which thread knocks. The session keeper lets one
 * knock pass after it has told its guest to fork, and refuses all others with
 * EPERM.
 *
 * Signals are knocks, too. A filter compares with constants, and the process
 * ids of copies differ, so a filter cannot allow signals to oneself only. The
 * session keeper lets a signal pass that names the process which sends it. The
 * target is in a register, so it cannot change while the call waits.
 *
 * A guest also waits for its next call at the gate, and a copy waits there
 * until it is needed. A pipe for that could be read by the program.
 */
#ifndef TERRARIUM_FORK_GATE_H
#define TERRARIUM_FORK_GATE_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

#include "syscalls.h"

struct fork_gate_knock {
	uint64_t id;
	pid_t pid; /* of the thread, as this process sees it */
	bool signals;	   /* not a fork: it sends SIGNAL to TARGET */
	uint64_t target;   /* a process id in its own pid namespace */
	uint32_t signal;
};

/* Tells the process id that a process has in its own pid namespace. FD is made
 * a copy of its pidfd, and TEXT is the kernel's description of descriptor
 * FD. */
struct fork_gate_mirror {
	int fd;	  /* a copy of the process's pidfd */
	int text; /* /proc/self/fdinfo/FD; -1: it could not be opened */
};
#define FORK_GATE_MIRROR_NONE ((struct fork_gate_mirror){-1, -1})

/* Guest: load the gate's FILTER and send its listener over the socket FD.
 * no_new_privs must be set. From now on each fork waits for the listener. 0 or
 * a negative errno value. */
int fork_gate_load(const struct syscalls_filter *filter, int fd);

/* Guest: knock by clone(2), without glibc's fork(), in order to wait. Returns
 * the negative errno value that the session keeper answers, or -ENOSYS if the
 * session keeper is gone. */
int fork_gate_wait(void);

/* Session keeper: receive the listener that fork_gate_load() sends over FD.
 * The caller's, or a negative errno value. */
int fork_gate_receive(int fd);

/* Session keeper: take the next knock, without waiting. 1; 0: there is none;
 * -EPIPE: no process is left that could knock; or another negative errno
 * value. */
int fork_gate_next(int gate, struct fork_gate_knock *knock);

/* Session keeper: open MIRROR. PROC is a descriptor of /proc, or -1: then the
 * mirror tells nothing. 0 or a negative errno value. */
int fork_gate_open_mirror(struct fork_gate_mirror *mirror, int proc);
void fork_gate_close_mirror(struct fork_gate_mirror *mirror);

/* Session keeper: the process id that the process of PIDFD has in its own pid
 * namespace; 0 if it is not known. */
pid_t fork_gate_number(struct fork_gate_mirror *mirror, int pidfd);

/* Session keeper: whether KNOCK is of a thread of GUEST and sends a signal to
 * GUEST itself. NUMBER is GUEST's process id in its own pid namespace. False
 * for SIGCONT, because a guest that is stopped between calls must not continue
 * by itself. */
bool fork_gate_signals_itself(int gate, const struct fork_gate_knock *knock,
			      pid_t guest, pid_t number);

/* Session keeper: whether the caller of KNOCK still waits. */
bool fork_gate_waits(int gate, const struct fork_gate_knock *knock);

/* Session keeper: let KNOCK pass, or refuse it with ERROR (positive). -ENOENT:
 * the caller was interrupted and will knock again, or it is dead. */
int fork_gate_pass(int gate, const struct fork_gate_knock *knock);
int fork_gate_refuse(int gate, const struct fork_gate_knock *knock, int error);

/* Session keeper: a pidfd of the process that waits at KNOCK; the caller's. The
 * thread that waits must be the leader of its process. */
int fork_gate_pidfd(int gate, const struct fork_gate_knock *knock);

/* Session keeper: how the process of PIDFD died, as waitid(2) tells of a child.
 * The process need not be a child. CLD_KILLED by signal 0 if the kernel does
 * not tell (before Linux 6.15). */
void fork_gate_death(int pidfd, siginfo_t *info);

#endif
