/*
 * value - functions for the value of an option, by its kind.
 *
 * A number consists of digits: no sign, no blank, no "0x", no suffix. A number
 * out of range is an error, and is never cut.
 */
#include "value.h"

#include <errno.h>
#include <string.h>

#include "address.h"
#include "sandbox/base/aliases.h"

_Static_assert(sizeof(enum conf_want) == sizeof(unsigned), "read as unsigned");
_Static_assert(sizeof(enum log_level) == sizeof(unsigned), "read as unsigned");

#define VALUE_AUTO_WORD "auto"

struct value_kind {
	int (*read)(const struct option_row *row, void *field,
		    const char *text);
	void (*wanted)(const struct option_row *row, char *out, size_t size);
	void (*print)(const struct option_row *row, const void *field,
		      FILE *out);
	size_t size; /* of the field; 0: it is an allocated text */
};

static void *value_field(const struct option_row *row, struct conf *conf)
{
	return (char *)conf + row->offset;
}

static const void *value_peek(const struct option_row *row,
			      const struct conf *conf)
{
	return (const char *)conf + row->offset;
}

static unsigned value_unsigned(const void *field)
{
	unsigned number;

	memcpy(&number, field, sizeof(number));
	return number;
}

static char *value_text(const void *field)
{
	char *text;

	memcpy(&text, field, sizeof(text));
	return text;
}

static bool value_is_digit(char c, unsigned base)
{
	return c >= '0' && c < (char)('0' + base);
}

/* Read the whole TEXT as a number in BASE (at most ten) in ROW's range. */
static int value_digits(const struct option_row *row, void *field,
			const char *text, unsigned base)
{
	uint64_t number = 0;

	if (!*text)
		return -EINVAL;
	for (; *text; text++) {
		if (!value_is_digit(*text, base))
			return -EINVAL;
		number = number * base + (unsigned)(*text - '0');
		if (number > row->max)
			return -EINVAL;
	}
	if (number < row->min)
		return -EINVAL;
	memcpy(field, &(unsigned){ (unsigned)number }, sizeof(unsigned));
	return 0;
}

static int value_read_number(const struct option_row *row, void *field,
			     const char *text)
{
	if (row->automatic && strcmp(text, VALUE_AUTO_WORD) == 0) {
		memcpy(field, &(unsigned){ VALUE_AUTO }, sizeof(unsigned));
		return 0;
	}
	return value_digits(row, field, text, 10);
}

static int value_read_mode(const struct option_row *row, void *field,
			   const char *text)
{
	return value_digits(row, field, text, 8);
}

static int value_read_switch(const struct option_row *row, void *field,
			     const char *text)
{
	bool on = strcmp(text, "yes") == 0;

	(void)row;
	if (!on && strcmp(text, "no") != 0)
		return -EINVAL;
	memcpy(field, &on, sizeof(on));
	return 0;
}

static int value_read_choice(const struct option_row *row, void *field,
			     const char *text)
{
	for (unsigned i = 0; row->words[i]; i++) {
		if (strcmp(row->words[i], text) != 0)
			continue;
		memcpy(field, &i, sizeof(i));
		return 0;
	}
	return -EINVAL;
}

static bool value_is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* A name must be safe in a path and as a group: no slash, and no dot or dash at
 * its beginning. */
static bool value_is_name(const char *text)
{
	if (*text == '.' || *text == '-')
		return false;
	for (; *text; text++)
		if (!value_is_letter(*text) && !value_is_digit(*text, 10) &&
		    *text != '.' && *text != '-')
			return false;
	return true;
}

static bool value_is_path(const char *text)
{
	return !*text || *text == '/';
}

/* Absolute paths, separated by one ':'. */
static bool value_is_paths(const char *text)
{
	if (!*text)
		return true;
	for (;;) {
		if (*text != '/')
			return false;
		text = strchr(text, ':');
		if (!text)
			return true;
		text++;
	}
}

/* The end of the dotted name at the beginning of TEXT; NULL if there is
 * none. */
static const char *value_skip_module(const char *text)
{
	for (;;) {
		if (!value_is_letter(*text))
			return NULL;
		while (value_is_letter(*text) || value_is_digit(*text, 10))
			text++;
		if (*text != '.')
			return text;
		text++;
	}
}

static bool value_is_modules(const char *text)
{
	for (;;) {
		while (*text == ' ')
			text++;
		if (!*text)
			return true;
		text = value_skip_module(text);
		if (!text || (*text && *text != ' '))
			return false;
	}
}

static bool (*const value_syntax[OPTION_KINDS])(const char *text) = {
	[OPTION_NAME] = value_is_name,
	[OPTION_PATH] = value_is_path,
	[OPTION_PATHS] = value_is_paths,
	[OPTION_ALIASES] = aliases_valid,
	[OPTION_LISTEN] = address_is_listen,
	[OPTION_NETWORKS] = address_is_networks,
	[OPTION_MODULES] = value_is_modules,
};

static int value_read_text(const struct option_row *row, void *field,
			   const char *text)
{
	size_t size = strlen(text);
	char **slot = field;
	char *copy;

	if (size < row->min || size > row->max ||
	    !value_syntax[row->kind](text))
		return -EINVAL;
	copy = strdup(text);
	if (!copy)
		return -ENOMEM;
	free(*slot);
	*slot = copy;
	return 0;
}

static void value_wanted_number(const struct option_row *row, char *out,
				size_t size)
{
	int used = snprintf(out, size, "a whole number%s%s from %u to %u",
			    row->unit ? " of " : "",
			    row->unit ? row->unit : "", row->min, row->max);

	if (row->zero && used > 0 && (size_t)used < size)
		used += snprintf(out + used, size - (size_t)used, " (0: %s)",
				 row->zero);
	if (row->automatic && used > 0 && (size_t)used < size)
		snprintf(out + used, size - (size_t)used, ", or auto: %s",
			 row->automatic);
}

static void value_wanted_mode(const struct option_row *row, char *out,
			      size_t size)
{
	snprintf(out, size, "an octal file mode from %04o to %04o", row->min,
		 row->max);
}

static void value_wanted_switch(const struct option_row *row, char *out,
				size_t size)
{
	(void)row;
	snprintf(out, size, "yes or no");
}

static void value_wanted_choice(const struct option_row *row, char *out,
				size_t size)
{
	size_t used = (size_t)snprintf(out, size, "one of");

	for (unsigned i = 0; row->words[i] && used < size; i++)
		used += (size_t)snprintf(out + used, size - used, "%s %s",
					 i ? "," : "", row->words[i]);
}

static const char value_aliases[] =
	"absolute paths with ':' between them, in no directory of the system "
	"or another's, as /mnt/data or /home/NAME";

static const char value_listen[] =
	"up to 4 different ones of the form tcp://ADDRESS:PORT, IPv6 as "
	"tcp://[::1]:9000";
static const char value_networks[] =
	"up to 64 addresses and networks, as 192.0.2.7, 10.0.0.0/8, fd00::/8";

static const char *const value_nouns[OPTION_KINDS] = {
	[OPTION_NAME] = "letters, digits, '_', after the first also '.' and '-'",
	[OPTION_PATH] = "an absolute path",
	[OPTION_PATHS] = "absolute paths with ':' between them",
	[OPTION_ALIASES] = value_aliases,
	[OPTION_LISTEN] = value_listen,
	[OPTION_NETWORKS] = value_networks,
	[OPTION_MODULES] = "names of Python modules with spaces between them",
};

static void value_wanted_text(const struct option_row *row, char *out,
			      size_t size)
{
	snprintf(out, size, "%s, at most %u bytes%s", value_nouns[row->kind],
		 row->max, row->min ? "" : ", or nothing");
}

static void value_print_number(const struct option_row *row,
			       const void *field, FILE *out)
{
	if (row->automatic && value_unsigned(field) == VALUE_AUTO)
		fputs(" " VALUE_AUTO_WORD, out);
	else
		fprintf(out, " %u", value_unsigned(field));
}

static void value_print_mode(const struct option_row *row, const void *field,
			     FILE *out)
{
	(void)row;
	fprintf(out, " %04o", value_unsigned(field));
}

static void value_print_switch(const struct option_row *row,
			       const void *field, FILE *out)
{
	bool on;

	(void)row;
	memcpy(&on, field, sizeof(on));
	fputs(on ? " yes" : " no", out);
}

static void value_print_choice(const struct option_row *row,
			       const void *field, FILE *out)
{
	fprintf(out, " %s", row->words[value_unsigned(field)]);
}

static void value_print_text(const struct option_row *row, const void *field,
			     FILE *out)
{
	const char *text = value_text(field);

	(void)row;
	if (*text)
		fprintf(out, " %s", text);
}

#define TEXT_KIND { value_read_text, value_wanted_text, value_print_text, 0 }

static const struct value_kind kinds[OPTION_KINDS] = {
	[OPTION_NUMBER] = { value_read_number, value_wanted_number,
			    value_print_number,
			    sizeof(unsigned) },
	[OPTION_MODE] = { value_read_mode, value_wanted_mode,
			  value_print_mode,
			    sizeof(unsigned) },
	[OPTION_SWITCH] = { value_read_switch, value_wanted_switch,
			    value_print_switch, sizeof(bool) },
	[OPTION_CHOICE] = { value_read_choice, value_wanted_choice,
			    value_print_choice,
			    sizeof(unsigned) },
	[OPTION_NAME] = TEXT_KIND,
	[OPTION_PATH] = TEXT_KIND,
	[OPTION_PATHS] = TEXT_KIND,
	[OPTION_ALIASES] = TEXT_KIND,
	[OPTION_LISTEN] = TEXT_KIND,
	[OPTION_NETWORKS] = TEXT_KIND,
	[OPTION_MODULES] = TEXT_KIND,
};

int value_read(const struct option_row *row, struct conf *conf,
	       const char *text)
{
	return kinds[row->kind].read(row, value_field(row, conf), text);
}

void value_wanted(const struct option_row *row, char wanted[VALUE_WANTED_MAX])
{
	kinds[row->kind].wanted(row, wanted, VALUE_WANTED_MAX);
}

void value_print(const struct option_row *row, const struct conf *conf,
		 FILE *out)
{
	kinds[row->kind].print(row, value_peek(row, conf), out);
}

void value_free(const struct option_row *row, struct conf *conf)
{
	if (kinds[row->kind].size == 0)
		base_release_ptr(value_field(row, conf));
}

char **value_text_of(const struct option_row *row, struct conf *conf)
{
	return kinds[row->kind].size == 0 ? value_field(row, conf) : NULL;
}

unsigned value_number(const struct option_row *row, const struct conf *conf)
{
	return value_unsigned(value_peek(row, conf));
}

bool value_same(const struct option_row *row, const struct conf *a,
		const struct conf *b)
{
	const size_t size = kinds[row->kind].size;
	const void *left = value_peek(row, a), *right = value_peek(row, b);

	return size == 0 ? strcmp(value_text(left), value_text(right)) == 0
			 : memcmp(left, right, size) == 0;
}
