/*
 * claim - reserves a cgroup name and a range of uids for one server of the
 * host.
 *
 * A claim is a record lock (fcntl(2)) on a range of bytes of one file. So
 * ranges of uids that overlap are ranges of bytes that overlap. The lock
 * belongs to the process: no child inherits it, the kernel can name its holder,
 * and it ends with the process in every case. The file of root is below /run,
 * where no other user can open it. Other users have files of their own.
 */
#ifndef TERRARIUM_CLAIM_H
#define TERRARIUM_CLAIM_H

#include "conf/conf.h"
#include "sandbox/walls/cgroup_host.h"

#define CLAIM_ERROR_MAX 400

/* The names and ids that one server needs for itself. */
struct claim {
	const struct conf *conf;
	const struct cgroup_host *host; /* of kind CGROUP_NONE: no groups */
};

/* Claim the names and ids of CLAIM while this process keeps *FD open; its
 * children need not. Returns 1: claimed. 0: another server has them; ERROR name
 * its process and the option to change. Negative errno value: no lock could be
 * tried; ERROR has the reason. */
int claim_take(const struct claim *claim, int *fd, char error[CLAIM_ERROR_MAX]);

/* Release the names of control groups, because the server runs without them. */
void claim_release_groups(int fd);

/* Return the same as claim_take(), but claim nothing. */
int claim_check(const struct claim *claim, char error[CLAIM_ERROR_MAX]);

#endif
