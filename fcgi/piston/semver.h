/*
 * semver - ranges of versions, as clients of package managers write them:
 * "*", "3", "3.x", ">=3.8 <4", "^3.9", "~3.10.2", "3.8 - 3.12", "2 || 3".
 */
#ifndef TERRARIUM_SEMVER_H
#define TERRARIUM_SEMVER_H

#include "sandbox/base/base.h"

#define SEMVER_MAX 200 /* bytes of a range that is read */

struct semver {
	bool valid;   /* the text is a range */
	bool matches; /* the version is in it */
	bool exact;   /* it names one version, in NAMED of its parts */
	unsigned parts[3];
	unsigned named;
};

/* Read RANGE, and compare it with VERSION ("3.11.2"), whose suffix does not
 * count. */
struct semver semver_read(const char *range, const char *version);

#endif
