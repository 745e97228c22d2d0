/*
 * digest - a fingerprint of a large content, kept in place of it, to tell
 * whether another content is the same.
 *
 * The digest is a polynomial over the integers modulo 2^61 - 1, at a point that
 * is drawn for each digest. The content is the coefficients. The author of the
 * other content knows neither the point nor the digest. Two different contents
 * of a hundred megabytes have the same digest once in 2^37 times.
 */
#ifndef TERRARIUM_DIGEST_H
#define TERRARIUM_DIGEST_H

#include "base.h"

#define DIGEST_WORD 7 /* bytes of a coefficient */

struct digest {
	uint64_t point; /* 0: no digest was begun */
	uint64_t sum;
};

/* Begin a digest at a random point. 0 or a negative errno value. */
int digest_begin(struct digest *digest);

/* Add SIZE bytes. Each piece but the last must be a multiple of DIGEST_WORD.
 * The digest does not depend on the total size. */
void digest_add(struct digest *digest, const void *data, size_t size);

/* A number for TEXT (FNV-1a of 64 bits), never 0. Not for texts that an attacker
 * can choose: it is easy to find two with the same one. */
uint64_t digest_text(const char *text);

#endif
