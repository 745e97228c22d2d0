/*
 * reload - makes a running server reload, or execute the program that is on
 * disk, and waits for it: `terrariumd --reload` and `--upgrade`.
 */
#ifndef TERRARIUM_RELOAD_H
#define TERRARIUM_RELOAD_H

/* For POOL, or for each pool of the file if it has pools and POOL is "": check
 * the configuration file PATH, tell the server that runs with it to
 * reload, and wait until a generation serves that was started for it, or could
 * not be started. Returns the exit status: 0 when it serves, otherwise 1, with
 * the reason on standard error. */
int reload_main(const char *path, const char *pool);

/* The same, but the server becomes the program on disk (upgrade.h). */
int reload_upgrade_main(const char *path, const char *pool);

#endif
