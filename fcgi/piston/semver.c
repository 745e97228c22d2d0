/*
 * semver - see semver.h.
 *
 * A version is one number, so that each comparison is an interval from its
 * first version up to, not including, its end.
 */
#include "semver.h"

#include <ctype.h>
#include <string.h>

#define SEMVER_PART_MAX 0xfffff
#define SEMVER_PART_BITS 20
#define SEMVER_END UINT64_MAX

/* A version of which the last parts may be missing: 3, 3.x, 3.11. */
struct semver_partial {
	unsigned parts[3];
	unsigned named;
	bool early; /* a version before a release: 3.13.0-rc1 */
};

struct semver_interval {
	uint64_t from, end;
};

static uint64_t semver_number(const unsigned parts[3])
{
	return (uint64_t)parts[0] << (2 * SEMVER_PART_BITS) |
	       (uint64_t)parts[1] << SEMVER_PART_BITS | parts[2];
}

/* The first version behind all that begin with the first COUNT parts. */
static uint64_t semver_behind(const struct semver_partial *partial,
			      unsigned count)
{
	static const uint64_t steps[] = {
		0, 1ULL << (2 * SEMVER_PART_BITS), 1ULL << SEMVER_PART_BITS, 1};
	const uint64_t all = semver_number(partial->parts);

	return count == 0 || count >= ARRAY_LEN(steps)
		       ? SEMVER_END
		       : (all / steps[count] + 1) * steps[count];
}

static const char *semver_skip_blank(const char *at)
{
	return at + strspn(at, " \t");
}

/* Read one part at *AT: a number, or x, X, * for any. */
static bool semver_read_part(const char **at, struct semver_partial *partial,
			     bool *any)
{
	unsigned long value = 0;

	if (**at && strchr("xX*", **at)) {
		*any = true;
		++*at;
		return true;
	}
	if (!isdigit((unsigned char)**at))
		return false;
	for (; isdigit((unsigned char)**at); ++*at) {
		value = value * 10 + (unsigned)(**at - '0');
		if (value > SEMVER_PART_MAX)
			return false;
	}
	if (!*any) /* parts behind an x count as x */
		partial->parts[partial->named++] = (unsigned)value;
	return true;
}

/* Skip a suffix that begins with FIRST: -rc1, +build. */
static bool semver_skip_suffix(const char **at, char first)
{
	static const char letters[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
		"0123456789.-";

	const size_t size = **at == first ? strspn(*at + 1, letters) : 0;

	*at += size ? size + 1 : 0;
	return size > 0;
}

static bool semver_read_partial(const char **at, struct semver_partial *partial)
{
	bool any = false;

	*partial = (struct semver_partial){0};
	if (**at == 'v' || **at == 'V')
		++*at;
	for (unsigned i = 0; i < 3; i++) {
		if (!semver_read_part(at, partial, &any))
			return false;
		if (**at != '.')
			break;
		if (i == 2)
			return false;
		++*at;
	}
	partial->early = semver_skip_suffix(at, '-');
	semver_skip_suffix(at, '+');
	return **at == '\0' || **at == ' ' || **at == '\t';
}

/* The words before a version. The longer of two comes first. */
static const char *const semver_words[] = {">=", "<=", "~>", ">", "<",
					   "=",  "^",  "~",  ""};
enum semver_word { SEMVER_FROM, SEMVER_UP_TO, SEMVER_NEAR_2, SEMVER_ABOVE,
		   SEMVER_BELOW, SEMVER_IS, SEMVER_LIKE, SEMVER_NEAR,
		   SEMVER_NONE };

static enum semver_word semver_read_word(const char **at)
{
	unsigned i = 0;

	while (strncmp(*at, semver_words[i], strlen(semver_words[i])) != 0)
		i++;
	*at = semver_skip_blank(*at + strlen(semver_words[i]));
	return i;
}

/* How many parts of PARTIAL all versions of ^PARTIAL share: up to the first one
 * that is not 0. */
static unsigned semver_shared(const struct semver_partial *partial)
{
	unsigned count = 1;

	while (count < partial->named && partial->parts[count - 1] == 0)
		count++;
	return count < partial->named ? count : partial->named;
}

static struct semver_interval
semver_interval(enum semver_word word, const struct semver_partial *partial)
{
	const uint64_t first = semver_number(partial->parts);
	const uint64_t behind = semver_behind(partial, partial->named);
	const unsigned two = partial->named < 2 ? partial->named : 2;

	switch (word) {
	case SEMVER_FROM:
		return (struct semver_interval){first, SEMVER_END};
	case SEMVER_UP_TO:
		return (struct semver_interval){0, behind};
	case SEMVER_ABOVE:
		return (struct semver_interval){behind, SEMVER_END};
	case SEMVER_BELOW:
		return (struct semver_interval){0, first};
	case SEMVER_LIKE:
		return (struct semver_interval){
			first, semver_behind(partial, semver_shared(partial))};
	case SEMVER_NEAR:
	case SEMVER_NEAR_2:
		return (struct semver_interval){first,
						semver_behind(partial, two)};
	default:
		/* A version before a release is none of ours. */
		return (struct semver_interval){first, partial->early ? first
								      : behind};
	}
}

/* The comparisons between two "||", which must all match. */
struct semver_set {
	struct semver_interval all;
	unsigned count;
	enum semver_word word;	       /* of the last one */
	struct semver_partial partial; /* likewise */
};

static void semver_add(struct semver_set *set, struct semver_interval one)
{
	if (one.from > set->all.from)
		set->all.from = one.from;
	if (one.end < set->all.end)
		set->all.end = one.end;
}

/* Read the rest of "A - B", if it is one. False: no version follows. */
static bool semver_read_hyphen(const char **at, struct semver_set *set)
{
	const char *next = semver_skip_blank(*at);

	if (set->word != SEMVER_NONE || next == *at || *next != '-' ||
	    (next[1] != ' ' && next[1] != '\t'))
		return true;
	semver_add(set, semver_interval(SEMVER_FROM, &set->partial));
	*at = semver_skip_blank(next + 1);
	set->word = SEMVER_UP_TO;
	set->count++;
	return semver_read_partial(at, &set->partial);
}

static bool semver_read_set(const char *at, struct semver_set *set)
{
	*set = (struct semver_set){.all = {0, SEMVER_END}};
	for (at = semver_skip_blank(at); *at; at = semver_skip_blank(at)) {
		set->word = semver_read_word(&at);
		if (!semver_read_partial(&at, &set->partial) ||
		    !semver_read_hyphen(&at, set))
			return false;
		semver_add(set, semver_interval(set->word, &set->partial));
		set->count++;
	}
	return true;
}

/* A range of one set that names one version: 3.10, =3.10.4. */
static void semver_note_exact(const struct semver_set *set,
			      struct semver *found)
{
	found->exact = set->count == 1 && !set->partial.early &&
		       (set->word == SEMVER_NONE || set->word == SEMVER_IS) &&
		       set->partial.named > 0;
	found->named = set->partial.named;
	memcpy(found->parts, set->partial.parts, sizeof(found->parts));
}

static uint64_t semver_of_version(const char *version)
{
	unsigned parts[3] = {0};

	for (unsigned i = 0; i < 3 && isdigit((unsigned char)*version); i++) {
		for (; isdigit((unsigned char)*version); version++)
			parts[i] = (parts[i] * 10 + (unsigned)(*version - '0')) &
				   SEMVER_PART_MAX;
		version += *version == '.';
	}
	return semver_number(parts);
}

struct semver semver_read(const char *range, const char *version)
{
	const uint64_t ours = semver_of_version(version);
	struct semver found = {.valid = strlen(range) <= SEMVER_MAX};
	char room[SEMVER_MAX + 1];
	unsigned sets = 0;

	for (const char *at = range, *bar; found.valid && at;
	     at = bar ? bar + 2 : NULL, sets++) {
		struct semver_set set;

		bar = strstr(at, "||");
		size_t size = bar ? (size_t)(bar - at) : strlen(at);

		memcpy(room, at, size);
		room[size] = '\0';
		found.valid = semver_read_set(room, &set);
		if (ours >= set.all.from && ours < set.all.end)
			found.matches = true;
		semver_note_exact(&set, &found);
	}
	found.exact = found.valid && found.exact && sets == 1;
	found.matches = found.valid && found.matches;
	return found;
}
