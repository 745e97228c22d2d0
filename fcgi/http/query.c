/* query - see query.h. */
#include "query.h"

#include <errno.h>
#include <string.h>

static int query_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 32;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

size_t query_decode(const char *from, size_t size, bool plus, char *out)
{
	size_t used = 0;

	for (size_t i = 0; i < size; i++) {
		int high = i + 2 < size ? query_digit(from[i + 1]) : -1;
		int low = i + 2 < size ? query_digit(from[i + 2]) : -1;
		bool coded = from[i] == '%' && high >= 0 && low >= 0;
		char byte = from[i];

		if (coded)
			byte = (char)(high << 4 | low);
		else if (plus && byte == '+')
			byte = ' ';
		out[used++] = byte;
		i += coded ? 2 : 0;
	}
	return used;
}

/* Is the parameter of SIZE bytes at AT called NAME? Then *VALUE is where its
 * value begins. */
static bool query_is(const char *at, size_t size, const char *name,
		     char *room, size_t *value)
{
	const char *equals = memchr(at, '=', size);
	size_t key = equals ? (size_t)(equals - at) : size;
	size_t used = query_decode(at, key, true, room);

	*value = equals ? key + 1 : size;
	return used == strlen(name) && memcmp(room, name, used) == 0;
}

int query_find(const char *query, const char *name, struct bytes *out)
{
	owned_free char *room = malloc(strlen(query) + 1);
	int found = 0;

	*out = (struct bytes){0};
	if (!room)
		return -ENOMEM;
	for (const char *at = query; *at; at += *at == '&') {
		size_t size = strcspn(at, "&"), value;

		if (query_is(at, size, name, room, &value)) {
			free(out->data);
			out->data = malloc(size - value + 1);
			if (!out->data)
				return -ENOMEM;
			out->size = query_decode(at + value, size - value,
						 true, out->data);
			out->data[out->size] = '\0';
			found++;
		}
		at += size;
	}
	return found;
}
