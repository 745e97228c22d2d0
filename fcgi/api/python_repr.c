/* python_repr - see python_repr.h. */
#include "python_repr.h"

#include <errno.h>
#include <string.h>

static void python_repr_string(struct text *text, struct json_span span)
{
	struct bytes found;

	if (json_string_bytes(span, &found) < 0) {
		text->error = -ENOMEM;
		return;
	}
	char quote = memchr(found.data, '\'', found.size) &&
				     !memchr(found.data, '"', found.size)
			     ? '"' : '\'';

	text_add(text, &quote, 1);
	for (size_t i = 0; i < found.size; i++) {
		unsigned char byte = (unsigned char)found.data[i];

		if (byte == '\\' || byte == (unsigned char)quote)
			text_format(text, "\\%c", byte);
		else if (byte < ' ' || byte == 0x7f)
			text_format(text, "\\x%02x", byte);
		else
			text_add(text, &found.data[i], 1);
	}
	text_add(text, &quote, 1);
	free(found.data);
}

static void python_repr_items(struct text *text, struct json_span span,
			      const char *ends, size_t most)
{
	struct json_walk walk = json_walk(span);

	text_add(text, ends, 1);
	while (json_next(&walk) && text->size < most) {
		if (walk.index > 0)
			text_add(text, ", ", 2);
		if (*ends == '{') {
			python_repr_string(text, walk.key);
			text_add(text, ": ", 2);
		}
		python_repr_add(text, walk.value, most);
	}
	text_add(text, ends + 1, 1);
}

void python_repr_add(struct text *text, struct json_span span, size_t most)
{
	switch (json_kind(span)) {
	case JSON_NULL:
		text_add(text, "None", 4);
		break;
	case JSON_BOOL:
		text_format(text, json_is_true(span) ? "True" : "False");
		break;
	case JSON_STRING:
		python_repr_string(text, span);
		break;
	case JSON_ARRAY:
		python_repr_items(text, span, "[]", most);
		break;
	case JSON_OBJECT:
		python_repr_items(text, span, "{}", most);
		break;
	default:
		text_add(text, span.data, span.size);
	}
}
