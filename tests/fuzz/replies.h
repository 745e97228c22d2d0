/*
 * replies - the check of a reply that the fuzzers of doors share.
 */
#ifndef TERRARIUM_FUZZ_REPLIES_H
#define TERRARIUM_FUZZ_REPLIES_H

#include <stdlib.h>
#include <string.h>

#include "fcgi/http/reply.h"
#include "sandbox/base/job.h"
#include "sandbox/text/json.h"
#include "sandbox/text/text.h"

static inline void want(bool truth)
{
	if (!truth)
		abort();
}

/* The body is one line of JSON, or empty for EMPTY, as long as it says. */
static inline void fuzz_reply(const struct reply *reply, bool empty)
{
	const struct json_limits limits = {
		.depth = 250, .nul = true, .twice = true};
	struct text text = {0};
	struct refusal why = {0};
	uint64_t files = 0;

	want(reply->error == 0);
	for (size_t i = 0; i < reply->parts_count; i++)
		if (reply->parts[i].fd < 0)
			text_add(&text, reply->parts[i].text,
				 reply->parts[i].size);
		else
			files += text_base64_length(reply->parts[i].size);
	want(reply_length(reply) == text.size + files);
	if (empty) {
		want(text.size == 0);
	} else {
		want(memchr(text.data, '\n', text.size) ==
		     text.data + text.size - 1);
		want(json_check(text.data, text.size, &limits, &why) == 0);
	}
	text_free(&text);
}

#endif
