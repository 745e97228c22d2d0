/*
 * solver_api - the doors of solver pipelines: POST /api/ai/python-execute runs
 * a program on an input and judges what it wrote; python-syntax-check and
 * python-ast-check look at a program, in a guest, and do not run it. What is
 * asked and what is made of it is in sandbox/solver/.
 */
#ifndef TERRARIUM_JOB_DOOR_H
#define TERRARIUM_JOB_DOOR_H

#include "door.h"

extern const struct door job_execute_door;
extern const struct door job_syntax_door;
extern const struct door job_ast_door;

#endif
