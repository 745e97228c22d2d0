/*
 * notify - tells systemd the state of the service, by sd_notify(3)'s protocol.
 */
#ifndef TERRARIUM_NOTIFY_H
#define TERRARIUM_NOTIFY_H

/* Send STATE ("READY=1", "STOPPING=1", ...) to $NOTIFY_SOCKET, if any. */
void notify_send(const char *state);

#endif
