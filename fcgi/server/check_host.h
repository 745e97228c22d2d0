/*
 * check_host - settings of the host that are the operator's to make: second
 * walls, for the day on which one of ours has a hole.
 */
#ifndef TERRARIUM_CHECK_HOST_H
#define TERRARIUM_CHECK_HOST_H

#include <stdio.h>

/*
 * Print to OUT a line for each setting that the kernel below ROOT has ("/",
 * or a directory with proc and sys in it): "ok", "advice" with what it costs
 * to leave it as it is, or "unknown". Returns how many could be better.
 * Nothing here keeps the server from starting.
 */
unsigned check_host(const char *root, FILE *out);

#endif
