/*
 * shown - what a program printed, for a terminal: none of it is obeyed there.
 */
#ifndef TERRARIUM_SHOWN_H
#define TERRARIUM_SHOWN_H

#include <stddef.h>

/* Write SIZE bytes to FD: as they are, or, if it is a terminal, with control
 * characters (all but \n and \t) and those that turn the direction of text
 * as \uXXXX, and bytes that are no UTF-8 as \xXX. In JSON these are the same
 * text. 0 or a negative errno value. */
int shown_write(int fd, const char *data, size_t size);

#endif
