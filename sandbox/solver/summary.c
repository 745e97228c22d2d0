/* summary - see summary.h. */
#include "summary.h"

#include <errno.h>
#include <string.h>

#include "sandbox/text/fields.h"

/* The ids of a schedule, sorted, so that a long one costs no square of its
 * length: it is a guest's. */
struct summary_ids {
	struct bytes *rows;
	size_t count, room;
};

static void summary_free(struct summary_ids *ids)
{
	for (size_t i = 0; i < ids->count; i++)
		free(ids->rows[i].data);
	free(ids->rows);
}

/* Decode the member NAME of ELEMENT, whose source is SPAN, into *OUT, which the
 * caller releases. No data: it has none. 0 or -ENOMEM. */
static int summary_id(struct json_span element, const char *name,
		      struct json_span *span, struct bytes *out)
{
	*out = (struct bytes){0};
	if (json_kind(element) != JSON_OBJECT ||
	    !json_member(element, name, span))
		return 0;
	if (json_kind(*span) == JSON_STRING)
		return json_string_bytes(*span, out);
	return json_kind(*span) == JSON_NUMBER ? fields_copy(*span, out) : 0;
}

static int summary_keep(struct summary_ids *ids, struct bytes id)
{
	if (ids->count == ids->room) {
		size_t room = ids->room ? 2 * ids->room : 64;
		struct bytes *grown = reallocarray(ids->rows, room,
						   sizeof(*grown));

		if (!grown) {
			free(id.data);
			return -ENOMEM;
		}
		ids->rows = grown;
		ids->room = room;
	}
	ids->rows[ids->count++] = id;
	return 0;
}

static int summary_compare(const void *a, const void *b)
{
	const struct bytes *one = a, *two = b;

	if (one->size != two->size)
		return one->size < two->size ? -1 : 1;
	return memcmp(one->data, two->data, one->size);
}

static struct json_walk summary_walk(struct json_span list)
{
	static const struct json_span none = {"[]", 2};
	const bool is_list = list.data && json_kind(list) == JSON_ARRAY;

	return json_walk(is_list ? list : none);
}

static int summary_read(struct summary_ids *ids, struct json_span schedule)
{
	struct json_walk walk = summary_walk(schedule);
	struct json_span span;
	struct bytes id;
	int rc = 0;

	while (rc == 0 && json_next(&walk)) {
		rc = summary_id(walk.value, "assignmentId", &span, &id);
		if (rc == 0 && id.data)
			rc = summary_keep(ids, id);
	}
	if (ids->count > 0)
		qsort(ids->rows, ids->count, sizeof(*ids->rows),
		      summary_compare);
	return rc;
}

static bool summary_has(const struct summary_ids *ids, const struct bytes *id)
{
	return ids->count > 0 &&
	       bsearch(id, ids->rows, ids->count, sizeof(*ids->rows),
		       summary_compare) != NULL;
}

int summary_add_unscheduled(struct text *text, struct json_span assignments,
			    struct json_span schedule)
{
	struct json_walk walk = summary_walk(assignments);
	struct summary_ids ids = {0};
	struct json_span span;
	struct bytes id;
	int rc = summary_read(&ids, schedule);
	const char *comma = "";

	text_add(text, "[", 1);
	while (rc == 0 && json_next(&walk)) {
		rc = summary_id(walk.value, "id", &span, &id);
		if (rc == 0 && id.data && !summary_has(&ids, &id)) {
			const char *quote =
				json_kind(span) == JSON_STRING ? "" : "\"";

			text_format(text, "%s%s", comma, quote);
			text_add(text, span.data, span.size);
			text_add(text, quote, strlen(quote));
			comma = ",";
		}
		free(id.data);
	}
	text_add(text, "]", 1);
	summary_free(&ids);
	return rc ? rc : text->error;
}
