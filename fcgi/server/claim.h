/*
 * claim - a cgroup name and a range of uids belong to one server of a host.
 *
 * A claim is a record lock (fcntl(2)) on a range of bytes of one file, so that
 * ranges of uids that overlap are ranges of bytes that overlap. The lock is the
 * process's own: no child has it, the kernel names its holder, and it ends
 * with the process in every case. Root's file is below /run, where no other
 * user can open it; another user's file is their own.
 */
#ifndef TERRARIUM_CLAIM_H
#define TERRARIUM_CLAIM_H

#include "conf/conf.h"
#include "sandbox/walls/cgroup_host.h"

#define CLAIM_WORDS_MAX 400

/* What one server has to itself. */
struct claim {
	const struct conf *conf;
	const struct cgroup_host *host; /* of kind CGROUP_NONE: no groups */
};

/* Take what CLAIM says, for as long as this process has *FD, which its children
 * need not have. 1: it is ours; 0: another server has it, and WORDS say which
 * process and which option to change; negative errno value: no lock could be tried, WORDS say why. */
int claim_take(const struct claim *claim, int *fd,
	       char words[CLAIM_WORDS_MAX]);

/* There are no control groups after all: give their names back. */
void claim_release_groups(int fd);

/* The same answers, without taking anything. */
int claim_look(const struct claim *claim, char words[CLAIM_WORDS_MAX]);

#endif
