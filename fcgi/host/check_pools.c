/* check_pools - see check_pools.h. */
#include "check_pools.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conf/address.h"
#include "fcgi/sessions/registry.h"

#define AT(field) offsetof(struct conf, field)

/* Texts of which each pool needs one of its own. An empty one is not used. */
static const struct {
	const char *option;
	size_t offset;
} check_pools_rows[] = {
	{"server.socket", AT(socket)},
	{"server.status_socket", AT(status_socket)},
	{"server.streams_socket", AT(streams_socket)},
	{"server.pid_file", AT(pid_file)},
	{"server.cache_dir", AT(cache_dir)},
	{"server.artifacts_dir", AT(artifacts_dir)},
	{"walls.cgroup_name", AT(cgroup_name)},
};

struct check_pools_found {
	const struct pools *pools;
	char *text;
	size_t size, used;
	unsigned count;
};

static void check_pools_clash(struct check_pools_found *found, unsigned a,
			      unsigned b, const char *option)
{
	found->count++;
	if (found->used < found->size)
		found->used += (size_t)snprintf(
			found->text + found->used, found->size - found->used,
			"%s%s and %s need a different %s",
			found->used ? "; " : "", found->pools->names[a],
			found->pools->names[b], option);
}

static const char *check_pools_text(const struct conf *conf, size_t offset)
{
	const char *text;

	memcpy(&text, (const char *)conf + offset, sizeof(text));
	return text;
}

/* The user ids of CONF's workers and guests, as claim.c claims them. */
static uint64_t check_pools_uids_end(const struct conf *conf)
{
	return (uint64_t)conf->uid_base + 1 +
	       (uint64_t)conf_generations(conf) * conf->workers +
	       registry_slots(&conf->sessions);
}

static bool check_pools_same_port(const struct conf *a, const struct conf *b)
{
	char both[2 * CONF_ERROR_MAX];

	/* A list with an address twice is refused. */
	snprintf(both, sizeof(both), "%s %s", a->listen, b->listen);
	return *a->listen && *b->listen && !address_is_listen(both);
}

static void check_pools_pair(struct check_pools_found *found,
			     const struct conf *all, unsigned a, unsigned b)
{
	for (size_t i = 0; i < ARRAY_LEN(check_pools_rows); i++) {
		const size_t at = check_pools_rows[i].offset;
		const char *text = check_pools_text(&all[a], at);

		if (*text && strcmp(text, check_pools_text(&all[b], at)) == 0)
			check_pools_clash(found, a, b,
					  check_pools_rows[i].option);
	}
	if (strcmp(all[a].socket, all[b].status_socket) == 0 ||
	    strcmp(all[b].socket, all[a].status_socket) == 0)
		check_pools_clash(found, a, b, "server.socket");
	if (check_pools_same_port(&all[a], &all[b]))
		check_pools_clash(found, a, b, "server.listen");
	if (all[a].uid_base < check_pools_uids_end(&all[b]) &&
	    all[b].uid_base < check_pools_uids_end(&all[a]))
		check_pools_clash(found, a, b, "walls.uid_base");
}

unsigned check_pools(const char *path, const struct pools *pools, char *text,
		     size_t size, unsigned *percent)
{
	struct check_pools_found found = {.pools = pools, .text = text,
					  .size = size};
	owned_free struct conf *all = calloc(POOLS_MAX, sizeof(*all));
	char error[CONF_ERROR_MAX];
	unsigned read = 0;

	snprintf(text, size, "%s", all ? "" : "out of memory");
	*percent = 0;
	if (!all)
		return 1;
	for (struct bytes file; read < pools->count; read++) {
		if (pools_read(path, pools->names[read], &file, &all[read],
			       error) < 0)
			break;
		free(file.data);
		*percent += all[read].memory_percent;
	}
	for (unsigned a = 0; a < read; a++)
		for (unsigned b = a + 1; b < read; b++)
			check_pools_pair(&found, all, a, b);
	for (unsigned i = 0; i < read; i++)
		conf_free(&all[i]);
	return found.count;
}
