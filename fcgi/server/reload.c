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

/* From /status. The last three are numbers of reloads since the start. */
struct reload_state {
	long long master, generation;
	long long asked, done, failed;
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

/* Wait until the reload after BEFORE is done, or has failed. Returns 0, or a
 * negative errno value if the server has been silent for too long. */
static int reload_wait(const struct conf *conf, long long before,
		       struct reload_state *state)
{
	int64_t heard = io_now_ms();
	int rc = 0;

	while (io_now_ms() - heard < RELOAD_SILENCE_MS) {
		rc = reload_ask(conf, state);
		if (rc == 0 && state->asked <= before)
			rc = -ETIMEDOUT;
		else if (rc == 0 &&
			 (state->done > before || state->failed > before))
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

static int reload_tell(const struct conf *conf, struct reload_state *state)
{
	int rc = reload_ask(conf, state);

	if (rc < 0)
		return reload_fail(conf->status_socket, log_errno(rc));
	const long long before = state->asked;

	if (kill((pid_t)state->master, SIGHUP) < 0)
		return reload_fail("signal the master", log_errno(errno));
	rc = reload_wait(conf, before, state);
	if (rc < 0)
		return reload_fail("the server has not said how the reload "
				   "ended", log_errno(rc));
	if (state->done <= before)
		return reload_fail("reload failed, the present generation "
				   "goes on", state->reason.data);
	printf("reloaded: generation %lld serves\n", state->generation);
	return 0;
}

static int reload_one(const char *path, const char *pool)
{
	struct reload_state state = {0};
	char error[CONF_ERROR_MAX];
	struct bytes text;
	struct conf conf;

	if (pools_read(path, pool, &text, &conf, error) < 0)
		return reload_fail("reload refused, nothing was changed",
				   error);
	if (*pool)
		printf("pool %s: ", pool);
	fflush(stdout);
	int status = reload_tell(&conf, &state);

	free(state.reason.data);
	free(text.data);
	conf_free(&conf);
	return status;
}

int reload_main(const char *path, const char *pool)
{
	char error[CONF_ERROR_MAX];
	struct pools pools;
	int status = 0;

	signal(SIGPIPE, SIG_IGN);
	if (pools_list(path, &pools, error) < 0)
		return reload_fail("reload refused, nothing was changed",
				   error);
	if (*pool || pools.count == 0)
		return reload_one(path, pool);
	for (unsigned i = 0; i < pools.count; i++)
		status |= reload_one(path, pools.names[i]);
	return status;
}
