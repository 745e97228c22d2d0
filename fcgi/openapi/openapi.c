/* openapi - see openapi.h. */
#include "openapi.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#ifndef TERRARIUM_VERSION
#define TERRARIUM_VERSION "0"
#endif

#define OPENAPI_JSON "application/json"

static const char openapi_about[] =
	"Runs untrusted Python programs, each in a locked guest of its own "
	"without a network, and answers with the output, the final value and "
	"the files that it made. Several APIs serve the same pool; the tag of "
	"an operation is the name of its API.";

static void openapi_text(struct text *text, const char *words)
{
	text_add(text, words, strlen(words));
}

static void openapi_string(struct text *text, const char *words)
{
	text_add_json(text, words, strlen(words));
}

/* Append `"NAME":"WORDS"`, with GLUE in front. */
static void openapi_member(struct text *text, const char *glue,
			   const char *name, const char *words)
{
	text_format(text, "%s\"%s\":", glue, name);
	openapi_string(text, words);
}

/* ---- a request --------------------------------------------------------- */

static void openapi_parameter(struct text *text, const char *glue,
			      const char *place, const struct shape_row *row)
{
	text_format(text, "%s{", glue);
	openapi_member(text, "", "name", row->name);
	openapi_member(text, ",", "in", place);
	text_format(text, ",\"required\":%s", row->required ? "true" : "false");
	if (row->about)
		openapi_member(text, ",", "description", row->about);
	openapi_text(text, ",\"schema\":");
	shape_add(text, row->shape, NULL, NULL, true);
	openapi_text(text, "}");
}

static void openapi_parameters(struct text *text,
			       const struct operation *operation)
{
	const struct {
		const char *place;
		const struct shape_rows *rows;
	} places[] = {{"path", &operation->path},
		      {"query", &operation->query},
		      {"header", &operation->headers}};
	const char *glue = ",\"parameters\":[";

	for (size_t i = 0; i < ARRAY_LEN(places); i++)
		for (size_t j = 0; j < places[i].rows->count; j++) {
			openapi_text(text, glue);
			openapi_parameter(text, "", places[i].place,
					  &places[i].rows->list[j]);
			glue = ",";
		}
	openapi_text(text, glue[1] ? "" : "]");
}

/* The table of a door's parser, as rows of an object. */
static void openapi_fields(struct text *text, const struct fields *fields,
			   const struct shape_types *types)
{
	struct shape_row rows[FIELDS_MAX];
	const struct shape_type type = {.rows = {rows, fields->count}};

	fields_describe(fields, rows);
	shape_add_object(text, &type, types, true);
}

static void openapi_schema(struct text *text,
			   const struct operation *operation)
{
	const struct shape_type type = {.rows = operation->rows};

	if (operation->fields)
		openapi_fields(text, operation->fields, operation->types);
	else if (operation->shape)
		shape_add(text, operation->shape, NULL, operation->types,
			  true);
	else
		shape_add_object(text, &type, operation->types, true);
}

static void openapi_body(struct text *text, const struct operation *operation)
{
	if (!operation->fields && !operation->shape &&
	    operation->rows.count == 0)
		return;
	text_format(text,
		    ",\"requestBody\":{\"required\":true,\"content\":"
		    "{\"%s\":{\"schema\":",
		    operation->media ? operation->media : OPENAPI_JSON);
	openapi_schema(text, operation);
	openapi_text(text, "}}}");
}

/* ---- answers ----------------------------------------------------------- */

static void openapi_content(struct text *text, const char *glue,
			    const struct operation_answer *answer,
			    const struct shape_types *types)
{
	text_format(text, "%s\"%s\":{\"schema\":", glue, answer->media);
	shape_add(text, answer->shape, NULL, types, false);
	openapi_text(text, "}");
}

/* Append the answers of LIST, which all have the status of the first one. */
static void openapi_status(struct text *text,
			   const struct operation_answer *list, size_t count,
			   const struct shape_types *types)
{
	if (list->status)
		text_format(text, "\"%d\":{", list->status);
	else
		openapi_text(text, "\"default\":{");
	openapi_member(text, "", "description", list->about);
	for (size_t i = 0; i < count && list[i].media; i++)
		openapi_content(text, i ? "," : ",\"content\":{", &list[i],
				types);
	openapi_text(text, list->media ? "}}" : "}");
}

static bool openapi_has(const struct operation_answers *answers, int status)
{
	for (size_t i = 0; i < answers->count; i++)
		if (answers->list[i].status == status)
			return true;
	return false;
}

/* Append those of ANSWERS whose status is not in BUT. */
static void openapi_answers(struct text *text, const char **glue,
			    const struct operation_answers *answers,
			    const struct operation_answers *but,
			    const struct shape_types *types)
{
	for (size_t i = 0, next; i < answers->count; i = next) {
		const struct operation_answer *first = &answers->list[i];

		for (next = i + 1; next < answers->count &&
				   answers->list[next].status == first->status;
		     next++)
			;
		if (but && openapi_has(but, first->status))
			continue;
		openapi_text(text, *glue);
		*glue = ",";
		openapi_status(text, first, next - i, types);
	}
}

/* ---- an operation ------------------------------------------------------ */

static void openapi_operation(struct text *text,
			      const struct operation_path *path)
{
	const struct operation *operation = path->operation;
	const char *glue = "";

	openapi_text(text, "\"");
	for (const char *at = path->method; *at; at++)
		text_format(text, "%c", tolower((unsigned char)*at));
	openapi_text(text, "\":{\"tags\":[");
	openapi_string(text, path->door);
	openapi_text(text, "]");
	openapi_member(text, ",", "operationId", operation->id);
	openapi_member(text, ",", "summary", operation->summary);
	openapi_member(text, ",", "description", operation->about);
	if (operation->open)
		openapi_text(text, ",\"security\":[]");
	openapi_parameters(text, operation);
	openapi_body(text, operation);
	openapi_text(text, ",\"responses\":{");
	openapi_answers(text, &glue, &operation->answers, NULL,
			operation->types);
	if (operation->errors)
		openapi_answers(text, &glue, operation->errors,
				&operation->answers, operation->types);
	openapi_text(text, "}}");
}

/* Append all methods of the path at FIRST, which is the first of its name. */
static void openapi_path(struct text *text, const struct operation_path *paths,
			 size_t count, size_t first)
{
	const char *glue = "";

	openapi_string(text, paths[first].path);
	openapi_text(text, ":{");
	for (size_t i = first; i < count; i++) {
		if (strcmp(paths[i].path, paths[first].path) != 0)
			continue;
		openapi_text(text, glue);
		glue = ",";
		openapi_operation(text, &paths[i]);
	}
	openapi_text(text, "}");
}

/* ---- the whole --------------------------------------------------------- */

static bool openapi_is_first(const struct operation_path *paths, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (strcmp(paths[i].path, paths[index].path) == 0)
			return false;
	return true;
}

static bool openapi_is_first_tag(const struct operation_path *paths,
				 size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (strcmp(paths[i].door, paths[index].door) == 0)
			return false;
	return true;
}

static bool openapi_is_first_types(const struct operation_path *paths,
				   size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (paths[i].operation->types == paths[index].operation->types)
			return false;
	return paths[index].operation->types != NULL;
}

/* Is TYPE only a part of requests, where it is inlined? */
static bool openapi_is_input(const struct shape_type *type)
{
	static const char mark[] = "Input";

	return strncmp(type->name, mark, sizeof(mark) - 1) == 0;
}

static void openapi_types(struct text *text, const char **glue,
			  const struct shape_types *types)
{
	for (size_t i = 0; i < types->count; i++) {
		if (openapi_is_input(&types->list[i]))
			continue;
		text_format(text, "%s\"%s\":", *glue, types->list[i].name);
		*glue = ",";
		shape_add_object(text, &types->list[i], types, false);
	}
}

static void openapi_head(struct text *text)
{
	openapi_text(text, "{\"openapi\":\"3.1.0\",\"info\":{");
	openapi_member(text, "", "title", "Terrarium");
	openapi_member(text, ",", "version", TERRARIUM_VERSION);
	openapi_member(text, ",", "summary", "Python programs, run in locked "
					     "guests");
	openapi_member(text, ",", "description", openapi_about);
	openapi_text(text, ",\"license\":{\"name\":\"MIT\",\"identifier\":"
			   "\"MIT\"}},\"servers\":[{\"url\":\"/\"}],"
			   "\"security\":[{\"bearer\":[]}]");
}

static void openapi_tags(struct text *text, const struct operation_path *paths,
			 size_t count)
{
	const char *glue = ",\"tags\":[";

	for (size_t i = 0; i < count; i++) {
		if (!openapi_is_first_tag(paths, i))
			continue;
		text_format(text, "%s{", glue);
		openapi_member(text, "", "name", paths[i].door);
		openapi_member(text, ",", "description",
			       "The API that is called so in GET / and in the "
			       "log.");
		openapi_text(text, "}");
		glue = ",";
	}
	openapi_text(text, count ? "]" : "");
}

int openapi_add(struct text *text, const struct operation_path *paths,
		size_t count)
{
	const char *glue = "";

	openapi_head(text);
	openapi_tags(text, paths, count);
	openapi_text(text, ",\"paths\":{");
	for (size_t i = 0; i < count; i++) {
		if (!openapi_is_first(paths, i))
			continue;
		openapi_text(text, glue);
		glue = ",";
		openapi_path(text, paths, count, i);
	}
	openapi_text(text, "},\"components\":{\"securitySchemes\":{\"bearer\":"
			   "{\"type\":\"http\",\"scheme\":\"bearer\"}},"
			   "\"schemas\":{");
	glue = "";
	for (size_t i = 0; i < count; i++)
		if (openapi_is_first_types(paths, i))
			openapi_types(text, &glue, paths[i].operation->types);
	openapi_text(text, "}}}\n");
	return text->error;
}
