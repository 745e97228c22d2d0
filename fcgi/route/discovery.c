/* discovery - see discovery.h. */
#include "discovery.h"

#include <string.h>

#include "conf/options.h"
#include "conf/value.h"

#ifndef TERRARIUM_VERSION
#define TERRARIUM_VERSION "0"
#endif

/* Paths that the status process serves to clients. */
static const struct discovery_path discovery_status_paths[] = {
	{"native", "GET", "/health"},
	{"ragflow", "GET", "/healthz"},
	{"code-interpreter", "GET", "/status"},
	{"code-interpreter", "GET", "/api/v1/status"},
};

/* Append the paths of LIST that belong to DOOR. */
static void discovery_put_paths(const struct discovery_path *list,
				size_t count, const char *door,
				const char **comma, struct reply *reply)
{
	for (size_t i = 0; i < count; i++) {
		if (strcmp(list[i].door, door) != 0)
			continue;
		reply_format(reply, "%s\"%s %s\"", *comma, list[i].method,
			     list[i].path);
		*comma = ",";
	}
}

/* Is the row at INDEX the first of its door? */
static bool discovery_is_first(const struct discovery *facts, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (strcmp(facts->paths[i].door, facts->paths[index].door) == 0)
			return false;
	return true;
}

static void discovery_put_doors(const struct discovery *facts,
				struct reply *reply)
{
	for (size_t i = 0; i < facts->paths_count; i++) {
		const char *door = facts->paths[i].door, *comma = "";

		if (!discovery_is_first(facts, i))
			continue;
		reply_format(reply, "%s\"%s\":[", i ? "," : "", door);
		discovery_put_paths(facts->paths, facts->paths_count, door,
				    &comma, reply);
		discovery_put_paths(discovery_status_paths,
				    ARRAY_LEN(discovery_status_paths), door,
				    &comma, reply);
		reply_text(reply, "]");
	}
}

/* Each option of the section "limits", by its own name. */
static void discovery_put_limits(const struct conf *conf, struct reply *reply)
{
	for (size_t i = 0; i < options_count; i++)
		if (strcmp(options[i].section, "limits") == 0 &&
		    options[i].kind == OPTION_NUMBER)
			reply_format(reply, "\"%s\":%u,", options[i].name,
				     value_number(&options[i], conf));
	reply_format(reply, "\"body_mb\":%u", conf->body_mb);
}

void discovery_answer(const struct discovery *facts, struct reply *reply)
{
	reply_text(reply, "{\"status\":\"ok\",\"server\":\"terrarium\","
			  "\"version\":\"" TERRARIUM_VERSION "\",\"python\":");
	reply_string(reply, facts->python);
	reply_text(reply, ",\"doors\":{");
	discovery_put_doors(facts, reply);
	reply_text(reply, "},\"limits\":{");
	discovery_put_limits(facts->conf, reply);
	reply_format(reply,
		     "},\"packages\":\"/packages\","
		     "\"openapi\":\"/openapi.json\",\"sessions\":%s,"
		     "\"streaming\":%s}\n",
		     facts->sessions ? "true" : "false",
		     facts->streaming ? "true" : "false");
}
