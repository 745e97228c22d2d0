/*
 * watch_frames - the frames of a guest's result pipe (wire.h): each type has a
 * handler, which fills in the outcome or passes the frame on.
 */
#ifndef TERRARIUM_WATCH_FRAMES_H
#define TERRARIUM_WATCH_FRAMES_H

#include "watch_state.h"

/* Read all frames that WATCH's result pipe holds, up to the end frame, without
 * waiting. When the guest has closed the pipe, it is not polled any more.
 * Errors are concluded (watch_finish(), watch_fail()). */
void watch_frames_read(struct watch *watch);

#endif
