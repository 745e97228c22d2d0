/*
 * snekbox - the door of Python Discord's evaluator: arguments of python3 in,
 * one text of output, an exit code and files out.
 */
#ifndef TERRARIUM_SNEKBOX_H
#define TERRARIUM_SNEKBOX_H

#include "fcgi/api/door.h"

extern const struct door snekbox_door;

#endif
