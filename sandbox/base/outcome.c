/* outcome - see outcome.h. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* sigabbrev_np */
#endif
#include "outcome.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#define OUTCOME_OF_ALL_SENTENCE                                              \
	"all programs together reached the server's memory limit, and this " \
	"one was ended; it may have been within its own"

const struct outcome_row outcome_rows[OUTCOME_VERDICTS] = {
	[OUTCOME_OK] = { "ok", NULL, "the program ran to its end",
			 false, true },
	[OUTCOME_RAISED] = { "raised", NULL, "an exception was not caught",
			     false, true },
	[OUTCOME_PARSING] = { "parsing", "parsing",
			      "the program could not be read", false, false },
	[OUTCOME_TIMEOUT] = { "timeout", "timeout",
			      "the time limit was reached", false, true },
	[OUTCOME_MEMORY] = { "memory", "memory",
			     "the memory limit was reached", false, true },
	[OUTCOME_OUTPUT] = { "output", "output",
			     "the program printed far too much", false, true },
	[OUTCOME_EXITED] = { "exited", "exited",
			     "the process exited with status %d before the "
			     "program ended", false, true },
	[OUTCOME_KILLED] = { "killed", "killed",
			     "the process was killed by signal %d (%s)",
			     false, true },
	[OUTCOME_PROTOCOL] = { "protocol", "killed",
			       "the program wrote to the result channel",
			       false, true },
	[OUTCOME_CANCELLED] = { "cancelled", "cancelled",
				"the client went away", false, true },
	[OUTCOME_INTERNAL] = { "internal", "internal",
			       "the server failed; the program is not to "
			       "blame", true, false },
};

/* The text for the directive LETTER of a sentence, in ROOM or constant. */
static const char *outcome_directive(const struct outcome *outcome, char letter,
				     char room[24])
{
	const char *name;

	if (letter == 'd') {
		snprintf(room, 24, "%d", outcome->detail);
		return room;
	}
	if (outcome->detail == 0)
		return "a signal that is not known";
	name = sigabbrev_np(outcome->detail);
	snprintf(room, 24, name ? "SIG%s" : "real-time", name);
	return room;
}

void outcome_sentence(const struct outcome *outcome,
		      char out[OUTCOME_SENTENCE_MAX])
{
	const char *from = outcome->verdict == OUTCOME_MEMORY &&
					   outcome->detail == OUTCOME_OF_ALL
				   ? OUTCOME_OF_ALL_SENTENCE
				   : outcome_rows[outcome->verdict].sentence;
	size_t used = 0;
	char room[24];

	for (; *from && used < OUTCOME_SENTENCE_MAX - 1; from++) {
		const char *word;

		if (*from != '%') {
			out[used++] = *from;
			continue;
		}
		word = outcome_directive(outcome, *++from, room);
		while (*word && used < OUTCOME_SENTENCE_MAX - 1)
			out[used++] = *word++;
	}
	out[used] = '\0';
}

static void outcome_free_blobs(struct bytes *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(list[i].data);
	free(list);
}

void outcome_free(struct outcome *outcome)
{
	for (size_t i = 0; i < outcome->files_count; i++) {
		free(outcome->files[i].name);
		base_release_fd(&outcome->files[i].fd);
	}
	free(outcome->files);
	outcome_free_blobs(outcome->displays, outcome->displays_count);
	warnings_free(&outcome->warnings);
	free(outcome->error_type);
	free(outcome->error_message);
	free(outcome->refused);
	free(outcome->value.data);
	free(outcome->out.kept.data);
	free(outcome->err.kept.data);
	free(outcome->order.sizes);
	*outcome = (struct outcome){ 0 };
}
