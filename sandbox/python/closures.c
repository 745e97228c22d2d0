/*
 * closures - callbacks from C into Python, without memory that is both writable
 * and executable.
 *
 * A callback (ctypes.CFUNCTYPE) needs an address to call that stands for its
 * data. libffi writes code for that into memory, which no guest may do. It can
 * have a table of ready-made code instead, but Debian builds it without. So
 * this program exports three of libffi's functions, which the loader prefers to
 * the library's, and has such a table in its own text. An entry loads the
 * address of its slot into the register where Go keeps a closure's, and jumps
 * as a call from Go does. libffi serves these without executable memory
 * (ffi_prep_go_closure).
 *
 * Only x86-64 has the table. Elsewhere the library's functions are called, and
 * fail in guests.
 */
#include <dlfcn.h>
#include <ffi.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sandbox/base/base.h"

#if defined(__x86_64__) && !defined(__ILP32__)
#define CLOSURES_LIBRARY "libffi.so.8"
#define CLOSURES_MAX 4096
#define CLOSURES_CODE 16  /* bytes of an entry's code */

#define TO_TEXT_OF(number) #number
#define TO_TEXT(number) TO_TEXT_OF(number)

/* The assembler's text has its size, 32. */
struct closures_slot {
	ffi_go_closure go;
	_Atomic(ffi_closure *) closure; /* NULL: free */
};

_Static_assert(sizeof(struct closures_slot) == 32, "closures_code has 32");

__attribute__((used)) static struct closures_slot closures_slots[CLOSURES_MAX];

/* Entry i: r10 = &closures_slots[i]; jump to its first member, go.tramp. */
__asm__(".pushsection .text\n"
	".balign 64\n"
	"closures_code:\n"
	".set closures_at, 0\n"
	".rept " TO_TEXT(CLOSURES_MAX) "\n"
	"endbr64\n"
	"leaq closures_slots+closures_at(%rip), %r10\n"
	"jmp *(%r10)\n"
	".balign 16\n"
	".set closures_at, closures_at + 32\n"
	".endr\n"
	".popsection\n");
extern const char closures_code[];

/* The slot of a closure's code; NULL if the code is not of the table. */
static struct closures_slot *closures_slot_of(const void *code)
{
	uintptr_t at = (uintptr_t)code - (uintptr_t)closures_code;

	return at < CLOSURES_MAX * CLOSURES_CODE
		       ? &closures_slots[at / CLOSURES_CODE]
		       : NULL;
}

/* The first free slot, taken for CLOSURE. NULL: there is none. Without a lock,
 * which a thread could hold when a session's guest is copied. */
static struct closures_slot *closures_take(ffi_closure *closure)
{
	for (size_t i = 0; i < CLOSURES_MAX; i++) {
		ffi_closure *none = NULL;

		if (atomic_compare_exchange_strong(&closures_slots[i].closure,
						   &none, closure))
			return &closures_slots[i];
	}
	return NULL;
}

/* A callback is called: its slot is passed where Go passes a closure. */
static void closures_call(ffi_cif *cif, void *result, void **words, void *at)
{
	const struct closures_slot *slot = at;
	ffi_closure *closure = atomic_load(&slot->closure);

	closure->fun(cif, result, words, closure->user_data);
}

/* Python raises a MemoryError without a word. */
static void closures_tell(void)
{
	static const char words[] =
		TO_TEXT(CLOSURES_MAX) " callbacks from C are in use; there can "
				      "be no more at once.\n";
	static atomic_flag told = ATOMIC_FLAG_INIT;

	if (!atomic_flag_test_and_set(&told) &&
	    write(STDERR_FILENO, words, sizeof(words) - 1) < 0)
		return;
}

/* A caller may ask for more than a closure, and keep its own data behind it. */
void *ffi_closure_alloc(size_t size, void **code)
{
	ffi_closure *closure =
		calloc(1, size < sizeof(*closure) ? sizeof(*closure) : size);
	struct closures_slot *slot = closure ? closures_take(closure) : NULL;

	if (!slot) {
		closures_tell();
		free(closure);
		return NULL;
	}
	ptrdiff_t number = slot - closures_slots;

	/* The library would keep code here. */
	memcpy(closure->tramp, &number, sizeof(number));
	*code = (char *)(uintptr_t)closures_code + CLOSURES_CODE * number;
	return closure;
}

void ffi_closure_free(void *at)
{
	ptrdiff_t number;

	memcpy(&number, at, sizeof(number));
	atomic_store(&closures_slots[number].closure, NULL);
	free(at);
}

/* The library's function NAME; NULL if it has none. */
static void *closures_function(const char *name)
{
	/* It is loaded, because its user has called us; this finds it. */
	void *library = dlopen(CLOSURES_LIBRARY, RTLD_LAZY);

	return library ? dlsym(library, name) : NULL;
}

typedef ffi_status closures_prepare_go(ffi_go_closure *, ffi_cif *,
				       void (*)(ffi_cif *, void *, void **,
						void *));
typedef ffi_status closures_prepare(ffi_closure *, ffi_cif *,
				    void (*)(ffi_cif *, void *, void **,
					     void *),
				    void *, void *);

ffi_status ffi_prep_closure_loc(ffi_closure *closure, ffi_cif *cif,
				void (*call)(ffi_cif *, void *, void **,
					     void *),
				void *data, void *code)
{
	struct closures_slot *slot = closures_slot_of(code);

	if (!slot) { /* memory that the caller has made executable */
		closures_prepare *prepare =
			closures_function("ffi_prep_closure_loc");

		return prepare ? prepare(closure, cif, call, data, code)
			       : FFI_BAD_ABI;
	}
	closures_prepare_go *prepare =
		closures_function("ffi_prep_go_closure");

	closure->cif = cif;
	closure->fun = call;
	closure->user_data = data;
	return prepare ? prepare(&slot->go, cif, closures_call) : FFI_BAD_ABI;
}
#endif
