/* digest - see digest.h. */
#include "digest.h"

#include <endian.h>
#include <errno.h>
#include <string.h>
#include <sys/random.h>

#define DIGEST_PRIME ((UINT64_C(1) << 61) - 1)
#define DIGEST_STEP 4 /* words multiplied together */

__extension__ typedef unsigned __int128 digest_product;

/* Reduce PRODUCT, which is below 2^124, to below 2^61 + 8. */
static uint64_t digest_fold(digest_product product)
{
	uint64_t sum = (uint64_t)(product & DIGEST_PRIME) +
		       (uint64_t)(product >> 61);

	return (sum & DIGEST_PRIME) + (sum >> 61);
}

int digest_begin(struct digest *digest)
{
	uint64_t drawn;

	if (getrandom(&drawn, sizeof(drawn), 0) != sizeof(drawn))
		return -errno;
	*digest = (struct digest){.point = drawn % (DIGEST_PRIME - 1) + 1};
	return 0;
}

/* The word of SIZE bytes at AT; SIZE is DIGEST_WORD or less. */
static uint64_t digest_word(const unsigned char *at, size_t size)
{
	uint64_t word = 0;

	memcpy(&word, at, size);
	return le64toh(word);
}

/* The word of DIGEST_WORD bytes at AT. One more byte after it is readable. */
static uint64_t digest_whole_word(const unsigned char *at)
{
	uint64_t word;

	memcpy(&word, at, sizeof(word));
	return le64toh(word) & (UINT64_MAX >> 8);
}

/* Horner's scheme for four words, ((((sum + a) x + b) x + c) x + d) x, with the
 * powers of x multiplied out. One byte after the last word is readable. */
static uint64_t digest_step(uint64_t sum, const uint64_t powers[DIGEST_STEP],
			    const unsigned char *at)
{
	digest_product all;

	all = (digest_product)powers[3] * (sum + digest_whole_word(at));
	at += DIGEST_WORD;
	all += (digest_product)powers[2] * digest_whole_word(at);
	at += DIGEST_WORD;
	all += (digest_product)powers[1] * digest_whole_word(at);
	at += DIGEST_WORD;
	all += (digest_product)powers[0] * digest_whole_word(at);
	return digest_fold(all);
}

void digest_add(struct digest *digest, const void *data, size_t size)
{
	const size_t step = (size_t)DIGEST_STEP * DIGEST_WORD;
	const unsigned char *at = data;
	uint64_t powers[DIGEST_STEP] = {digest->point}, sum = digest->sum;

	for (int i = 1; i < DIGEST_STEP; i++)
		powers[i] = digest_fold((digest_product)powers[i - 1] *
					digest->point);
	for (; size > step; at += step, size -= step)
		sum = digest_step(sum, powers, at);
	while (size > 0) {
		size_t word = size < DIGEST_WORD ? size : DIGEST_WORD;

		sum += digest_word(at, word);
		sum = digest_fold((digest_product)sum * digest->point);
		at += word;
		size -= word;
	}
	digest->sum = sum >= DIGEST_PRIME ? sum - DIGEST_PRIME : sum;
}

uint64_t digest_text(const char *text)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) *
		       UINT64_C(0x100000001b3);
	return hash ? hash : 1;
}
