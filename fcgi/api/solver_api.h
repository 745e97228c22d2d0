/*
 * solver_api - the doors of solver pipelines. POST /api/ai/python-execute runs
 * a program on an input and judges its result file. python-syntax-check and
 * python-ast-check compile or parse a program in a guest, without running it.
 * The jobs and the results themselves are in sandbox/solver/.
 */
#ifndef TERRARIUM_SOLVER_API_H
#define TERRARIUM_SOLVER_API_H

#include "door.h"
#include "sandbox/text/fields.h"

extern const struct door solver_api_execute_door;
extern const struct door solver_api_syntax_door;
extern const struct door solver_api_ast_door;

/* For the description of the API. */
extern const struct fields solver_api_door_fields[JOB_TASKS];

#endif
