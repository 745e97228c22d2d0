/*
 * master - the process that an operator starts. See master.c.
 */
#ifndef TERRARIUM_MASTER_H
#define TERRARIUM_MASTER_H

/* Serve with the configuration file PATH, or its section [pool POOL] unless POOL
 * is "", until told to stop. Returns the exit
 * status. */
int master_main(const char *path, const char *pool);

#endif
