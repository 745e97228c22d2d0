/* warnings - see warnings.h. */
#include "warnings.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void warnings_free(struct warnings *warnings)
{
	free(warnings->packed);
	*warnings = (struct warnings){0};
}

/* SIZE, or less if TEXT is longer than a warning may be. Bytes 10xxxxxx
 * continue a character. */
static size_t warnings_cut(const char *text, size_t size)
{
	if (size <= WARNINGS_BYTES)
		return size;
	size = WARNINGS_BYTES;
	while (size > 0 && ((unsigned char)text[size] & 0xc0) == 0x80)
		size--;
	return size;
}

int warnings_add(struct warnings *warnings, const char *text, size_t size)
{
	char *grown;

	if (warnings->count >= WARNINGS_MAX)
		return 0;
	size = warnings_cut(text, strnlen(text, size));
	grown = realloc(warnings->packed, warnings->size + size + 1);
	if (!grown)
		return -ENOMEM;
	memcpy(grown + warnings->size, text, size);
	grown[warnings->size + size] = '\0';
	warnings->packed = grown;
	warnings->size += size + 1;
	warnings->count++;
	return 0;
}

int warnings_format(struct warnings *warnings, const char *fmt, ...)
{
	char text[WARNINGS_BYTES + 1];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	return warnings_add(warnings, text, strlen(text));
}

const char *warnings_next(const struct warnings *warnings, const char *last)
{
	const char *next = last ? last + strlen(last) + 1 : warnings->packed;

	if (!next || next == warnings->packed + warnings->size)
		return NULL;
	return next;
}
