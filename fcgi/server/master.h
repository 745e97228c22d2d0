/*
 * master - the process that an operator starts. See master.c.
 */
#ifndef TERRARIUM_MASTER_H
#define TERRARIUM_MASTER_H

/* Serve with the configuration file PATH until told to stop. Returns the exit
 * status. */
int master_main(const char *path);

#endif
