/* findings - see findings.h. */
#include "findings.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define FINDINGS_SENTENCE_MAX 240

void findings_add(struct findings *findings, const char *type, const char *loc,
		  const char *fmt, ...)
{
	char sentence[FINDINGS_SENTENCE_MAX];
	va_list args;

	va_start(args, fmt);
	vsnprintf(sentence, sizeof(sentence), fmt, args);
	va_end(args);
	text_format(&findings->text, "%s{\"type\":\"%s\",\"loc\":[%s],\"msg\":",
		    findings->count++ ? "," : "[", type, loc);
	text_add_json(&findings->text, sentence, strlen(sentence));
	text_add(&findings->text, "}", 1);
}

int findings_refuse(struct findings *findings, struct refusal *why)
{
	if (findings->count == 0)
		return 0;
	text_add(&findings->text, "]", 2); /* with its NUL */
	if (findings->text.error) {
		text_free(&findings->text);
		refuse(why, 500, "internal_error",
		       "the server ran out of memory");
		return -ENOMEM;
	}
	refuse(why, 422, "bad_fields", "fields of the request are malformed");
	why->list = findings->text.data;
	*findings = (struct findings){0};
	return -EINVAL;
}
