/*
 * options - one row for each option of the configuration file.
 *
 * Reading, range checks, error messages, the printed file and its comments all
 * use the row. To add an option, add a row and a field in struct conf.
 */
#ifndef TERRARIUM_OPTIONS_H
#define TERRARIUM_OPTIONS_H

#include "conf.h"

#define OPTIONS_MAX 96 /* most rows the table may have */

enum option_kind {
	OPTION_NUMBER,	/* unsigned: decimal digits, MIN to MAX */
	OPTION_MODE,	/* unsigned: octal digits, MIN to MAX */
	OPTION_SWITCH,	/* bool: yes or no */
	OPTION_CHOICE,	/* an enum: one of WORDS, counted from 0 */
	OPTION_NAME,	/* char *: letters, digits, '.', '_' and '-' */
	OPTION_PATH,	/* char *: an absolute path */
	OPTION_PATHS,	/* char *: absolute paths, ':' between them */
	OPTION_ALIASES,	/* char *: paths as in aliases.h */
	OPTION_LISTEN,	/* char *: internet addresses, as in address.h */
	OPTION_NETWORKS, /* char *: networks, as in address.h */
	OPTION_MODULES, /* char *: dotted Python names, spaces between them */
	OPTION_KINDS
};

struct option_row {
	const char *section;
	const char *name;
	enum option_kind kind;
	size_t offset;		  /* of the field in struct conf */
	unsigned min, max; /* of the number, or of the text's length in bytes */
	const char *unset; /* the default, as in the file */
	const char *unit;	  /* NUMBER: "milliseconds", or NULL */
	const char *zero; /* NUMBER: the meaning of 0, or NULL */
	const char *automatic; /* NUMBER: the meaning of "auto", or NULL */
	const char *const *words; /* CHOICE: the words, then NULL */
	bool fixed; /* only a restart changes all that depends on it */
	const char *sentence;
};

/* The sentence of an option that is fixed. */
#define OPTION_FIXED "A restart changes it; a reload alone does not."

/*
 * The number LEFT times LEFT_FACTOR must not exceed the number RIGHT times
 * RIGHT_FACTOR. LEFT and RIGHT are offsets in struct conf. With ZERO_FREE, a
 * RIGHT of 0 means "never" and is not compared.
 */
struct option_rule {
	size_t left, right;
	unsigned left_factor, right_factor;
	bool zero_free;
	const char *reason;
};

/* Grouped by section, in the order of the printed file. */
extern const struct option_row options[];
extern const size_t options_count;

extern const struct option_rule option_rules[];
extern const size_t option_rules_count;

/* The row SECTION.NAME, or NULL. */
const struct option_row *options_find(const char *section, const char *name);

/* The row of the field at OFFSET of struct conf, or NULL. */
const struct option_row *options_at(size_t offset);

/* Is any row in SECTION? */
bool options_has_section(const char *section);

#endif
