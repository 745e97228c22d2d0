/*
 * gate - the one fork of a session's guest, and who lets it pass.
 *
 * The guest of a session forks before each call, so that there is a copy of
 * it as it was. Its filter lets exactly fork(2) come as far as the gate, a
 * second filter (seccomp_unotify(2)): whoever forks waits in the kernel until
 * the keeper, who holds the listener, says what becomes of it. Who knocks is
 * what the kernel says, not the guest. The keeper lets a knock pass when it
 * has just given its guest leave, once, and refuses all others with EPERM.
 *
 * Signals come to the gate, too: by its filter a guest could name itself only
 * if its number were a constant, and copies have others. The keeper lets one
 * pass that names the process which sends it. What it names is in a register,
 * so it is still that when the kernel goes on.
 *
 * Waiting at the gate is also how a guest waits for its next call, and how
 * the copy waits to be needed: no pipe of theirs could be robbed.
 */
#ifndef TERRARIUM_GATE_H
#define TERRARIUM_GATE_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

#include "syscalls.h"

struct gate_knock {
	uint64_t id;
	pid_t pid; /* of the thread, as this process sees it */
	bool signals;	   /* it does not fork, but sends SIGNAL to TARGET, */
	uint64_t target;   /* which is a number of its own pid namespace */
	uint32_t signal;
};

/* What tells the number of a process in its own pid namespace: a descriptor,
 * and the kernel's words on what that number of a descriptor stands for. */
struct gate_mirror {
	int fd;	  /* stands for the process that is asked about */
	int text; /* /proc/self/fdinfo/FD; -1: there is no such file */
};
#define GATE_MIRROR_NONE ((struct gate_mirror){-1, -1})

/* Guest: put the gate up and send its listener over the socket FD. Wants
 * no_new_privs. No fork passes from here on. */
int gate_put_up(const struct syscalls_filter *filter, int fd);

/* Guest: knock without glibc's fork, and without a wish to pass. Returns the
 * errno value with which the keeper answers, or -ENOSYS when it is gone. */
int gate_wait(void);

/* Keeper: the listener that gate_put_up() sends over FD. */
int gate_receive(int fd);

/* Keeper: the next knock, without waiting. 1, 0: nobody knocks, -EPIPE: there
 * is nobody left who could, or another negative errno value. */
int gate_next(int gate, struct gate_knock *knock);

/* Keeper: open MIRROR, by the directory PROC, which is /proc; -1: it will tell
 * nothing. 0 or a negative errno value. */
int gate_open_mirror(struct gate_mirror *mirror, int proc);
void gate_close_mirror(struct gate_mirror *mirror);

/* Keeper: the number that the process of PIDFD has in its own pid namespace; 0
 * if that is not known. */
pid_t gate_number(struct gate_mirror *mirror, int pidfd);

/* Keeper: is KNOCK of a thread of GUEST, and a signal to GUEST itself, whose
 * number in its own pid namespace is NUMBER? SIGCONT is not: whoever is stopped
 * between calls shall not go on by itself. */
bool gate_signals_itself(int gate, const struct gate_knock *knock,
			 pid_t guest, pid_t number);

/* Keeper: does whoever knocked still wait at KNOCK? */
bool gate_stands(int gate, const struct gate_knock *knock);

/* Keeper: let it pass, or answer ERROR (positive). -ENOENT: whoever knocked
 * has been interrupted (it will knock again) or is dead. */
int gate_pass(int gate, const struct gate_knock *knock);
int gate_refuse(int gate, const struct gate_knock *knock, int error);

/* Keeper: a descriptor of the process that waits at KNOCK, which must be the
 * leader of its threads. */
int gate_pidfd(int gate, const struct gate_knock *knock);

/* Keeper: how the process of PIDFD died, which was no child of ours, as
 * waitid(2) would tell; CLD_KILLED by signal 0 where the kernel does not
 * (before 6.15). */
void gate_how_it_died(int pidfd, siginfo_t *info);

#endif
