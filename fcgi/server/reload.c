/* reload - see reload.h. */
#include "reload.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conf/pools.h"
#include "fcgi/http/fastcgi_ask.h"
#include "sandbox/base/io.h"
#include "sandbox/text/json.h"

#define RELOAD_ASK_MS 5000 /* for an answer of the status process */
/* The master reads signals within 0.2 s, and the status process that has died
 * is replaced after 1 s. A busy machine takes longer. */
#define RELOAD_SILENCE_MS 20000
#define RELOAD_PAUSE_US 100000 /* between two questions */

static const struct reload_kind {
	int signal; /* to the master */
	bool upgrades; /* another program takes over */
	const char *done, *silent, *failed, *refused;
} reload_kind_reload = {
	.signal = SIGHUP,
	.done = "reloaded",
	.silent = "the server has not said how the reload ended",
	.failed = "reload failed, the present generation goes on",
	.refused = "reload refused, nothing was changed",
}, reload_kind_upgrade = {
	.signal = SIGUSR2,
	.upgrades = true,
	.done = "upgraded",
	.silent = "the server has not said how the upgrade ended",
	.failed = "upgrade failed, the former program goes on",
	.refused = "upgrade refused, nothing was changed",
};

/* From /status. ASKED to FAILED are numbers of reloads since the start. */
struct reload_state {
	long long master, generation;
	long long asked, done, failed;
	long long upgrades; /* -1: the server cannot upgrade */
	struct bytes reason; /* of the failure; to be freed */
};

static int reload_number(struct json_span object, const char *name,
			 long long *out)
{
	struct json_span value;

	if (!json_member(object, name, &value))
		return -EPROTO;
	return json_integer(value, out);
}

static int reload_parse(const struct bytes *text, struct reload_state *state)
{
	struct json_span whole, reload, reason;
	struct refusal why;
	int rc = json_check(text->data, text->size, &json_limits_request, &why);

	if (rc < 0)
		return rc;
	whole = json_whole(text->data, text->size);
	if (json_kind(whole) != JSON_OBJECT ||
	    !json_member(whole, "reload", &reload) ||
	    json_kind(reload) != JSON_OBJECT ||
	    !json_member(whole, "reason", &reason) ||
	    json_kind(reason) != JSON_STRING ||
	    reload_number(whole, "master", &state->master) < 0 ||
	    reload_number(whole, "generation", &state->generation) < 0 ||
	    reload_number(reload, "asked", &state->asked) < 0 ||
	    reload_number(reload, "done", &state->done) < 0 ||
	    reload_number(reload, "failed", &state->failed) < 0)
		return -EPROTO;
	if (reload_number(whole, "upgrades", &state->upgrades) < 0)
		state->upgrades = -1;
	return json_string(reason, &state->reason);
}

static int reload_ask(const struct conf *conf, struct reload_state *state)
{
	struct bytes text = {0};
	int rc = fastcgi_ask(conf->status_socket, "/status", RELOAD_ASK_MS,
			     &text);

	base_release_ptr(&state->reason.data);
	if (rc == 0)
		rc = reload_parse(&text, state);
	free(text.data);
	return rc;
}

/* Has what was asked for after BEFORE come to serve? A reload that was asked
 * for before an upgrade is no upgrade. */
static bool reload_is_done(const struct reload_kind *kind,
			   const struct reload_state *before,
			   const struct reload_state *state)
{
	return state->done > before->asked &&
	       (!kind->upgrades || state->upgrades > before->upgrades);
}

/* Wait until the reload after BEFORE is done, or has failed. Returns 0, or a
 * negative errno value if the server has been silent for too long. */
static int reload_wait(const struct reload_kind *kind, const struct conf *conf,
		       const struct reload_state *before,
		       struct reload_state *state)
{
	int64_t heard = io_now_ms();
	int rc = 0;

	while (io_now_ms() - heard < RELOAD_SILENCE_MS) {
		rc = reload_ask(conf, state);
		if (rc == 0 && state->asked <= before->asked)
			rc = -ETIMEDOUT;
		else if (rc == 0 && (state->failed > before->asked ||
				     reload_is_done(kind, before, state)))
			return 0;
		if (rc == 0)
			heard = io_now_ms();
		usleep(RELOAD_PAUSE_US);
	}
	return rc;
}

static int reload_fail(const char *what, const char *reason)
{
	fprintf(stderr, "terrariumd: %s: %s\n", what, reason);
	return 1;
}

static int reload_tell(const struct reload_kind *kind, const struct conf *conf,
		       struct reload_state *state)
{
	int rc = reload_ask(conf, state);

	if (rc < 0)
		return reload_fail(conf->status_socket, log_errno(rc));
	const struct reload_state before = *state;

	if (kind->upgrades && before.upgrades < 0)
		return reload_fail(kind->refused, "the running program is too "
						  "old: restart it");
	if (kill((pid_t)state->master, kind->signal) < 0)
		return reload_fail("signal the master", log_errno(errno));
	rc = reload_wait(kind, conf, &before, state);
	if (rc < 0)
		return reload_fail(kind->silent, log_errno(rc));
	if (!reload_is_done(kind, &before, state))
		return reload_fail(kind->failed, state->reason.data);
	printf("%s: generation %lld serves\n", kind->done, state->generation);
	return 0;
}

static int reload_one(const struct reload_kind *kind, const char *path,
		      const char *pool)
{
	struct reload_state state = {0};
	char error[CONF_ERROR_MAX];
	struct bytes text;
	struct conf conf;

	if (pools_read(path, pool, &text, &conf, error) < 0)
		return reload_fail(kind->refused, error);
	if (*pool)
		printf("pool %s: ", pool);
	fflush(stdout);
	int status = reload_tell(kind, &conf, &state);

	free(state.reason.data);
	free(text.data);
	conf_free(&conf);
	return status;
}

static int reload_all(const struct reload_kind *kind, const char *path,
		      const char *pool)
{
	char error[CONF_ERROR_MAX];
	struct pools pools;
	int status = 0;

	signal(SIGPIPE, SIG_IGN);
	if (pools_list(path, &pools, error) < 0)
		return reload_fail(kind->refused, error);
	if (*pool || pools.count == 0)
		return reload_one(kind, path, pool);
	for (unsigned i = 0; i < pools.count; i++)
		status |= reload_one(kind, path, pools.names[i]);
	return status;
}

int reload_main(const char *path, const char *pool)
{
	return reload_all(&reload_kind_reload, path, pool);
}

int reload_upgrade_main(const char *path, const char *pool)
{
	return reload_all(&reload_kind_upgrade, path, pool);
}
