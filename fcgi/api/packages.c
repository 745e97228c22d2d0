/* packages - see packages.h. */
#include "packages.h"

#include <cjson/cJSON.h>
#include <errno.h>

#include "sandbox/text/json.h"

static void packages_release(cJSON **json)
{
	cJSON_Delete(*json);
}

#define owned_json __attribute__((cleanup(packages_release)))

static void packages_print(const cJSON *list, struct reply *reply)
{
	owned_json cJSON *out = cJSON_CreateObject();
	owned_free char *text = NULL;

	if (out && cJSON_AddItemReferenceToObject(out, "packages",
						  (cJSON *)(uintptr_t)list))
		text = cJSON_PrintUnformatted(out);
	if (!text) {
		reply->error = -ENOMEM;
		return;
	}
	reply_text(reply, text);
	reply_text(reply, "\n");
}

void packages_names(const struct bytes *list, struct reply *reply)
{
	owned_json cJSON *all = cJSON_ParseWithLength(list->data, list->size);
	owned_json cJSON *names = cJSON_CreateArray();
	const cJSON *row;

	cJSON_ArrayForEach(row, cJSON_GetObjectItem(all, "packages")) {
		const char *name = cJSON_GetStringValue(
			cJSON_GetObjectItem(row, "name"));
		cJSON *item = name ? cJSON_CreateString(name) : NULL;

		if (item)
			cJSON_AddItemToArray(names, item);
	}
	packages_print(names, reply);
}

int packages_forbid(const struct bytes *body, struct reply *reply,
		    struct refusal *why)
{
	int rc = body->size == 0
			 ? refuse(why, 400, "empty_body", "the body is empty")
			 : json_check(body->data, body->size,
				      &json_limits_request, why);

	if (rc < 0)
		return rc;
	owned_json cJSON *all = cJSON_ParseWithLength(body->data, body->size);
	const cJSON *list = cJSON_GetObjectItemCaseSensitive(all, "packages");
	const cJSON *row;

	if (!cJSON_IsArray(list))
		return refuse(why, 400, "bad_type",
			      "packages must be an array of strings");
	cJSON_ArrayForEach(row, list)
		if (!cJSON_IsString(row))
			return refuse(why, 400, "bad_type",
				      "packages must be an array of strings");
	packages_print(list, reply);
	return 0;
}
