/*
 * json_check - the strict scanner of json.h: its functions are scan_*.
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
static int scan_peek(const struct scan *scan)
{
	return scan->at < scan->size ? (unsigned char)scan->data[scan->at]
				     : -1;
}

static void scan_skip_blank(struct scan *scan)
{
	int byte = scan_peek(scan);

	while (byte == ' ' || byte == '\n' || byte == '\t' || byte == '\r') {
		scan->at++;
		byte = scan_peek(scan);
	}
}

/* Refuse the text, with the scanner's position. */
static int scan_refuse(struct scan *scan, const char *code, const char *words)
{
	refuse(scan->why, 400, code, "%s at byte %zu", words, scan->at);
	scan->why->offset = scan->at;
	scan->why->has_offset = true;
	return -EINVAL;
}

static int scan_bad(struct scan *scan, const char *expected)
{
	char words[120];

	snprintf(words, sizeof(words), "not JSON: %s%s",
		 scan->at < scan->size ? "" : "the text ends early, ",
		 expected);
	return scan_refuse(scan, "bad_json", words);
}

static int scan_hex_unit(struct scan *scan, unsigned *unit)
{
	static const char hex[] = "0123456789abcdef";

	*unit = 0;
	for (int i = 0; i < 4; i++, scan->at++) {
		int byte = scan_peek(scan);
		const char *digit = byte > 0 ? strchr(hex, byte | 32) : NULL;

		/* | 32 also maps control bytes; only letters may change. */
		if (!digit || byte < '0')
			return scan_bad(scan, "expected a hexadecimal digit");
		*unit = *unit << 4 | (unsigned)(digit - hex);
	}
	return 0;
}

static bool scan_is_low(unsigned unit)
{
	return unit >= 0xdc00 && unit <= 0xdfff;
}

/* The scanner is after "\u". */
static int scan_unicode_escape(struct scan *scan)
{
	size_t start = scan->at - 2;
	unsigned unit, low = 0;
	int rc = scan_hex_unit(scan, &unit);

	if (rc)
		return rc;
	if (unit >= 0xd800 && unit <= 0xdbff && scan->size - scan->at >= 2 &&
	    memcmp(scan->data + scan->at, "\\u", 2) == 0) {
		scan->at += 2;
		rc = scan_hex_unit(scan, &low);
		if (rc)
			return rc;
		if (scan_is_low(low))
			return 0;
	}
	if (unit >= 0xd800 && unit <= 0xdfff) {
		scan->at = start;
		return scan_bad(scan, "half a surrogate pair");
	}
	if (unit == 0 && !scan->limits->nul) {
		scan->at = start;
		return scan_bad(scan,
				"\\u0000 is allowed in no field (binary data "
				"fits in b64_data)");
	}
	return 0;
}

/* The scanner is on the backslash. */
static int scan_escape(struct scan *scan)
{
	int byte;

	scan->at++;
	byte = scan_peek(scan);
	if (byte <= 0 || !strchr("\"\\/bfnrtu", byte))
		return scan_bad(scan, "unknown escape");
	scan->at++;
	return byte == 'u' ? scan_unicode_escape(scan) : 0;
}

#define EACH(byte) (UINT64_C(0x0101010101010101) * (byte))

/* The high bit is set for each byte of WORD that is below BYTE, which is below
 * 128. Bytes after the first such byte may also have it. */
static uint64_t scan_below(uint64_t word, unsigned char byte)
{
	return (word - EACH(byte)) & ~word & EACH(0x80);
}

/* Skip to the next quote, backslash or control byte, eight bytes at a time. */
static void scan_skip_plain(struct scan *scan)
{
	uint64_t word;

	for (; scan->size - scan->at >= sizeof(word);
	     scan->at += sizeof(word)) {
		memcpy(&word, scan->data + scan->at, sizeof(word));
		word = le64toh(word);
		uint64_t found = scan_below(word, 0x20) |
				 scan_below(word ^ EACH('"'), 1) |
				 scan_below(word ^ EACH('\\'), 1);

		if (found) {
			scan->at += (unsigned)__builtin_ctzll(found) / 8;
			return;
		}
	}
}

static int scan_string(struct scan *scan)
{
	int rc = 0;

	scan->at++;
	while (!rc) {
		scan_skip_plain(scan);
		int byte = scan_peek(scan);

		if (byte == '"') {
			scan->at++;
			return 0;
		}
		if (byte < 0x20)
			return scan_bad(scan,
					byte < 0 ? "expected a quote"
						 : "raw control character");
		if (byte == '\\')
			rc = scan_escape(scan);
		else
			scan->at++;
	}
	return rc;
}

static int scan_digits(struct scan *scan)
{
	size_t start = scan->at;

	while (scan_peek(scan) >= '0' && scan_peek(scan) <= '9')
		scan->at++;
	return scan->at > start ? 0 : scan_bad(scan, "expected a digit");
}

static int scan_number(struct scan *scan)
{
	int rc = 0;

	if (scan_peek(scan) == '-')
		scan->at++;
	if (scan_peek(scan) == '0')
		scan->at++;
	else
		rc = scan_digits(scan);
	if (!rc && scan_peek(scan) == '.') {
		scan->at++;
		rc = scan_digits(scan);
	}
	if (!rc && (scan_peek(scan) | 32) == 'e') {
		scan->at++;
		if (scan_peek(scan) == '+' || scan_peek(scan) == '-')
			scan->at++;
		rc = scan_digits(scan);
	}
	return rc;
}

static int scan_word(struct scan *scan)
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
	return scan_bad(scan, "expected a value");
}

static int scan_open_container(struct scan *scan)
{
	if (scan->depth == scan->limits->depth) {
		char words[48];

		snprintf(words, sizeof(words), "nested deeper than %u levels",
			 scan->limits->depth);
		return scan_refuse(scan, "too_deep", words);
	}
	scan->levels[scan->depth++] = (struct level){
		.close = scan->data[scan->at] == '{' ? '}' : ']',
		.keys = scan->keys.count,
	};
	scan->at++;
	return 0;
}

/* Read a scalar, or the opening of a container. */
static int scan_value(struct scan *scan)
{
	static const struct {
		const char *first;
		int (*read)(struct scan *scan);
	} rows[] = {
		{"\"", scan_string},
		{"-0123456789", scan_number},
		{"{[", scan_open_container},
		{"ntf", scan_word},
	};
	int byte;

	scan_skip_blank(scan);
	byte = scan_peek(scan);
	for (size_t i = 0; byte > 0 && i < ARRAY_LEN(rows); i++)
		if (strchr(rows[i].first, byte))
			return rows[i].read(scan);
	return scan_bad(scan, "expected a value");
}

static int scan_key(struct scan *scan, const struct level *level)
{
	size_t start;
	int rc;

	scan_skip_blank(scan);
	start = scan->at;
	if (scan_peek(scan) != '"')
		return scan_bad(scan, "expected a key in quotes");
	rc = scan_string(scan);
	if (rc)
		return rc;
	if (scan->limits->keys &&
	    scan->keys.count - level->keys >= scan->limits->keys)
		return scan_refuse(scan, "too_many_keys",
				   "an object with too many keys");
	if (!scan->limits->twice) {
		rc = json_keys_add(&scan->keys, start, scan->at - start);
		if (rc)
			return rc;
	}
	scan_skip_blank(scan);
	if (scan_peek(scan) != ':')
		return scan_bad(scan, "expected a colon");
	scan->at++;
	return 0;
}

static int scan_close_container(struct scan *scan, const struct level *level)
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
	return scan_refuse(scan, "duplicate_key", words);
}

/* Read the next member or the end of the innermost container. */
static int scan_more(struct scan *scan)
{
	struct level *level = &scan->levels[scan->depth - 1];
	int rc = 0;

	scan_skip_blank(scan);
	if (scan_peek(scan) == level->close)
		return scan_close_container(scan, level);
	if (level->filled) {
		if (scan_peek(scan) != ',')
			return scan_bad(scan,
					level->close == '}'
						? "expected a comma or }"
						: "expected a comma or ]");
		scan->at++;
	}
	level->filled = true;
	if (level->close == '}')
		rc = scan_key(scan, level);
	return rc ? rc : scan_value(scan);
}

static int scan_document(struct scan *scan)
{
	int rc = scan_value(scan);

	while (!rc && scan->depth > 0)
		rc = scan_more(scan);
	if (rc)
		return rc;
	scan_skip_blank(scan);
	return scan->at == scan->size ? 0 : scan_bad(scan, "more text follows");
}

/* Check the whole text: valid UTF-8, and no mark of another encoding. */
static int scan_encoding(struct scan *scan)
{
	const char *data = scan->data;
	size_t size = scan->size;

	if (size > UINT32_MAX)
		return refuse(scan->why, 413, "too_large",
			      "the text is larger than 4 GiB");
	if (size >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0)
		return scan_bad(scan, "a byte order mark");
	if ((size >= 2 && (!data[0] || !data[1])) ||
	    (size >= 2 && (memcmp(data, "\xff\xfe", 2) == 0 ||
			   memcmp(data, "\xfe\xff", 2) == 0)))
		return scan_refuse(scan, "bad_utf8",
				   "UTF-16 or UTF-32, not UTF-8");
	scan->at = text_utf8_bad(data, size);
	if (scan->at < size)
		return scan_refuse(scan, "bad_utf8", "not UTF-8");
	scan->at = 0;
	return 0;
}

int json_check(const char *data, size_t size, const struct json_limits *limits,
	       struct refusal *why)
{
	struct scan scan = { data, size, 0, limits, why, NULL, 0, { 0 } };
	int rc = scan_encoding(&scan);

	if (rc)
		return rc;
	scan.levels = reallocarray(NULL, limits->depth, sizeof(*scan.levels));
	json_keys_init(&scan.keys, data);
	rc = scan.levels ? scan_document(&scan) : -ENOMEM;
	json_keys_free(&scan.keys);
	free(scan.levels);
	return rc;
}

int json_check_value(const char *data, size_t size)
{
	struct refusal why = { 0 };

	return json_check(data, size, &limits_value, &why);
}
