/*
 * digest - what is kept of a large content that is not: enough to tell
 * whether another one is the same.
 *
 * A polynomial over the integers modulo 2^61 - 1, the content its
 * coefficients, at a point that is drawn for each digest. Who makes the other
 * content does not know the point, nor the digest: two of one size and a
 * hundred megabytes are taken for the same once in 2^37 times.
 */
#ifndef TERRARIUM_DIGEST_H
#define TERRARIUM_DIGEST_H

#include "base.h"

#define DIGEST_WORD 7 /* bytes of a coefficient */

struct digest {
	uint64_t point; /* 0: none was begun */
	uint64_t sum;
};

/* Begin one. 0, or a negative errno value. */
int digest_begin(struct digest *digest);

/* Go on with SIZE bytes; all but the last piece have a multiple of
 * DIGEST_WORD. The size of the whole is not part of it. */
void digest_add(struct digest *digest, const void *data, size_t size);

#endif
