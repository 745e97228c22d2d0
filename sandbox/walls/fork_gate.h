/*
 * fork_gate - the one fork of a session's guest, and who lets it pass.
 *
 * The guest of a session forks before each call, so that there is a copy of
 * it as it was. Its filter lets exactly fork(2) come as far as the gate, a
 * second filter (seccomp_unotify(2)): whoever forks waits in the kernel until
 * the session keeper, who holds the listener, says what becomes of it. Who
 * knocks is what the kernel says, not the guest. The session keeper lets a
 * knock pass when it has just given its guest leave, once, and refuses all
 * others with EPERM.
 *
 * Signals come to the gate, too: by its filter a guest could name itself only
 * if its number were a constant, and copies have others. The session keeper
 * lets one pass that names the process which sends it. What it names is in a
 * register, so it is still that when the kernel goes on.
 *
 * Waiting at the gate is also how a guest waits for its next call, and how
 * the copy waits to be needed: no pipe of theirs could be robbed.
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
	bool signals;	   /* it does not fork, but sends SIGNAL to TARGET, */
	uint64_t target;   /* which is a number of its own pid namespace */
	uint32_t signal;
};

/* What tells the number of a process in its own pid namespace: a descriptor,
 * and the kernel's words on what that number of a descriptor stands for. */
struct fork_gate_mirror {
	int fd;	  /* stands for the process that is asked about */
	int text; /* /proc/self/fdinfo/FD; -1: there is no such file */
};
#define FORK_GATE_MIRROR_NONE ((struct fork_gate_mirror){-1, -1})

/* Guest: put the gate up and send its listener over the socket FD. Wants
 * no_new_privs. No fork passes from here on. */
int fork_gate_put_up(const struct syscalls_filter *filter, int fd);

/* Guest: knock without glibc's fork, and without a wish to pass. Returns the
 * errno value with which the session keeper answers, or -ENOSYS when it is
 * gone. */
int fork_gate_wait(void);

/* Session keeper: the listener that fork_gate_put_up() sends over FD. */
int fork_gate_receive(int fd);

/* Session keeper: the next knock, without waiting. 1, 0: nobody knocks, -EPIPE:
 * there is nobody left who could, or another negative errno value. */
int fork_gate_next(int gate, struct fork_gate_knock *knock);

/* Session keeper: open MIRROR, by the directory PROC, which is /proc; -1: it
 * will tell nothing. 0 or a negative errno value. */
int fork_gate_open_mirror(struct fork_gate_mirror *mirror, int proc);
void fork_gate_close_mirror(struct fork_gate_mirror *mirror);

/* Session keeper: the number that the process of PIDFD has in its own pid
 * namespace; 0 if that is not known. */
pid_t fork_gate_number(struct fork_gate_mirror *mirror, int pidfd);

/* Session keeper: is KNOCK of a thread of GUEST, and a signal to GUEST itself,
 * whose number in its own pid namespace is NUMBER? SIGCONT is not: whoever is
 * stopped between calls shall not go on by itself. */
bool fork_gate_signals_itself(int gate, const struct fork_gate_knock *knock,
			      pid_t guest, pid_t number);

/* Session keeper: does whoever knocked still wait at KNOCK? */
bool fork_gate_stands(int gate, const struct fork_gate_knock *knock);

/* Session keeper: let it pass, or answer ERROR (positive). -ENOENT: whoever
 * knocked has been interrupted (it will knock again) or is dead. */
int fork_gate_pass(int gate, const struct fork_gate_knock *knock);
int fork_gate_refuse(int gate, const struct fork_gate_knock *knock, int error);

/* Session keeper: a descriptor of the process that waits at KNOCK, which must
 * be the leader of its threads. */
int fork_gate_pidfd(int gate, const struct fork_gate_knock *knock);

/* Session keeper: how the process of PIDFD died, which was no child of ours, as
 * waitid(2) would tell; CLD_KILLED by signal 0 where the kernel does not
 * (before 6.15). */
void fork_gate_how_it_died(int pidfd, siginfo_t *info);

#endif
