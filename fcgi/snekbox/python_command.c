/* python_command - see python_command.h. */
#include "python_command.h"

#include <string.h>

#define PYTHON_COMMAND_USAGE                                                 \
	"usage: python3 [option] ... [-c cmd | -m mod | file | -] [arg] ...\n" \
	"Try `python3 -h' for more information.\n"

/* The arguments, and the place in them. */
struct python_command_walk {
	char *const *args;
	size_t count, at;
	const char *letter; /* in the argument at AT, of an option */
	struct python_command *command;
};

/* The value of the option at LETTER: the rest of its argument, or the next one.
 * NULL: there is none. */
static const char *python_command_value(struct python_command_walk *walk)
{
	const char *glued = walk->letter + 1;

	walk->letter = "";
	if (*glued)
		return glued;
	return walk->at + 1 < walk->count ? walk->args[++walk->at] : NULL;
}

static void python_command_missing(struct python_command_walk *walk,
				   char option)
{
	walk->command->kind = PYTHON_COMMAND_WRONG;
	text_format(&walk->command->fault,
		    "Argument expected for the -%c option\n"
		    PYTHON_COMMAND_USAGE, option);
}

static void python_command_unknown(struct python_command_walk *walk,
				   const char *option, size_t size)
{
	walk->command->kind = PYTHON_COMMAND_WRONG;
	text_format(&walk->command->fault, "Unknown option: -");
	text_add(&walk->command->fault, option, size);
	text_format(&walk->command->fault, "\n" PYTHON_COMMAND_USAGE);
}

/* The last option: its value is the program, and arguments follow. */
static void python_command_program(struct python_command_walk *walk,
				   enum python_command_kind kind, char option)
{
	const char *value = python_command_value(walk);

	walk->command->operand = value;
	walk->command->kind = kind;
	walk->command->rest = walk->at + 1;
	if (!value)
		python_command_missing(walk, option);
}

static void python_command_warning(struct python_command_walk *walk)
{
	struct text *all = &walk->command->warnings;
	const char *value = python_command_value(walk);

	if (!value) {
		python_command_missing(walk, 'W');
		return;
	}
	if (all->size > 0)
		text_add(all, ",", 1);
	text_add(all, value, strlen(value));
}

/* Options that change how an interpreter starts: this one has started, so they
 * have no effect. */
static const char python_command_letters[] = "bBdEiIPqRsStuvx";

/* Read the option at LETTER. False: it ends the options. */
static bool python_command_option(struct python_command_walk *walk)
{
	char letter = *walk->letter;

	switch (letter) {
	case 'c':
		python_command_program(walk, PYTHON_COMMAND_CODE, letter);
		return false;
	case 'm':
		python_command_program(walk, PYTHON_COMMAND_MODULE, letter);
		return false;
	case 'V':
		walk->command->kind = PYTHON_COMMAND_VERSION;
		return false;
	case 'W':
		python_command_warning(walk);
		break;
	case 'X':
		if (!python_command_value(walk))
			python_command_missing(walk, letter);
		break;
	default:
		if (letter == 'O')
			walk->command->optimize = true;
		else if (!strchr(python_command_letters, letter))
			python_command_unknown(walk, walk->letter, 1);
		walk->letter++;
	}
	return walk->command->kind != PYTHON_COMMAND_WRONG;
}

/* Read an option of two dashes. False: it ends the options. */
static bool python_command_long(struct python_command_walk *walk,
				const char *name)
{
	if (strcmp(name, "version") == 0)
		walk->command->kind = PYTHON_COMMAND_VERSION;
	else if (strcmp(name, "check-hash-based-pycs") == 0 &&
		 walk->at + 1 < walk->count)
		walk->at++;
	else
		python_command_unknown(walk, name - 1, strlen(name) + 1);
	return walk->command->kind == PYTHON_COMMAND_NOTHING;
}

/* Read the argument at AT. False: the program was named, or refused. */
static bool python_command_argument(struct python_command_walk *walk)
{
	const char *arg = walk->args[walk->at];

	walk->command->rest = walk->at + 1;
	if (strcmp(arg, "-") == 0)
		return false;
	if (arg[0] != '-') {
		walk->command->kind = PYTHON_COMMAND_FILE;
		walk->command->operand = arg;
		return false;
	}
	if (arg[1] == '-')
		return python_command_long(walk, arg + 2);
	for (walk->letter = arg + 1; *walk->letter;)
		if (!python_command_option(walk))
			return false;
	return true;
}

void python_command_read(char *const *args, size_t count,
			 struct python_command *command)
{
	struct python_command_walk walk = {
		.args = args, .count = count, .command = command};

	*command = (struct python_command){.rest = count};
	while (walk.at < count && !*args[walk.at])
		walk.at++;
	while (walk.at < count && python_command_argument(&walk))
		walk.at++;
}

void python_command_free(struct python_command *command)
{
	text_free(&command->warnings);
	text_free(&command->fault);
}
