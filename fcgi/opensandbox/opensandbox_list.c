/* opensandbox_list - see opensandbox_list.h. */
#include "opensandbox_list.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "fcgi/http/query.h"
#include "opensandbox_reply.h"

/* Does the query ask for sandboxes that run? Its parameter state may be there
 * several times. 1, 0 or -ENOMEM. */
static int opensandbox_list_state(const char *query)
{
	bool told = false, running = false;

	for (size_t size; *query; query += size + (query[size] == '&')) {
		size = strcspn(query, "&");
		owned_free char *part = strndup(query, size);
		struct bytes state = {0};
		int found = part ? query_find(part, "state", &state) : -ENOMEM;

		if (found < 0)
			return found;
		told = told || found > 0;
		running = running || (found > 0 &&
				      strcasecmp(state.data, "running") == 0);
		free(state.data);
	}
	return running || !told;
}

int opensandbox_list_read(struct e2b_list *list, const char *query,
			  struct refusal *why)
{
	unsigned page = 1;
	int rc = opensandbox_list_state(query);

	list->limit = OPENSANDBOX_LIST_SIZE;
	list->after = INT64_MIN;
	list->once = true;
	list->put = opensandbox_reply_detail;
	if (rc == 0) { /* no sandbox is in another state */
		list->state = (struct bytes){strdup("other"), 5};
		rc = list->state.data ? 0 : -ENOMEM;
	}
	if (rc >= 0)
		rc = query_find(query, "metadata", &list->metadata);
	if (rc >= 0)
		rc = e2b_list_number(query, "pageSize", 1,
				     OPENSANDBOX_LIST_SIZE_MAX, &list->limit,
				     why);
	if (rc >= 0)
		rc = e2b_list_number(query, "page", 1,
				     OPENSANDBOX_LIST_PAGES_MAX, &page, why);
	list->from = (page - 1) * list->limit;
	if (rc == -ENOMEM)
		refuse(why, 500, "internal_error",
		       "the server ran out of memory");
	return rc < 0 ? rc : 0;
}

void opensandbox_list_reply(struct e2b_list *list, struct reply *reply)
{
	const size_t end = list->from + (size_t)list->limit;

	e2b_list_sort(list, false);
	reply_text(reply, "{\"items\":[");
	for (size_t i = list->from; i < list->count && i < end; i++) {
		reply_text(reply, i > list->from ? "," : "");
		reply_text(reply, list->rows[i].text);
	}
	reply_format(reply,
		     "],\"pagination\":{\"page\":%u,\"pageSize\":%u,"
		     "\"totalItems\":%zu,\"totalPages\":%zu,"
		     "\"hasNextPage\":%s}}\n",
		     list->from / list->limit + 1, list->limit, list->count,
		     (list->count + list->limit - 1) / list->limit,
		     end < list->count ? "true" : "false");
}
