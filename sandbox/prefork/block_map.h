/*
 * ledger - which block of memory an address is in.
 *
 * Blocks are as Python's allocators give them: at multiples of 16 bytes. What
 * is kept of a block is where it begins, and a number of its owner's. All of
 * it is a quarter of a gigabyte of address space, of which as much is memory
 * as is used.
 */
#ifndef TERRARIUM_LEDGER_H
#define TERRARIUM_LEDGER_H

#include "sandbox/base/base.h"

#define LEDGER_PAGE 4096u
#define LEDGER_PAGES (1u << 18) /* that it has room for: 1 GB */
#define LEDGER_LARGEST 4096u /* of a larger block only its first bytes are
			      * found to be in it */

struct ledger;

/* 0, or a negative errno value. Release with ledger_close(). */
int ledger_open(struct ledger **out);
void ledger_close(struct ledger **ledger);

/* The block NUMBER (not 0) begins at AT. What has no room in the ledger is
 * left out. */
void ledger_note(struct ledger *ledger, const void *at, uint32_t number);

/* The block at AT is no more. */
void ledger_forget(struct ledger *ledger, const void *at);

/* The block that begins at AT or next before; 0: none near. Sets OFFSET to the
 * bytes between. */
uint32_t ledger_find(const struct ledger *ledger, uintptr_t at,
		     size_t *offset);

/* A page that has, or had, blocks: its place in the ledger, from 0 on, or -1;
 * and back, 0 behind the last. */
int ledger_place(const struct ledger *ledger, uintptr_t at);
uintptr_t ledger_page(const struct ledger *ledger, int place);

/* Whether a block begins in the page at PLACE. */
bool ledger_used(const struct ledger *ledger, int place);

#endif
