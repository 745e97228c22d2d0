/*
 * landlock - the file rights of a guest, said a second time to the kernel's
 * Landlock module, in case a mount is not what we think it is.
 */
#ifndef TERRARIUM_LANDLOCK_H
#define TERRARIUM_LANDLOCK_H

#include "sandbox/base/base.h"

/* The ABI version of the running kernel, 0 when it has no Landlock. */
int landlock_abi(void);

/* Restrict the calling process for good: read below /usr, /etc and /dev,
 * write below /home/user and /home/tmp, execute nothing, connect nowhere,
 * signal nobody outside. ABI is what landlock_abi() said, not 0. */
int landlock_enforce(int abi);

/* The same, with nothing to be seen but what is below the open directory DIR,
 * where files and directories may be made and removed. */
int landlock_enforce_archive(int abi, int dir);

/* Worker: the same, with nothing to be seen but what is below the open
 * directory HOME (-1: nothing at all). Signals are not scoped: it has its guest to kill. */
int landlock_enforce_worker(int abi, int home);

#endif
