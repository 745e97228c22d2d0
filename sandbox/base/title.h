/*
 * title - a process's name in ps(1) and top(1).
 */
#ifndef TERRARIUM_TITLE_H
#define TERRARIUM_TITLE_H

/* Show this process as "terrariumd: ROLE" and its thread as ROLE. The title
 * must fit in place of the program's first argument; a longer one is not
 * set. */
void title_set(const char *role);

#endif
