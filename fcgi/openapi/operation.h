/*
 * operation - one method of one path, as /openapi.json describes it.
 *
 * A program, or a model that is given tools, reads these sentences and nothing
 * else. So the summary is short, and ABOUT tells what the call is for.
 */
#ifndef TERRARIUM_OPERATION_H
#define TERRARIUM_OPERATION_H

#include "sandbox/text/fields.h"
#include "sandbox/text/shape.h"

/* An answer. Those of one status follow each other. */
struct operation_answer {
	int status;	   /* 0: all others */
	const char *media; /* its content type; NULL: it has no content */
	const char *shape; /* of each line, if MEDIA has lines or events */
	const char *about;
};

struct operation_answers {
	const struct operation_answer *list;
	size_t count;
};
#define OPERATION_ANSWERS(table) {table, ARRAY_LEN(table)}

struct operation {
	const char *id; /* a verb and its object, unique */
	const char *summary, *about;
	struct shape_rows path; /* components of the path in braces */
	struct shape_rows query; /* parameters of the address */
	struct shape_rows headers;
	/* The body: the table of fields_read() that its door reads it by; or, if
	 * the door has another reader, a table or a shape. */
	const struct fields *fields;
	struct shape_rows rows;
	const char *shape;
	const char *media; /* of the body; NULL: JSON */
	struct operation_answers answers;
	const struct operation_answers *errors; /* those of all the door's */
	const struct shape_types *types; /* the names in shapes */
	bool open; /* needs no token */
};

/* A path of the server, from the tables that it routes by. */
struct operation_path {
	const char *method, *path;
	const char *door; /* its name */
	const struct operation *operation;
};

#endif
