/*
 * sandboxes - the registry's sessions that are sandboxes: each has a note, an
 * idle limit of its own, and ends as a whole. Their branches, the contexts,
 * have the sandbox's name, a slash and their own.
 */
#ifndef TERRARIUM_SANDBOXES_H
#define TERRARIUM_SANDBOXES_H

#include "registry.h"

/* The idle limit of a sandbox that asks for SECONDS; 0: the most. */
unsigned sandboxes_idle_s(const struct registry *registry, unsigned seconds);

/* Serve an order (session_order.h), and answer it on CHANNEL. Each returns
 * -1: it was not refused. */
int sandboxes_look(struct registry *registry,
		   const struct session_order *order, int channel);
int sandboxes_next(struct registry *registry,
		   const struct session_order *order, int channel);
int sandboxes_member(struct registry *registry,
		     const struct session_order *order, int channel);
int sandboxes_use(struct registry *registry,
		  const struct session_order *order, int channel);

/* The member for the branch of REF that ORDER asks for, or -1. A sandbox keeps
 * one more than others, its beginning, and has one free so that HAD can be
 * replaced. */
int sandboxes_branch(const struct registry *registry,
		     const struct session_order *order, struct session_ref ref,
		     struct session_ref had);

/* End sandboxes of which only branches are left. */
void sandboxes_end_headless(struct registry *registry);

#endif
