/*
 * title - what ps(1) and top(1) call a process.
 */
#ifndef TERRARIUM_TITLE_H
#define TERRARIUM_TITLE_H

/* Show this process as "terrariumd: ROLE", as far as the room that the
 * program's first argument has allows, and its task as ROLE. */
void title_set(const char *role);

#endif
