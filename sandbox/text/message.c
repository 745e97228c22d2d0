/* message - see message.h. */
#include "message.h"

#include <string.h>

/* The limit that each verdict's sentence mentions. */
static const struct {
	size_t offset;
	const char *unit;
} message_limits[OUTCOME_VERDICTS] = {
	[OUTCOME_TIMEOUT] = { offsetof(struct limits, timeout_ms), "ms" },
	[OUTCOME_MEMORY] = { offsetof(struct limits, memory_mb), "MB" },
	[OUTCOME_OUTPUT] = { offsetof(struct limits, flood_mb), "MB" },
};

static void message_add_sentence(struct text *text,
				 const struct outcome *outcome,
				 const struct limits *limits)
{
	const char *unit = message_limits[outcome->verdict].unit;
	char sentence[OUTCOME_SENTENCE_MAX];
	unsigned limit;

	outcome_sentence(outcome, sentence);
	text_add(text, sentence, strlen(sentence));
	if (!unit || (outcome->verdict == OUTCOME_MEMORY &&
		      outcome->detail == OUTCOME_OF_ALL))
		return;
	memcpy(&limit, (const char *)limits +
			       message_limits[outcome->verdict].offset,
	       sizeof(limit));
	text_format(text, " (%u %s)", limit, unit);
}

void message_add(struct text *text, const struct outcome *outcome,
		 const struct limits *limits)
{
	const char *more = outcome->error_message;

	if (outcome->verdict != OUTCOME_RAISED || !more) {
		message_add_sentence(text, outcome, limits);
		if (more)
			text_add(text, "\n", 1);
	}
	if (more)
		text_add(text, more, strlen(more));
}
