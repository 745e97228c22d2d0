/*
 * test_digest - the digest of a content: its inputs, and that it is the
 * documented polynomial.
 */
#include "tests/unit/support.h"

#include <string.h>

#include "sandbox/base/digest.h"

#define PRIME ((UINT64_C(1) << 61) - 1)
#define SIZE 1000

static unsigned char content[SIZE];

static int fill(void **state)
{
	uint32_t number = 1;

	(void)state;
	for (size_t i = 0; i < SIZE; i++) {
		number = number * 1664525 + 1013904223;
		content[i] = (unsigned char)(number >> 24);
	}
	return 0;
}

/* A bit at a time. */
static uint64_t times(uint64_t a, uint64_t b)
{
	uint64_t sum = 0;

	for (int bit = 60; bit >= 0; bit--) {
		sum = sum * 2 % PRIME;
		if (b >> bit & 1)
			sum = (sum + a) % PRIME;
	}
	return sum;
}

static uint64_t slowly(uint64_t point, size_t size)
{
	uint64_t sum = 0;

	for (size_t at = 0; at < size; at += DIGEST_WORD) {
		uint64_t word = 0;

		for (size_t i = 0; i < DIGEST_WORD && at + i < size; i++)
			word |= (uint64_t)content[at + i] << 8 * i;
		sum = times((sum + word) % PRIME, point);
	}
	return sum;
}

static void it_is_a_polynomial(void **state)
{
	static const uint64_t points[] = {1, 2, PRIME - 1, PRIME / 3,
					  UINT64_C(0x123456789abcdef)};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(points); i++)
		for (size_t size = 0; size < 200; size++) {
			struct digest digest = {.point = points[i]};

			digest_add(&digest, content, size);
			assert_int_equal(digest.sum, slowly(points[i], size));
		}
	/* Where sums come closest to the prime. */
	memset(content, 0xff, SIZE);
	struct digest digest = {.point = PRIME - 1};

	digest_add(&digest, content, SIZE);
	assert_int_equal(digest.sum, slowly(PRIME - 1, SIZE));
}

static void pieces_make_a_whole(void **state)
{
	struct digest whole, pieces;

	(void)state;
	assert_int_equal(digest_begin(&whole), 0);
	assert_in_range(whole.point, 1, PRIME - 1);
	pieces = whole;
	digest_add(&whole, content, SIZE);
	for (size_t at = 0; at < SIZE;) {
		size_t left = SIZE - at, piece = (at % 5 + 1) * DIGEST_WORD;

		if (piece > left)
			piece = left;
		digest_add(&pieces, content + at, piece);
		at += piece;
	}
	assert_int_equal(pieces.sum, whole.sum);
}

static void every_bit_counts(void **state)
{
	struct digest start, whole, other;

	(void)state;
	assert_int_equal(digest_begin(&start), 0);
	whole = start;
	digest_add(&whole, content, SIZE);
	for (size_t bit = 0; bit < SIZE * 8; bit++) {
		content[bit / 8] ^= (unsigned char)(1u << bit % 8);
		other = start;
		digest_add(&other, content, SIZE);
		content[bit / 8] ^= (unsigned char)(1u << bit % 8);
		assert_int_not_equal(other.sum, whole.sum);
	}
	assert_int_equal(digest_begin(&other), 0);
	assert_int_not_equal(other.point, start.point);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(it_is_a_polynomial, fill),
		cmocka_unit_test_setup(pieces_make_a_whole, fill),
		cmocka_unit_test_setup(every_bit_counts, fill),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
