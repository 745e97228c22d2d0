/*
 * rehearse - a request of our own, as the web server would send it, for a trial
 * run.
 */
#ifndef TERRARIUM_REHEARSE_H
#define TERRARIUM_REHEARSE_H

/* Make a connection with a request for a small run. ENDS[0] is the server's
 * end; ENDS[1] is the web server's, with room for a short answer. 0 or a
 * negative errno value. */
int rehearse_request(int ends[2]);

#endif
