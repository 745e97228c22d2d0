/* code_interpreter_path - see code_interpreter_path.h. */
#include "code_interpreter_path.h"

#include <string.h>

#include "sandbox/base/aliases.h"
#include "sandbox/text/text.h"
#include "sandbox/text/word.h"

#define CODE_INTERPRETER_PATH_CHARACTERS 1024
#define CODE_INTERPRETER_PATH_NAME 255

/* The bytes at the beginning of TEXT that are letters, digits, '_' and '-',
 * and '.' with DOTS. */
static size_t code_interpreter_path_word(const char *text, size_t size,
					  bool dots)
{
	size_t used = 0, step;

	while (used < size &&
	       (step = text[used] == '-' || (dots && text[used] == '.')
			       ? 1
			       : word_character(text + used, size - used)))
		used += step;
	return used;
}

/* The bytes of one component of a path: words with dots between them. */
static size_t code_interpreter_path_component(const char *text, size_t size)
{
	size_t used = code_interpreter_path_word(text, size, false), word;

	while (used > 0 && used < size && text[used] == '.') {
		word = code_interpreter_path_word(text + used + 1,
						   size - used - 1, false);
		if (word == 0)
			break;
		used += 1 + word;
	}
	return used;
}

const char *code_interpreter_path_below(const struct bytes *path)
{
	static const char *const homes[] = {CODE_INTERPRETER_PATH_HOME,
					    ALIASES_HOME};

	for (size_t i = 0; i < ARRAY_LEN(homes); i++) {
		size_t size = strlen(homes[i]);

		if (path->size >= size &&
		    memcmp(path->data, homes[i], size) == 0 &&
		    (path->size == size || path->data[size] == '/'))
			return path->data + size;
	}
	return NULL;
}

static bool code_interpreter_path_good(const struct bytes *path)
{
	const char *at = code_interpreter_path_below(path);
	const char *end = path->data + path->size;

	while (at && at < end && *at == '/' && at + 1 < end) {
		size_t used = code_interpreter_path_component(
			at + 1, (size_t)(end - at - 1));

		at = used ? at + 1 + used : NULL;
	}
	return at && (at == end || (*at == '/' && at + 1 == end));
}

static bool code_interpreter_path_name_good(const struct bytes *name)
{
	return code_interpreter_path_word(name->data, name->size, true) ==
		       name->size &&
	       strcmp(name->data, ".") != 0 && strcmp(name->data, "..") != 0;
}

bool code_interpreter_path_check(const struct bytes *text,
					 const char *field, const char *loc,
					 struct findings *findings)
{
	const bool is_path = strcmp(field, "path") == 0;
	const size_t most = is_path ? CODE_INTERPRETER_PATH_CHARACTERS
				    : CODE_INTERPRETER_PATH_NAME;
	const size_t before = findings->count;

	if (text->size == 0)
		findings_add(findings, "string_too_short", loc,
			     "%s must not be empty", field);
	else if (word_count(text->data, text->size) > most)
		findings_add(findings, "string_too_long", loc,
			     "%s has more than %zu characters", field, most);
	else if (strlen(text->data) != text->size ||
		 text_utf8_bad(text->data, text->size) != text->size ||
		 !(is_path ? code_interpreter_path_good(text)
			   : code_interpreter_path_name_good(text)))
		findings_add(findings, "string_pattern_mismatch", loc,
			     is_path ? "path must be /sandbox or a directory "
				       "below it, without special characters"
				     : "name must be a file's name, without "
				       "special characters");
	return findings->count == before;
}

struct bytes code_interpreter_path_dir(const struct bytes *path,
					       const char *name)
{
	char *at = path->data + (code_interpreter_path_below(path) -
				 path->data);
	size_t size = (size_t)(path->data + path->size - at);
	const size_t last = name ? strlen(name) : 0;

	while (size > 0 && *at == '/')
		at++, size--;
	while (size > 0 && at[size - 1] == '/')
		size--;
	if (name && size >= last && memcmp(at + size - last, name, last) == 0 &&
	    (size == last || at[size - last - 1] == '/')) {
		size -= last;
		while (size > 0 && at[size - 1] == '/')
			size--;
	}
	return (struct bytes){at, size};
}
