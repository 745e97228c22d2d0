/*
 * json_check - the strict scanner of json.h.
 *
 * It keeps no tree and does not recurse. Open containers are levels in one
 * array of the allowed depth. So a million brackets are refused at the first
 * one that is too deep.
 */
#include "json.h"

#include <endian.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "json_key.h"
#include "text.h"

const struct json_limits json_limits_request = { .depth = 200, .keys = 10000 };

/* For the output of a guest's own encoder. */
static const struct json_limits limits_value = {
	.depth = 200, .nul = true, .twice = true,
};

struct level {
	char close;	/* the bracket that ends the container */
	bool filled;	/* it has a value, so a comma must follow */
	size_t keys;	/* number of the first key */
};

struct scan {
	const char *data;
	size_t size, at;
	const struct json_limits *limits;
	struct refusal *why;
	struct level *levels;
	size_t depth;
	struct json_keys keys;
};

/* The byte at the scanner's position, or -1 at the end. */
static int peek(const struct scan *scan)
{
	return scan->at < scan->size ? (unsigned char)scan->data[scan->at]
				     : -1;
}

static void skip_blank(struct scan *scan)
{
	int byte = peek(scan);

	while (byte == ' ' || byte == '\n' || byte == '\t' || byte == '\r') {
		scan->at++;
		byte = peek(scan);
	}
}

/* Refuse the text, with the scanner's position. */
static int mistake(struct scan *scan, const char *code, const char *words)
{
	refuse(scan->why, 400, code, "%s at byte %zu", words, scan->at);
	scan->why->offset = scan->at;
	scan->why->has_offset = true;
	return -EINVAL;
}

static int bad(struct scan *scan, const char *expected)
{
	char words[120];

	snprintf(words, sizeof(words), "not JSON: %s%s",
		 scan->at < scan->size ? "" : "the text ends early, ",
		 expected);
	return mistake(scan, "bad_json", words);
}

static int hex_unit(struct scan *scan, unsigned *unit)
{
	static const char hex[] = "0123456789abcdef";

	*unit = 0;
	for (int i = 0; i < 4; i++, scan->at++) {
		int byte = peek(scan);
		const char *digit = byte > 0 ? strchr(hex, byte | 32) : NULL;

		/* | 32 also maps control bytes; only letters may change. */
		if (!digit || byte < '0')
			return bad(scan, "expected a hexadecimal digit");
		*unit = *unit << 4 | (unsigned)(digit - hex);
	}
	return 0;
}

static bool is_low(unsigned unit)
{
	return unit >= 0xdc00 && unit <= 0xdfff;
}

/* The scanner is after "\u". */
static int unicode_escape(struct scan *scan)
{
	size_t start = scan->at - 2;
	unsigned unit, low = 0;
	int rc = hex_unit(scan, &unit);

	if (rc)
		return rc;
	if (unit >= 0xd800 && unit <= 0xdbff && scan->size - scan->at >= 2 &&
	    memcmp(scan->data + scan->at, "\\u", 2) == 0) {
		scan->at += 2;
		rc = hex_unit(scan, &low);
		if (rc)
			return rc;
		if (is_low(low))
			return 0;
	}
	if (unit >= 0xd800 && unit <= 0xdfff) {
		scan->at = start;
		return bad(scan, "half a surrogate pair");
	}
	if (unit == 0 && !scan->limits->nul) {
		scan->at = start;
		return bad(scan, "\\u0000 is allowed in no field (binary data "
				 "fits in b64_data)");
	}
	return 0;
}

/* The scanner is on the backslash. */
static int escape(struct scan *scan)
{
	int byte;

	scan->at++;
	byte = peek(scan);
	if (byte <= 0 || !strchr("\"\\/bfnrtu", byte))
		return bad(scan, "unknown escape");
	scan->at++;
	return byte == 'u' ? unicode_escape(scan) : 0;
}

#define EACH(byte) (UINT64_C(0x0101010101010101) * (byte))

/* The high bit is set for each byte of WORD that is below BYTE, which is below
 * 128. Bytes after the first such byte may also have it. */
static uint64_t below(uint64_t word, unsigned char byte)
{
	return (word - EACH(byte)) & ~word & EACH(0x80);
}

/* Skip to the next quote, backslash or control byte, eight bytes at a time. */
static void skip_plain(struct scan *scan)
{
	uint64_t word;

	for (; scan->size - scan->at >= sizeof(word); scan->at += sizeof(word)) {
		memcpy(&word, scan->data + scan->at, sizeof(word));
		word = le64toh(word);
		uint64_t found = below(word, 0x20) |
				 below(word ^ EACH('"'), 1) |
				 below(word ^ EACH('\\'), 1);

		if (found) {
			scan->at += (unsigned)__builtin_ctzll(found) / 8;
			return;
		}
	}
}

static int string(struct scan *scan)
{
	int rc = 0;

	scan->at++;
	while (!rc) {
		skip_plain(scan);
		int byte = peek(scan);

		if (byte == '"') {
			scan->at++;
			return 0;
		}
		if (byte < 0x20)
			return bad(scan, byte < 0 ? "expected a quote"
						  : "raw control character");
		if (byte == '\\')
			rc = escape(scan);
		else
			scan->at++;
	}
	return rc;
}

static int digits(struct scan *scan)
{
	size_t start = scan->at;

	while (peek(scan) >= '0' && peek(scan) <= '9')
		scan->at++;
	return scan->at > start ? 0 : bad(scan, "expected a digit");
}

static int number(struct scan *scan)
{
	int rc = 0;

	if (peek(scan) == '-')
		scan->at++;
	if (peek(scan) == '0')
		scan->at++;
	else
		rc = digits(scan);
	if (!rc && peek(scan) == '.') {
		scan->at++;
		rc = digits(scan);
	}
	if (!rc && (peek(scan) | 32) == 'e') {
		scan->at++;
		if (peek(scan) == '+' || peek(scan) == '-')
			scan->at++;
		rc = digits(scan);
	}
	return rc;
}

static int word(struct scan *scan)
{
	static const char *const words[] = { "null", "true", "false" };

	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		size_t size = strlen(words[i]);

		if (scan->size - scan->at < size ||
		    memcmp(scan->data + scan->at, words[i], size) != 0)
			continue;
		scan->at += size;
		return 0;
	}
	return bad(scan, "expected a value");
}

static int open_container(struct scan *scan)
{
	if (scan->depth == scan->limits->depth) {
		char words[48];

		snprintf(words, sizeof(words), "nested deeper than %u levels",
			 scan->limits->depth);
		return mistake(scan, "too_deep", words);
	}
	scan->levels[scan->depth++] = (struct level){
		.close = scan->data[scan->at] == '{' ? '}' : ']',
		.keys = scan->keys.count,
	};
	scan->at++;
	return 0;
}

/* Read a scalar, or the opening of a container. */
static int value(struct scan *scan)
{
	static const struct {
		const char *first;
		int (*read)(struct scan *scan);
	} rows[] = {
		{ "\"", string }, { "-0123456789", number },
		{ "{[", open_container }, { "ntf", word },
	};
	int byte;

	skip_blank(scan);
	byte = peek(scan);
	for (size_t i = 0; byte > 0 && i < ARRAY_LEN(rows); i++)
		if (strchr(rows[i].first, byte))
			return rows[i].read(scan);
	return bad(scan, "expected a value");
}

static int key(struct scan *scan, const struct level *level)
{
	size_t start;
	int rc;

	skip_blank(scan);
	start = scan->at;
	if (peek(scan) != '"')
		return bad(scan, "expected a key in quotes");
	rc = string(scan);
	if (rc)
		return rc;
	if (scan->limits->keys &&
	    scan->keys.count - level->keys >= scan->limits->keys)
		return mistake(scan, "too_many_keys",
			       "an object with too many keys");
	if (!scan->limits->twice) {
		rc = json_keys_add(&scan->keys, start, scan->at - start);
		if (rc)
			return rc;
	}
	skip_blank(scan);
	if (peek(scan) != ':')
		return bad(scan, "expected a colon");
	scan->at++;
	return 0;
}

static int close_container(struct scan *scan, const struct level *level)
{
	char words[40 + TEXT_SHOW_SIZE], shown[TEXT_SHOW_SIZE];
	const char *from, *end;
	size_t offset = 0;

	if (!json_keys_close(&scan->keys, level->keys, &offset)) {
		scan->at++;
		scan->depth--;
		return 0;
	}
	scan->at = offset;
	from = scan->data + offset + 1;
	end = memchr(from, '"', scan->size - offset - 1);
	text_show(shown, from, end ? (size_t)(end - from) : 0);
	snprintf(words, sizeof(words), "the key \"%s\" is given twice", shown);
	return mistake(scan, "duplicate_key", words);
}

/* Read the next member or the end of the innermost container. */
static int more(struct scan *scan)
{
	struct level *level = &scan->levels[scan->depth - 1];
	int rc = 0;

	skip_blank(scan);
	if (peek(scan) == level->close)
		return close_container(scan, level);
	if (level->filled) {
		if (peek(scan) != ',')
			return bad(scan, level->close == '}'
						 ? "expected a comma or }"
						 : "expected a comma or ]");
		scan->at++;
	}
	level->filled = true;
	if (level->close == '}')
		rc = key(scan, level);
	return rc ? rc : value(scan);
}

static int document(struct scan *scan)
{
	int rc = value(scan);

	while (!rc && scan->depth > 0)
		rc = more(scan);
	if (rc)
		return rc;
	skip_blank(scan);
	return scan->at == scan->size ? 0 : bad(scan, "more text follows");
}

/* Check the whole text: valid UTF-8, and no mark of another encoding. */
static int encoding(struct scan *scan)
{
	const char *data = scan->data;
	size_t size = scan->size;

	if (size > UINT32_MAX)
		return refuse(scan->why, 413, "too_large",
			      "the text is larger than 4 GiB");
	if (size >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0)
		return bad(scan, "a byte order mark");
	if ((size >= 2 && (!data[0] || !data[1])) ||
	    (size >= 2 && (memcmp(data, "\xff\xfe", 2) == 0 ||
			   memcmp(data, "\xfe\xff", 2) == 0)))
		return mistake(scan, "bad_utf8", "UTF-16 or UTF-32, not UTF-8");
	scan->at = text_utf8_bad(data, size);
	if (scan->at < size)
		return mistake(scan, "bad_utf8", "not UTF-8");
	scan->at = 0;
	return 0;
}

int json_check(const char *data, size_t size, const struct json_limits *limits,
	       struct refusal *why)
{
	struct scan scan = { data, size, 0, limits, why, NULL, 0, { 0 } };
	int rc = encoding(&scan);

	if (rc)
		return rc;
	scan.levels = reallocarray(NULL, limits->depth, sizeof(*scan.levels));
	json_keys_init(&scan.keys, data);
	rc = scan.levels ? document(&scan) : -ENOMEM;
	json_keys_free(&scan.keys);
	free(scan.levels);
	return rc;
}

int json_check_value(const char *data, size_t size)
{
	struct refusal why = { 0 };

	return json_check(data, size, &limits_value, &why);
}
