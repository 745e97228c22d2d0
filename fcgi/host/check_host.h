/*
 * check_host - settings of the host that only its operator can change. They are
 * a second line of defence if one of the sandbox's walls has a hole.
 */
#ifndef TERRARIUM_CHECK_HOST_H
#define TERRARIUM_CHECK_HOST_H

#include <stdio.h>

/*
 * Print to OUT a line for each setting of the kernel below ROOT, which is "/"
 * or a directory with proc and sys in it. A line says "ok", "advice" with the
 * cost of the present value, or "unknown". Returns how many lines are advice.
 * None of these settings keeps the server from starting.
 */
unsigned check_host(const char *root, FILE *out);

#endif
