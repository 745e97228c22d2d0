/*
 * manual - see manual.h. The markup is that of man(7).
 */
#include "manual.h"

#include <ctype.h>
#include <string.h>

#include "options.h"
#include "value.h"

#define MANUAL_COLUMNS 76 /* longest line of text, markup included */
#define MANUAL_WORD_MAX 2048 /* longest word with its markup, bytes */

static const char manual_head[] =
	".SH NAME\n"
	"terrarium.conf \\- configuration of terrariumd\n"
	".SH SYNOPSIS\n"
	".I /etc/terrarium/terrarium.conf\n"
	".SH DESCRIPTION\n"
	".BR terrariumd (8)\n"
	"reads this file when it starts and when it reloads.\n"
	".BR terrarium (1)\n"
	"reads it with the option\n"
	".BR \\-\\-config .\n"
	".PP\n"
	"Each line is one of:\n"
	".PP\n"
	".nf\n"
	"    [section]\n"
	"    option = value\n"
	"    # a comment\n"
	".fi\n"
	".PP\n"
	"An option that is absent has its default, which is shown here.\n"
	"A mistake is refused with file, line, option and the values that it\n"
	"may have; then nothing of the file is used.\n"
	".B terrariumd \\-t\n"
	"checks the file and the host,\n"
	".B terrariumd \\-\\-print\\-config\n"
	"prints a file with all options and defaults.\n"
	".SH OPTIONS\n";

static const char manual_rules_head[] = ".SH RULES BETWEEN OPTIONS\n"
					".BR server.socket ,\n"
					".B server.status_socket\n"
					"and\n"
					".B server.streams_socket\n"
					"must differ.\n";

static const char manual_tail[] = ".SH SEE ALSO\n"
				  ".BR terrariumd (8),\n"
				  ".BR terrarium (1)\n";

/* Write the SIZE bytes of WORD with markup for man(7) to OUT, which has room
 * for MANUAL_WORD_MAX; a longer word is cut. */
static void manual_escape(const char *word, size_t size,
			  char out[MANUAL_WORD_MAX])
{
	size_t used = 0;

	for (size_t i = 0; i < size && used < MANUAL_WORD_MAX - 5; i++) {
		const char *markup = word[i] == '-'    ? "\\-"
				     : word[i] == '\\' ? "\\e"
				     : word[i] == '\'' ? "\\(aq"
						       : NULL;

		if (markup)
			used += (size_t)snprintf(out + used,
						 MANUAL_WORD_MAX - used, "%s",
						 markup);
		else
			out[used++] = word[i];
	}
	out[used] = '\0';
}

/* TEXT in lines of at most MANUAL_COLUMNS, broken at blanks. A period that
 * begins a line would be a request, so it gets a mark of no width. */
static void manual_text(const char *text, FILE *out)
{
	char word[MANUAL_WORD_MAX];
	size_t column = 0;

	while (*(text += strspn(text, " "))) {
		size_t size = strcspn(text, " ");

		manual_escape(text, size, word);
		text += size;
		if (column > 0 && column + 1 + strlen(word) > MANUAL_COLUMNS) {
			fputc('\n', out);
			column = 0;
		} else if (column > 0) {
			fputc(' ', out);
			column++;
		}
		column += (size_t)fprintf(
			out, "%s%s", column == 0 && *word == '.' ? "\\&" : "",
			word);
	}
	if (column > 0)
		fputc('\n', out);
}

static void manual_option(const struct option_row *row, FILE *out)
{
	char unset[MANUAL_WORD_MAX];
	char wanted[VALUE_WANTED_MAX];
	char sentence[VALUE_WANTED_MAX + 1];

	manual_escape(row->unset, strlen(row->unset), unset);
	fprintf(out, ".TP\n.BR %s \" =%s%s\"\n", row->name, *unset ? " " : "",
		unset);
	manual_text(row->sentence, out);
	value_wanted(row, wanted);
	wanted[0] = (char)toupper((unsigned char)wanted[0]);
	snprintf(sentence, sizeof(sentence), "%s.", wanted);
	manual_text(sentence, out);
	if (row->fixed)
		manual_text(OPTION_FIXED, out);
}

static void manual_number(const struct option_row *row, unsigned factor,
			  FILE *out)
{
	if (factor != 1)
		fprintf(out, "%u * ", factor);
	fprintf(out, "%s.%s", row->section, row->name);
}

static void manual_rule(const struct option_rule *rule, FILE *out)
{
	fputs(".TP\n.B ", out);
	manual_number(options_at(rule->left), rule->left_factor, out);
	fputs(" <= ", out);
	manual_number(options_at(rule->right), rule->right_factor, out);
	fputs(rule->zero_free ? ", or the latter is 0\n" : "\n", out);
	manual_text(rule->reason, out);
}

void manual_print(const char *version, FILE *out)
{
	const char *section = "";

	fprintf(out,
		".TH TERRARIUM.CONF 5 2026-11-23 \"terrarium %s\" "
		"\"File Formats\"\n%s",
		version, manual_head);
	for (size_t i = 0; i < options_count; i++) {
		if (strcmp(section, options[i].section) != 0) {
			section = options[i].section;
			fprintf(out, ".SS [%s]\n", section);
		}
		manual_option(&options[i], out);
	}
	fputs(manual_rules_head, out);
	for (size_t i = 0; i < option_rules_count; i++)
		manual_rule(&option_rules[i], out);
	fputs(manual_tail, out);
}
