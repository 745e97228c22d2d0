/*
 * manual - the manual page terrarium.conf(5), printed from the option table.
 */
#ifndef TERRARIUM_MANUAL_H
#define TERRARIUM_MANUAL_H

#include <stdio.h>

/* Print the page for man(1) to OUT: each option, its default, its sentence and
 * the values it may have, then the rules between options. VERSION is the
 * server's. */
void manual_print(const char *version, FILE *out);

#endif
