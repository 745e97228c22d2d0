/*
 * value - reads, describes, prints and frees the value of one option.
 */
#ifndef TERRARIUM_VALUE_H
#define TERRARIUM_VALUE_H

#include <limits.h>

#include "options.h"

#define VALUE_AUTO UINT_MAX /* "auto", until conf_parse() replaces it */
#define VALUE_WANTED_MAX 200 /* longest description, with its NUL */

/*
 * Read TEXT into ROW's field of CONF; an earlier text is released. Returns 0,
 * -EINVAL (the field is unchanged) or -ENOMEM.
 */
int value_read(const struct option_row *row, struct conf *conf,
	       const char *text);

/* Describe the values that ROW allows: "a whole number from 1 to 512". */
void value_wanted(const struct option_row *row, char wanted[VALUE_WANTED_MAX]);

/* Print ROW's value in CONF, after a blank, in the form that value_read()
 * reads; nothing for an empty text. */
void value_print(const struct option_row *row, const struct conf *conf,
		 FILE *out);

/* Release ROW's field of CONF, if it owns anything. */
void value_free(const struct option_row *row, struct conf *conf);

/* ROW's field of CONF if it is a text; else NULL. */
char **value_text_of(const struct option_row *row, struct conf *conf);

/* Is ROW's value the same in A and B? */
bool value_same(const struct option_row *row, const struct conf *a,
		const struct conf *b);

/* The number in ROW's field of CONF, for NUMBER and MODE only. */
unsigned value_number(const struct option_row *row, const struct conf *conf);

#endif
