/*
 * interpreter_arena - Python's small objects before forks: the allocator serves
 * them from arenas, and guests shall find a fresh one.
 */
#ifndef TERRARIUM_INTERPRETER_ARENA_H
#define TERRARIUM_INTERPRETER_ARENA_H

/* Settle small objects, as heap_settle() settles malloc(3)'s memory (heap.h):
 * take all free blocks, for good. The largest blocks use up all free pools, the
 * others the free blocks of pools. Guests allocate from the arena that is made
 * then; they take it with the other pages that they need (prefault.h). Called
 * once, after the last Python code of the process that forks. If memory runs
 * out, blocks stay free, which costs guests page faults. */
void interpreter_arena_settle(void);

#endif
