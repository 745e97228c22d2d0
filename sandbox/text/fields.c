/* fields - see fields.h. */
#include "fields.h"

#include <errno.h>
#include <string.h>

static const char *fields_wanted(const struct field *field)
{
	if (field->kind == FIELD_NUMBER)
		return json_kind_names[JSON_NUMBER];
	return field->kind == JSON_NUMBER ? "an integer"
					  : json_kind_names[field->kind];
}

static bool fields_fits(const struct field *field, enum json_kind kind)
{
	return field->kind == kind || field->kind == FIELD_ANY ||
	       (field->kind == FIELD_NUMBER && kind == JSON_NUMBER);
}

/* The row of the member KEY; NULL: it is unknown. */
static const struct field *fields_row(const struct fields *fields,
				      struct json_span key)
{
	for (size_t i = 0; i < fields->count; i++)
		if (json_is(key, fields->rows[i].name))
			return &fields->rows[i];
	return NULL;
}

static int fields_place(const struct json_walk *member,
			const struct fields *fields, void *request,
			struct json_span spans[FIELDS_MAX],
			struct refusal *why)
{
	const struct field *row = fields_row(fields, member->key);
	enum json_kind kind = json_kind(member->value);

	if (!row)
		return fields->unknown ? fields->unknown(request, member->key)
				       : 0;
	if (kind == JSON_NULL && !row->required && row->kind != FIELD_ANY)
		return 0;
	if (!fields_fits(row, kind))
		return refuse(why, fields->bad_type, "bad_type",
			      "%s must be %s", row->name, fields_wanted(row));
	spans[row - fields->rows] = member->value;
	return 0;
}

static int fields_take(struct json_span body, const struct fields *fields,
		       void *request, struct refusal *why)
{
	struct json_span spans[FIELDS_MAX] = { 0 };
	struct json_walk walk = json_walk(body);
	int rc = 0;

	while (!rc && json_next(&walk))
		rc = fields_place(&walk, fields, request, spans, why);
	for (size_t i = 0; i < fields->count && !rc; i++)
		if (spans[i].data || fields->rows[i].required)
			rc = fields->rows[i].take(request, spans[i]);
	return rc;
}

static int fields_check(const char *body, size_t size, struct refusal *why)
{
	int rc;

	if (size == 0)
		return refuse(why, 400, "empty_body", "the body is empty");
	rc = json_check(body, size, &json_limits_request, why);
	if (rc)
		return rc;
	if (json_kind(json_whole(body, size)) != JSON_OBJECT)
		return refuse(why, 400, "want_object",
			      "the body must be a JSON object");
	return 0;
}

/* An error that is not the client's is ours. */
static int fields_end(int rc, struct refusal *why)
{
	if (rc && rc != -EINVAL)
		refuse(why, 500, "internal_error",
		       "the server ran out of memory");
	return rc;
}

int fields_read(const char *body, size_t size, const struct fields *fields,
		void *request, struct refusal *why)
{
	int rc;

	*why = (struct refusal){ 0 };
	rc = fields_check(body, size, why);
	if (rc)
		return fields_end(rc, why);
	return fields_read_object(json_whole(body, size), fields, request, why);
}

int fields_read_object(struct json_span object, const struct fields *fields,
		       void *request, struct refusal *why)
{
	return fields_end(fields_take(object, fields, request, why), why);
}

int fields_limit(struct json_span span, const char *name, unsigned most,
		 unsigned *out, struct refusal *why)
{
	long long number = 0;
	int rc = json_integer(span, &number);

	if (rc == -EINVAL)
		return refuse(why, 400, "bad_type", "%s must be an integer",
			      name);
	if (rc || number < 1 || number > (long long)most)
		return refuse(why, 400, "limit_out_of_range",
			      "%s must be 1 to %u, which is this server's "
			      "limit", name, most);
	*out = (unsigned)number;
	return 0;
}

int fields_copy(struct json_span span, struct bytes *out)
{
	out->data = malloc(span.size + 1);
	if (!out->data)
		return -ENOMEM;
	memcpy(out->data, span.data, span.size);
	out->data[span.size] = '\0';
	out->size = span.size;
	return 0;
}

/* SPAN's text in the job's body, writable; NULL: SPAN is not in the body. */
static char *fields_own(const struct job *job, struct json_span span)
{
	return job_holds(job, span.data)
		       ? job->body.data + (span.data - job->body.data) : NULL;
}

int fields_source(const struct job *job, struct json_span span,
		  struct bytes *out)
{
	char *own = fields_own(job, span);

	if (!own)
		return fields_copy(span, out);
	own[span.size] = '\0'; /* in place of a comma, a bracket or a blank */
	*out = (struct bytes){ own, span.size };
	return 0;
}

int fields_string(const struct job *job, struct json_span span,
		  struct bytes *out)
{
	char *own = fields_own(job, span);

	if (!own)
		return json_string(span, out);
	json_string_in_place(own, span.size, out);
	return 0;
}

/* Describe the fields that are REQUIRED, or those that are not. Returns their
 * number. */
static size_t fields_describe_some(const struct fields *fields, bool required,
				   struct shape_row *rows)
{
	static const char *const kinds[] = {
		[JSON_NULL] = "null",      [JSON_BOOL] = "boolean",
		[JSON_NUMBER] = "integer", [JSON_STRING] = "string",
		[JSON_ARRAY] = "[any]",    [JSON_OBJECT] = "object",
		[FIELD_ANY] = "any",       [FIELD_NUMBER] = "number"};
	size_t count = 0;

	for (size_t i = 0; i < fields->count; i++) {
		const struct field *field = &fields->rows[i];

		if (field->required != required)
			continue;
		rows[count++] = (struct shape_row){
			field->name, required,
			field->shape ? field->shape : kinds[field->kind],
			field->about};
	}
	return count;
}

void fields_describe(const struct fields *fields,
		     struct shape_row rows[FIELDS_MAX])
{
	size_t count = fields_describe_some(fields, true, rows);

	fields_describe_some(fields, false, rows + count);
}

bool fields_blank(const struct bytes *text)
{
	return text->size == 0 ||
	       strspn(text->data, " \t\r\n\f\v") == text->size;
}
