/*
 * rehearse - a request that nobody has sent, as the web server would send it.
 */
#ifndef TERRARIUM_REHEARSE_H
#define TERRARIUM_REHEARSE_H

/* A connection on which a small run is requested: ENDS[0] is to be accepted,
 * ENDS[1] is the web server's and takes a short answer. 0 or negative errno
 * value. */
int rehearse_request(int ends[2]);

#endif
