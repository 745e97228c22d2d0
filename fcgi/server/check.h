/*
 * check - is this host fit to serve? `terrariumd -t`.
 */
#ifndef TERRARIUM_CHECK_H
#define TERRARIUM_CHECK_H

/* Check the configuration file PATH and the host; print a line for each
 * layer: what it will use, or what is missing and what that costs; then the
 * host's own settings (check_host.h), which are advice. Returns the exit
 * status: 0 when the server would start. */
int check_main(const char *path);

#endif
