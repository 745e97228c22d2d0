/*
 * shown - prints a program's output so that it cannot control a terminal.
 */
#ifndef TERRARIUM_SHOWN_H
#define TERRARIUM_SHOWN_H

#include <stddef.h>

#include "sandbox/text/text.h"

/* Write SIZE bytes to FD, unchanged unless FD is a terminal. On a terminal,
 * control characters (all but \n and \t), and those that change the direction
 * of text, are written as \uXXXX. Bytes that are not UTF-8 are written as \xXX.
 * Within JSON these stand for the same text. 0 or a negative errno value. */
int shown_write(int fd, const char *data, size_t size);

/* Write RESULT and a line end to standard output, by the same rules. An exit
 * status; a message says why it failed. */
int shown_result(struct text *result);

#endif
