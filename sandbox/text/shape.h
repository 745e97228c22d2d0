/*
 * shape - the form of JSON values in a few characters, and its JSON schema.
 *
 *	string integer number boolean object null any
 *	base64		a string of base64
 *	bytes		the content of a file, which is no JSON
 *	'word'		this string
 *	integer 1..8	a range; without its last number there is no upper end.
 *			Of a string: its length
 *	[SHAPE]		a list
 *	{SHAPE}		an object with any names and such values
 *	Name		an object with a table of its members (struct shape_type)
 *	SHAPE|SHAPE	one of both
 *	SHAPE = JSON	a default value; only at the end
 *
 * The tables are part of the program, so a wrong one is a fault of ours: the
 * text's error becomes -EINVAL, and tests/unit/text/test_shape.c fails.
 */
#ifndef TERRARIUM_SHAPE_H
#define TERRARIUM_SHAPE_H

#include "text.h"

/* A member of an object, or a parameter of a query. */
struct shape_row {
	const char *name;
	bool required;
	const char *shape;
	const char *about; /* a sentence; NULL: none */
};

struct shape_rows {
	const struct shape_row *list;
	size_t count;
};
#define SHAPE_ROWS(table) {table, ARRAY_LEN(table)}

/* An object that shapes name. */
struct shape_type {
	const char *name; /* begins with a capital letter */
	const char *about;
	struct shape_rows rows;
	bool more; /* it may have members without a row */
};

struct shape_types {
	const struct shape_type *list;
	size_t count;
};

/*
 * Append the JSON schema of SHAPE, with ABOUT unless it is NULL. Names are
 * those of TYPES. INLINED: their schemas stand in their places, because some
 * readers of API descriptions follow no reference; otherwise there are
 * references to "#/components/schemas/NAME".
 */
void shape_add(struct text *text, const char *shape, const char *about,
	       const struct shape_types *types, bool inlined);

/* Append the schema of an object with the members ROWS. */
void shape_add_object(struct text *text, const struct shape_type *type,
		      const struct shape_types *types, bool inlined);

#endif
