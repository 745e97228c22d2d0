/* marker - see marker.h. */
#include "marker.h"

#include <string.h>

/* A byte that does not go on with the text may be where it begins, but none
 * of those before it is: of them, only the first is like the text's first. */
void marker_pass(struct marker *marker, const char *data, size_t size)
{
	const struct bytes *text = &marker->text;
	const char *end = data + size;

	while (text->size > 0 && data < end) {
		if (marker->matched == 0)
			data = memchr(data, text->data[0],
				      (size_t)(end - data));
		if (!data)
			return;
		if (*data != text->data[marker->matched]) {
			marker->matched = 0;
			continue;
		}
		data++;
		if (++marker->matched < text->size)
			continue;
		marker->count++;
		marker->matched = 0;
	}
}
