/*
 * figures - the pictures that a program showed, as files.
 */
#ifndef TERRARIUM_FIGURES_H
#define TERRARIUM_FIGURES_H

#include "sandbox/base/outcome.h"

/* Whether a display holds a picture. */
bool figures_is_picture(const struct bytes *display);

/* The number of pictures among OUTCOME's displays. */
size_t figures_count(const struct outcome *outcome);

/*
 * Write the pictures into the directory DIR as figure-1.png and so on. If a
 * file of such a name exists, the next number is tried; with FORCE, only if the
 * program's own output has it. REPORT gets each name, and NULL for a picture that the
 * program made malformed. 0 or a negative errno value.
 */
int figures_save(int dir, const struct outcome *outcome, bool force,
		 void (*report)(void *context, const char *name),
		 void *context);

#endif
