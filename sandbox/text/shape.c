/* shape - see shape.h. */
#include "shape.h"

#include <errno.h>
#include <string.h>

#define SHAPE_DEPTH 8 /* of lists, objects and names within each other */

/* A schema that is being made: its types, its words, and all other keywords.
 * Alternatives add to the same, since a keyword counts for its type only. */
struct shape_schema {
	struct text types, words, rest;
	unsigned count; /* of types */
	bool any;
};

struct shape_reader {
	const struct shape_types *types;
	bool inlined;
	unsigned depth;	 /* of brackets in the shape */
	unsigned within; /* that of all shapes around it */
	const char *at;
	int error;
};

static void shape_add_whole(struct text *text, struct shape_reader *reader,
			    const char *about);

static void shape_text(struct text *text, const char *words)
{
	text_add(text, words, strlen(words));
}

static void shape_string(struct text *text, const char *words)
{
	text_add_json(text, words, strlen(words));
}

static bool shape_skip(struct shape_reader *reader, const char *words)
{
	size_t size = strlen(words);

	if (strncmp(reader->at, words, size) != 0)
		return false;
	reader->at += size;
	return true;
}

static void shape_type(struct shape_schema *schema, const char *type)
{
	text_format(&schema->types, "%s\"%s\"", schema->count++ ? "," : "",
		    type);
}

/* ---- one alternative --------------------------------------------------- */

static const struct {
	const char *word, *type, *more; /* MORE: other keywords */
	const char *low, *high; /* the keywords of a range; NULL: it has none */
} shape_words[] = {
	{"string", "string", "", "minLength", "maxLength"},
	{"integer", "integer", "", "minimum", "maximum"},
	{"number", "number", "", "minimum", "maximum"},
	{"boolean", "boolean", "", NULL, NULL},
	{"object", "object", "", NULL, NULL},
	{"null", "null", "", NULL, NULL},
	{"base64", "string", ",\"contentEncoding\":\"base64\"", NULL, NULL},
};

/* Read the digits of a number, and append it as KEYWORD. */
static void shape_bound(struct shape_reader *reader,
			struct shape_schema *schema, const char *keyword)
{
	size_t size = strspn(reader->at, "0123456789");

	if (size > 0)
		text_format(&schema->rest, ",\"%s\":%.*s", keyword, (int)size,
			    reader->at);
	reader->at += size;
}

static void shape_range(struct shape_reader *reader,
			struct shape_schema *schema, size_t row)
{
	if (!shape_words[row].low || reader->at[0] != ' ' ||
	    !strchr("0123456789", reader->at[1]))
		return;
	reader->at++;
	shape_bound(reader, schema, shape_words[row].low);
	if (shape_skip(reader, ".."))
		shape_bound(reader, schema, shape_words[row].high);
	else
		reader->error = -EINVAL;
}

static const struct shape_type *shape_find(const struct shape_reader *reader,
					   const char *name, size_t size)
{
	for (size_t i = 0; reader->types && i < reader->types->count; i++)
		if (strlen(reader->types->list[i].name) == size &&
		    memcmp(reader->types->list[i].name, name, size) == 0)
			return &reader->types->list[i];
	return NULL;
}

static void shape_add_members(struct text *text, const struct shape_type *type,
			      struct shape_reader *outer);

static void shape_name(struct shape_reader *reader,
		       struct shape_schema *schema, size_t size)
{
	const struct shape_type *type = shape_find(reader, reader->at, size);

	reader->at += size;
	if (!type) {
		reader->error = -EINVAL;
		return;
	}
	shape_type(schema, "object");
	if (reader->inlined)
		shape_add_members(&schema->rest, type, reader);
	else
		text_format(&schema->rest,
			    ",\"$ref\":\"#/components/schemas/%s\"",
			    type->name);
}

static void shape_word(struct shape_reader *reader,
		       struct shape_schema *schema)
{
	size_t size = strspn(reader->at, "abcdefghijklmnopqrstuvwxyz"
					 "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
					 "0123456789");

	if (*reader->at >= 'A' && *reader->at <= 'Z') {
		shape_name(reader, schema, size);
		return;
	}
	for (size_t i = 0; i < ARRAY_LEN(shape_words); i++) {
		if (strlen(shape_words[i].word) != size ||
		    memcmp(shape_words[i].word, reader->at, size) != 0)
			continue;
		reader->at += size;
		shape_type(schema, shape_words[i].type);
		shape_text(&schema->rest, shape_words[i].more);
		shape_range(reader, schema, i);
		return;
	}
	/* "bytes" alone has neither a type nor a description in JSON. */
	if (shape_skip(reader, "any") || shape_skip(reader, "bytes"))
		schema->any = true;
	else
		reader->error = -EINVAL;
}

static void shape_quoted(struct shape_reader *reader,
			 struct shape_schema *schema)
{
	size_t size = strcspn(reader->at, "'");

	if (schema->words.size == 0)
		shape_type(schema, "string");
	else
		shape_text(&schema->words, ",");
	text_add_json(&schema->words, reader->at, size);
	reader->at += size;
	if (!shape_skip(reader, "'"))
		reader->error = -EINVAL;
}

static void shape_inner(struct shape_reader *reader,
			struct shape_schema *schema, const char *keyword,
			const char *end)
{
	text_format(&schema->rest, ",\"%s\":", keyword);
	shape_add_whole(&schema->rest, reader, NULL);
	if (!shape_skip(reader, end))
		reader->error = -EINVAL;
}

static void shape_alternative(struct shape_reader *reader,
			      struct shape_schema *schema)
{
	if (shape_skip(reader, "[")) {
		shape_type(schema, "array");
		shape_inner(reader, schema, "items", "]");
	} else if (shape_skip(reader, "{")) {
		shape_type(schema, "object");
		shape_inner(reader, schema, "additionalProperties", "}");
	} else if (shape_skip(reader, "'")) {
		shape_quoted(reader, schema);
	} else {
		shape_word(reader, schema);
	}
}

/* ---- a whole schema ---------------------------------------------------- */

static void shape_free(struct shape_schema *schema)
{
	text_free(&schema->types);
	text_free(&schema->words);
	text_free(&schema->rest);
}

#define owned_schema __attribute__((cleanup(shape_free))) struct shape_schema

static bool shape_refers(const struct shape_schema *schema)
{
	static const char mark[] = ",\"$ref\"";
	const size_t size = sizeof(mark) - 1;

	return schema->rest.size > size &&
	       memcmp(schema->rest.data, mark, size) == 0;
}

/* Append the members of SCHEMA; each has a comma in front. */
static void shape_put(struct text *text, const struct shape_schema *schema)
{
	if (schema->count > 1)
		text_format(text, ",\"type\":[%.*s]", (int)schema->types.size,
			    schema->types.data);
	else if (schema->count == 1 && !shape_refers(schema))
		text_format(text, ",\"type\":%.*s", (int)schema->types.size,
			    schema->types.data);
	if (schema->words.size)
		text_format(text, ",\"enum\":[%.*s%s]",
			    (int)schema->words.size, schema->words.data,
			    schema->count > 1 ? ",null" : "");
	text_add(text, schema->rest.data, schema->rest.size);
}

/* Add the alternative ONE to ALL. */
static void shape_merge(struct shape_schema *all,
			const struct shape_schema *one)
{
	if (one->words.size == 0 || all->words.size == 0)
		text_format(&all->types, "%s%.*s", all->count++ ? "," : "",
			    (int)one->types.size, one->types.data);
	text_format(&all->words, "%s%.*s",
		    one->words.size && all->words.size ? "," : "",
		    (int)one->words.size,
		    one->words.data ? one->words.data : "");
	text_add(&all->rest, one->rest.data, one->rest.size);
	if (one->types.error || one->words.error || one->rest.error)
		all->rest.error = -ENOMEM;
	all->any |= one->any;
}

static void shape_put_braced(struct text *text,
			     const struct shape_schema *schema)
{
	struct text members = {0};

	shape_put(&members, schema);
	text_format(text, "%s{%.*s}", text->size ? "," : "",
		    members.size ? (int)members.size - 1 : 0,
		    members.size ? members.data + 1 : "");
	if (members.error)
		text->error = members.error;
	text_free(&members);
}

/* Read the alternatives of a shape, and append its keywords to OUT. A reference
 * stands alone, so beside one each alternative has a schema of its own. */
static void shape_read(struct shape_reader *reader, struct text *out)
{
	owned_schema all = {0};
	struct text each = {0};
	bool refers = false;
	unsigned count = 0;

	do {
		owned_schema one = {0};

		shape_alternative(reader, &one);
		shape_put_braced(&each, &one);
		shape_merge(&all, &one);
		refers |= shape_refers(&one);
		count++;
	} while (!reader->error && shape_skip(reader, "|"));
	if (refers && count > 1)
		text_format(out, ",\"anyOf\":[%.*s]", (int)each.size,
			    each.data);
	else if (!all.any)
		shape_put(out, &all);
	if (all.types.error || all.words.error || all.rest.error || each.error)
		out->error = -ENOMEM;
	text_free(&each);
}

static void shape_add_whole(struct text *text, struct shape_reader *reader,
			    const char *about)
{
	struct text out = {0};

	if (++reader->depth > SHAPE_DEPTH)
		reader->error = -ELOOP;
	else
		shape_read(reader, &out);
	if (about) {
		shape_text(&out, ",\"description\":");
		shape_string(&out, about);
	}
	if (reader->depth == 1 && shape_skip(reader, " = ")) {
		text_format(&out, ",\"default\":%s", reader->at);
		reader->at += strlen(reader->at);
	}
	reader->depth--;
	text_format(text, "{%.*s}", out.size ? (int)out.size - 1 : 0,
		    out.size ? out.data + 1 : "");
	if (out.error)
		text->error = out.error;
	text_free(&out);
}

static void shape_add_in(struct text *text, const char *shape,
			 const char *about, struct shape_reader *outer)
{
	struct shape_reader reader = {.types = outer->types,
				      .inlined = outer->inlined,
				      .within = outer->within + outer->depth,
				      .at = shape};

	if (reader.within > SHAPE_DEPTH) { /* of a name within itself */
		outer->error = -ELOOP;
		return;
	}
	shape_add_whole(text, &reader, about);
	if (!outer->error)
		outer->error = *reader.at && !reader.error ? -EINVAL
							   : reader.error;
}

/* Append the keywords of an object but its type. */
static void shape_add_members(struct text *text, const struct shape_type *type,
			      struct shape_reader *outer)
{
	const char *comma = "";

	shape_text(text, ",\"properties\":{");
	outer->depth++; /* ends a name that is within itself */
	for (size_t i = 0; i < type->rows.count; i++) {
		const struct shape_row *row = &type->rows.list[i];

		text_format(text, "%s\"%s\":", i ? "," : "", row->name);
		shape_add_in(text, row->shape, row->about, outer);
	}
	outer->depth--;
	shape_text(text, "}");
	for (size_t i = 0; i < type->rows.count; i++) {
		if (!type->rows.list[i].required)
			continue;
		text_format(text, "%s\"%s\"",
			    *comma ? comma : ",\"required\":[",
			    type->rows.list[i].name);
		comma = ",";
	}
	shape_text(text, *comma ? "]" : "");
	shape_text(text, type->more ? ",\"additionalProperties\":true" : "");
}

void shape_add(struct text *text, const char *shape, const char *about,
	       const struct shape_types *types, bool inlined)
{
	struct shape_reader reader = {.types = types, .inlined = inlined};

	shape_add_in(text, shape, about, &reader);
	if (reader.error && !text->error)
		text->error = reader.error;
}

void shape_add_object(struct text *text, const struct shape_type *type,
		      const struct shape_types *types, bool inlined)
{
	struct shape_reader reader = {.types = types, .inlined = inlined};

	shape_text(text, "{\"type\":\"object\"");
	shape_add_members(text, type, &reader);
	if (type->about) {
		shape_text(text, ",\"description\":");
		shape_string(text, type->about);
	}
	shape_text(text, "}");
	if (reader.error && !text->error)
		text->error = reader.error;
}
