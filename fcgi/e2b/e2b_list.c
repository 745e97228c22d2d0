/* e2b_list - see e2b_list.h. */
#include "e2b_list.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fcgi/http/query.h"
#include "sandbox/text/json.h"

#define E2B_LIST_LIMIT 100 /* rows of an answer, unless told */
#define E2B_LIST_LIMIT_MAX 1000

/* ---- the query --------------------------------------------------------- */

int e2b_list_number(const char *query, const char *name, unsigned least,
		    unsigned most, unsigned *out, struct refusal *why)
{
	struct bytes text;
	int found = query_find(query, name, &text);
	owned_free char *data = text.data;
	size_t digits = data ? strspn(data, "0123456789") : 0;

	if (found <= 0)
		return found;
	unsigned long number = digits && digits < 10 ? strtoul(data, NULL, 10)
						     : ULONG_MAX;

	if (digits != text.size || number < least || number > most)
		return refuse(why, 400, "bad_request",
			      "%s must be a number from %u to %u", name, least,
			      most);
	*out = (unsigned)number;
	return 0;
}

static int e2b_list_time(struct e2b_list *list, const char *query,
			 struct refusal *why)
{
	struct bytes text;
	int found = query_find(query, "startedAfter", &text);
	owned_free char *data = text.data;
	struct tm parts = {0};

	if (found <= 0)
		return found;
	if (!strptime(data, "%Y-%m-%dT%H:%M:%S", &parts))
		return refuse(why, 400, "bad_request",
			      "startedAfter must be a time such as "
			      "2026-01-31T12:00:00Z");
	list->after = timegm(&parts);
	return 0;
}

int e2b_list_read(struct e2b_list *list, const char *query,
		  struct refusal *why)
{
	const struct {
		const char *name;
		struct bytes *to;
	} rows[] = {{"state", &list->state},
		    {"metadata", &list->metadata},
		    {"order", &list->order},
		    {"template", &list->template}};
	int rc = 0;

	list->limit = E2B_LIST_LIMIT;
	list->after = INT64_MIN;
	for (size_t i = 0; i < ARRAY_LEN(rows) && rc >= 0; i++)
		rc = query_find(query, rows[i].name, rows[i].to);
	if (rc >= 0)
		rc = e2b_list_number(query, "limit", 1, E2B_LIST_LIMIT_MAX,
				     &list->limit, why);
	if (rc >= 0)
		rc = e2b_list_number(query, "nextToken", 0, 1000000,
				     &list->from, why);
	if (rc >= 0)
		rc = e2b_list_time(list, query, why);
	if (rc == -ENOMEM)
		refuse(why, 500, "internal_error",
		       "the server ran out of memory");
	return rc < 0 ? rc : 0;
}

void e2b_list_free(struct e2b_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->rows[i].text);
	free(list->rows);
	free(list->state.data);
	free(list->metadata.data);
	free(list->order.data);
	free(list->template.data);
	*list = (struct e2b_list){0};
}

/* ---- which ones -------------------------------------------------------- */

/* Has the comma list of STATE the word, if there is a list? */
static bool e2b_list_state(const struct bytes *state)
{
	const char *at = state->size ? state->data : "running";

	for (size_t size; *at; at += size + (at[size] == ',')) {
		size = strcspn(at, ",");
		if (size == 7 && memcmp(at, "running", 7) == 0)
			return true;
	}
	return false;
}

/* Is the string of member NAME of OBJECT equal to the SIZE bytes of TEXT? */
static bool e2b_list_equals(struct json_span object, const char *name,
			    const struct bytes *wanted)
{
	struct json_span span;
	struct bytes found = {0};
	bool same;

	if (!json_member(object, name, &span) ||
	    json_kind(span) != JSON_STRING || json_string(span, &found) < 0)
		return false;
	same = found.size == wanted->size &&
	       memcmp(found.data, wanted->data, found.size) == 0;
	free(found.data);
	return same;
}

/* Copy the SIZE bytes at AT, which are decoded. 1 or -ENOMEM. */
static int e2b_list_copy(const char *at, size_t size, struct bytes *out)
{
	*out = (struct bytes){strndup(at, size), size};
	return out->data ? 1 : -ENOMEM;
}

/* Decode the SIZE bytes at AT, which are encoded twice. 1 or -ENOMEM. */
static int e2b_list_decode(const char *at, size_t size, struct bytes *out)
{
	owned_free char *first = NULL, *second = NULL;
	struct bytes once = {0};
	int rc;

	if (asprintf(&first, "a=%.*s", (int)size, at) < 0)
		return -ENOMEM;
	rc = query_find(first, "a", &once);
	if (rc > 0 && asprintf(&second, "a=%s", once.data) < 0)
		rc = -ENOMEM;
	free(once.data);
	return rc > 0 ? query_find(second, "a", out) : rc;
}

/* Has METADATA the pair NAME=VALUE of SIZE bytes at AT? ONCE: the query had them
 * encoded once. */
static int e2b_list_pair(struct json_span metadata, const char *at,
			 size_t size, bool once)
{
	int (*const decode)(const char *, size_t, struct bytes *) =
		once ? e2b_list_copy : e2b_list_decode;
	const char *equals = memchr(at, '=', size);
	struct bytes name = {0}, value = {0};
	int rc;

	if (!equals)
		return 0;
	rc = decode(at, (size_t)(equals - at), &name);
	if (rc >= 0)
		rc = decode(equals + 1, size - (size_t)(equals + 1 - at),
			    &value);
	if (rc >= 0)
		rc = name.data && value.data &&
		     strlen(name.data) == name.size &&
		     e2b_list_equals(metadata, name.data, &value);
	free(name.data);
	free(value.data);
	return rc;
}

/* Has NOTE each pair that the query names? 1, 0 or -ENOMEM. */
static int e2b_list_metadata(const struct e2b_list *list,
			     struct json_span note)
{
	const char *at = list->metadata.size ? list->metadata.data : "";
	struct json_span metadata;
	int rc = 1;

	if (!*at)
		return 1;
	if (!json_member(note, "metadata", &metadata) ||
	    json_kind(metadata) != JSON_OBJECT)
		return 0;
	for (size_t size; *at && rc == 1; at += size + (at[size] == '&')) {
		size = strcspn(at, "&");
		rc = e2b_list_pair(metadata, at, size, list->once);
	}
	return rc;
}

static int e2b_list_wants(const struct e2b_list *list,
			  const struct e2b_sandbox *sandbox)
{
	const size_t size = strlen(sandbox->note);

	if (json_check_value(sandbox->note, size) != 0 ||
	    json_kind(json_whole(sandbox->note, size)) != JSON_OBJECT)
		return 0;
	const struct json_span note = json_whole(sandbox->note, size);

	if (!e2b_list_state(&list->state) || sandbox->began <= list->after)
		return 0;
	if (list->template.size &&
	    !e2b_list_equals(note, "templateID", &list->template))
		return 0;
	return e2b_list_metadata(list, note);
}

/* ---- the answer -------------------------------------------------------- */

int e2b_list_add(struct e2b_list *list, const struct e2b_sandbox *sandbox)
{
	int rc = e2b_list_wants(list, sandbox);
	struct e2b_list_row *rows;
	struct reply reply;

	if (rc <= 0)
		return rc;
	rows = reallocarray(list->rows, list->count + 1, sizeof(*rows));
	if (!rows)
		return -ENOMEM;
	list->rows = rows;
	reply_init(&reply);
	if (list->put)
		list->put(&reply, sandbox);
	else
		e2b_reply_detail(&reply, sandbox, false);
	rc = reply.error;
	if (rc == 0 && reply.parts_count == 1) {
		rows[list->count] = (struct e2b_list_row){
			.began = sandbox->began,
			.text = strndup(reply.parts[0].text,
					reply.parts[0].size)};
		rc = rows[list->count].text ? 0 : -ENOMEM;
		list->count += rc == 0;
	}
	reply_free(&reply);
	return rc;
}

static int e2b_list_later(const void *a, const void *b)
{
	const struct e2b_list_row *left = a, *right = b;

	return (left->began < right->began) - (left->began > right->began);
}

static int e2b_list_earlier(const void *a, const void *b)
{
	return e2b_list_later(b, a);
}

void e2b_list_sort(struct e2b_list *list, bool oldest)
{
	if (list->count > 1)
		qsort(list->rows, list->count, sizeof(*list->rows),
		      oldest ? e2b_list_earlier : e2b_list_later);
}

void e2b_list_reply(struct e2b_list *list, struct reply *reply)
{
	const bool early = list->order.size &&
			   strcmp(list->order.data, "asc") == 0;
	const size_t end = list->from + (size_t)list->limit;

	e2b_list_sort(list, early);
	reply_text(reply, "[");
	for (size_t i = list->from; i < list->count && i < end; i++) {
		reply_text(reply, i > list->from ? "," : "");
		reply_text(reply, list->rows[i].text);
	}
	reply_text(reply, "]\n");
	if (end < list->count)
		reply->next = (unsigned)end;
}
