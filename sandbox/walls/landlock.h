/*
 * landlock - file rights of guests, workers and the archive process, by the
 * kernel's Landlock module.
 *
 * The rules repeat what the mounts already grant, in case a mount is wrong.
 */
#ifndef TERRARIUM_LANDLOCK_H
#define TERRARIUM_LANDLOCK_H

#include "sandbox/base/base.h"

/* The ABI version of the running kernel; 0: it has no Landlock. */
int landlock_abi(void);

/* Guest: restrict the calling process, irrevocably. It may read below /usr,
 * /etc and /dev, and write below /home/user and /home/tmp. It may not execute
 * files, connect to a network, or signal processes outside. ABI is the result
 * of landlock_abi(), not 0. 0 or a negative errno value. */
int landlock_enforce(int abi);

/* Archive process: the same, but only the open directory DIR is visible. Files
 * and directories may be made and removed below it. */
int landlock_enforce_archive(int abi, int dir);

/* Worker: the same, but only the open directory HOME is visible (-1: none).
 * Signals are not restricted, because the worker kills its guest. */
int landlock_enforce_worker(int abi, int home);

/* Session keeper: the same, and it may remove and rename files in HOME. */
int landlock_enforce_keeper(int abi, int home);

#endif
