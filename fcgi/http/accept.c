/* accept - see accept.h. */
#include "accept.h"

#include <string.h>
#include <strings.h>

#define ACCEPT_BEST 1000 /* the quality of a type that names none */

static const char *const accept_types[ACCEPT_FORMS] = {
	[ACCEPT_WHOLE] = "application/json",
	[ACCEPT_NDJSON] = "application/x-ndjson",
	[ACCEPT_SSE] = "text/event-stream",
};

/* Thousandths of a quality such as 1, 0.5 or 0.125. Digits past the third do
 * not count. 0 for anything else. */
static unsigned accept_read_quality(const char *text)
{
	unsigned quality = 0, unit = ACCEPT_BEST;

	if (*text != '0' && *text != '1')
		return 0;
	quality = *text++ == '1' ? ACCEPT_BEST : 0;
	if (*text == '.')
		while (*++text >= '0' && *text <= '9') {
			unit /= 10;
			quality += unit * (unsigned)(*text - '0');
		}
	return quality < ACCEPT_BEST ? quality : ACCEPT_BEST;
}

/* The quality in the parameters from TEXT, which is at their first semicolon or
 * at END. END is at a comma or at the end of the header. */
static unsigned accept_quality(const char *text, const char *end)
{
	for (; text < end; text += strcspn(text, ";,")) {
		text += strspn(text, "; \t");
		if (strncasecmp(text, "q=", 2) == 0)
			return accept_read_quality(text + 2);
	}
	return ACCEPT_BEST;
}

/* The form whose type is the SIZE bytes at TEXT; ACCEPT_FORMS: none. */
static enum accept_form accept_find(const char *text, size_t size)
{
	enum accept_form form = ACCEPT_WHOLE;

	while (size > 0 && strchr(" \t", text[size - 1]))
		size--;
	while (form < ACCEPT_FORMS &&
	       (strlen(accept_types[form]) != size ||
		strncasecmp(accept_types[form], text, size) != 0))
		form++;
	return form;
}

/* The quality of the next type in *TEXT, whose form is in *FORM; 0 for a type
 * that does not count. *TEXT moves behind it. */
static unsigned accept_next(const char **text, enum accept_form *form)
{
	const char *at = *text + strspn(*text, " \t,");
	size_t size = strcspn(at, ","), type = strcspn(at, ";,");

	*text = at + size;
	*form = accept_find(at, type);
	return *form == ACCEPT_FORMS ? 0
				     : accept_quality(at + type, at + size);
}

enum accept_form accept_form(const char *text)
{
	enum accept_form best = ACCEPT_WHOLE, form;
	unsigned most = 0;

	while (*text) {
		unsigned quality = accept_next(&text, &form);

		if (quality > most) {
			most = quality;
			best = form;
		}
	}
	return best;
}

bool accept_takes(const char *text, enum accept_form form)
{
	enum accept_form found;

	while (*text)
		if (accept_next(&text, &found) > 0 && found == form)
			return true;
	return false;
}
