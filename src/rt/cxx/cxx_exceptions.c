/* SPDX-License-Identifier: Apache-2.0 */
/* Exceptions that several threads refer to (std::exception_ptr). The C++ library counts references atomically, where
 * it is not seen: who drops the last one destroys the exception, after all that the others did with it. Each drop is
 * therefore an update of a word of ours beside the library's count. */
#include "rt/calls/calls.h"
#include "rt/cxx/watched_memory.h"

/* As libstdc++ has it before the exception itself, by the ABI's layout. `drops` and `is_shared` lie in a hole. */
struct exception_head {
    int references;
    uint32_t drops;
    uint32_t is_shared; /* an exception_ptr was seen */
    uint32_t hole;
    void *type; /* from here on: struct __cxa_exception */
    void *destructor, *unexpected, *terminate;
    void *next;
    int handlers;
    int handler_switch;
    void *action, *language_data, *catch_temporary, *adjusted;
    uint64_t exception_class;
    uint64_t unwinder[3];
};

_Static_assert(sizeof(struct exception_head) == 128, "as libstdc++ has it");

static struct exception_head *head_of(void *exception)
{
    return (struct exception_head *)exception - 1;
}

EXPORT void *__cxa_allocate_exception(size_t size)
{
    if (calls_are_quiet())
        calls_refuse_code("throws an exception");
    void *exception = NEXT(__cxa_allocate_exception)(size);
    struct exception_head *head = head_of(exception);
    watched_access(&head->drops, sizeof head->drops, true, CALLER);
    head->drops = head->is_shared = 0;
    return exception;
}

/* One that no other thread has ever had is its thread's own. */
static void drop(void *exception, const void *pc)
{
    struct exception_head *head = head_of(exception);
    if (engine_active && (head->is_shared || head->references > 1))
        watched_drop(&head->drops, pc);
}

EXPORT void _ZNSt15__exception_ptr13exception_ptr10_M_releaseEv(void **pointer)
{
    if (*pointer) {
        head_of(*pointer)->is_shared = 1;
        drop(*pointer, CALLER);
    }
    NEXT(_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv)(pointer);
}

/* The exception of a handler that ends; null: none, or it is still needed, or not of C++. A rethrown one has a head of
 * its own, with the exception where others have their type. */
static void *ending_exception(char *caught)
{
    enum { DEPENDENT = 1 };
    static const uint64_t gnu_cxx = 0x474e5543432b2b00; /* "GNUCC++", 0 */
    struct exception_head *head = (void *)(caught - offsetof(struct exception_head, type));
    if (!caught || (head->exception_class & ~(uint64_t)DEPENDENT) != gnu_cxx || head->handlers != 1)
        return NULL;
    return head->exception_class == gnu_cxx ? (void *)(head + 1) : head->type;
}

char **__cxa_get_globals(void) __attribute__((weak));
EXPORT void __cxa_end_catch(void)
{
    void *exception = engine_active ? ending_exception(*__cxa_get_globals()) : NULL;
    if (exception)
        drop(exception, CALLER);
    NEXT(__cxa_end_catch)();
}
