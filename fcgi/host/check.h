/*
 * check - tells whether this host can run the server: `terrariumd -t`.
 */
#ifndef TERRARIUM_CHECK_H
#define TERRARIUM_CHECK_H

/* Check the configuration file PATH and the host. Print a line for each layer:
 * how it will be used, or why it is missing and the cost of that. Then print
 * advice about the host's own settings (check_host.h). Returns the exit status:
 * 0 when the server would start. POOL is as for reload_main(), and pools are also
 * compared with each other. */
int check_main(const char *path, const char *pool);

#endif
