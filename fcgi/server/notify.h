/*
 * notify - tells a service manager the state of the service, by the protocol of
 * sd_notify(3).
 */
#ifndef TERRARIUM_NOTIFY_H
#define TERRARIUM_NOTIFY_H

#include "sandbox/base/base.h"

#define NOTIFY_ERROR_MAX 240

/*
 * Take NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID from the environment, so
 * that no later process has them. Without them the other functions do nothing.
 * Returns 0, or -EINVAL with a sentence in ERROR for a value that no service
 * manager sets.
 */
int notify_init(char error[NOTIFY_ERROR_MAX]);

/* Put the variables back into the environment, for a program that this process
 * executes in place of the present one. 0 or a negative errno value. */
int notify_hand_over(void);

/* No program was executed: remove them again. */
void notify_take_back(void);

/* Send STATE: "READY=1", "STOPPING=1", ... */
void notify_send(const char *state);

/* Send a sentence for people (STATUS=). It may hold any bytes. */
void notify_status(const char *fmt, ...) PRINTF_LIKE(1, 2);

/* A reload begins. READY=1 ends it. */
void notify_reloading(void);

/* A stop begins, which may take STOP_S seconds. */
void notify_stopping(unsigned stop_s);

/* Report that the process goes on, if half of the watchdog's time is over. To
 * be called at least five times a second. */
void notify_alive(void);

#endif
