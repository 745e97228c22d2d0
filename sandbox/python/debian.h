/*
 * debian - the versions of the distribution's packages of Python, for packages
 * that tell none themselves.
 */
#ifndef TERRARIUM_DEBIAN_H
#define TERRARIUM_DEBIAN_H

#include "sandbox/base/job.h"

#define DEBIAN_STATUS "/var/lib/dpkg/status"

/*
 * List the installed packages python3-NAME of dpkg's file PATH in OUT, as lines
 * "NAME VERSION". The list is empty where there is no such file, as on other
 * distributions. The caller releases OUT->data. Returns 0 or -ENOMEM.
 */
int debian_versions(const char *path, struct bytes *out);

#endif
