/* SPDX-License-Identifier: Apache-2.0 */
/* The reader-writer spin lock of the Linux kernel: one counter, from which a reader takes 1 and a writer a bias that is bigger than all
 * readers together. Who has taken too much gives it back.
 *
 *   (none)       two threads read and write under the lock; one waits for it, the other tries
 *   -DTRY        the lock is held when two threads try to write; it is released meanwhile
 *   -DSTRICT     a specification in which write_trylock never fails when the lock is free. With -DTRY it is violated: who
 *                has taken the bias, and not yet given it back, makes another fail although the lock was released.
 *   -DEXTENDED   a third thread tries to write
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { BIAS = 0x100000 };

struct rwlock {
    atomic_int left; /* BIAS: free */
};

/** @Structure_Define:
    @DeclareVar: bool writing; int readers;
    @InitVar: writing = false; readers = 0;
    @Happens_Before:
        Read_Unlock->Write_Lock Read_Unlock->Write_Trylock(locked)
        Write_Unlock->Read_Lock Write_Unlock->Read_Trylock(locked)
        Write_Unlock->Write_Lock Write_Unlock->Write_Trylock(locked) */

/** @Interface: Read_Lock
    @Ordering_Point_Set: Read_Lock_Point
    @PreCondition: !writing
    @SideEffect: readers++; */
static void read_lock(struct rwlock *l)
{
    int left = atomic_fetch_sub_explicit(&l->left, 1, memory_order_acquire);
    /** @Ordering_Point_Label_Check: left > 0
        @Label: Read_Lock_Point */
    while (left <= 0) {
        atomic_fetch_add_explicit(&l->left, 1, memory_order_relaxed);
        while (atomic_load_explicit(&l->left, memory_order_relaxed) <= 0)
            ;
        left = atomic_fetch_sub_explicit(&l->left, 1, memory_order_acquire);
        /** @Ordering_Point_Label_Check: left > 0
            @Label: Read_Lock_Point */
    }
}

/** @Interface: Write_Lock
    @Ordering_Point_Set: Write_Lock_Point
    @PreCondition: !writing && readers == 0
    @SideEffect: writing = true; */
static void write_lock(struct rwlock *l)
{
    int left = atomic_fetch_sub_explicit(&l->left, BIAS, memory_order_acquire);
    /** @Ordering_Point_Label_Check: left == BIAS
        @Label: Write_Lock_Point */
    while (left != BIAS) {
        atomic_fetch_add_explicit(&l->left, BIAS, memory_order_relaxed);
        while (atomic_load_explicit(&l->left, memory_order_relaxed) != BIAS)
            ;
        left = atomic_fetch_sub_explicit(&l->left, BIAS, memory_order_acquire);
        /** @Ordering_Point_Label_Check: left == BIAS
            @Label: Write_Lock_Point */
    }
}

/** @Interface: Read_Trylock
    @Ordering_Point_Set: Read_Trylock_Point
    @HB_Condition: locked :: __RET__
    @PreCondition: !__RET__ || !writing
    @SideEffect: if (__RET__) readers++; */
static bool read_trylock(struct rwlock *l)
{
    int left = atomic_fetch_sub_explicit(&l->left, 1, memory_order_acquire);
    /** @Ordering_Point_Label_Check: true
        @Label: Read_Trylock_Point */
    if (left > 0)
        return true;
    atomic_fetch_add_explicit(&l->left, 1, memory_order_relaxed);
    return false;
}

#ifndef STRICT
/** @Interface: Write_Trylock
    @Ordering_Point_Set: Write_Trylock_Point
    @HB_Condition: locked :: __RET__
    @PreCondition: !__RET__ || (!writing && readers == 0)
    @SideEffect: if (__RET__) writing = true; */
#else
/** @Interface: Write_Trylock
    @Ordering_Point_Set: Write_Trylock_Point
    @HB_Condition: locked :: __RET__
    @PreCondition: __RET__ == (!writing && readers == 0)
    @SideEffect: if (__RET__) writing = true; */
#endif
static bool write_trylock(struct rwlock *l)
{
    int left = atomic_fetch_sub_explicit(&l->left, BIAS, memory_order_acquire);
    /** @Ordering_Point_Label_Check: true
        @Label: Write_Trylock_Point */
    if (left == BIAS)
        return true;
    atomic_fetch_add_explicit(&l->left, BIAS, memory_order_relaxed);
    return false;
}

/** @Interface: Read_Unlock
    @Ordering_Point_Set: Read_Unlock_Point
    @PreCondition: readers > 0
    @SideEffect: readers--; */
static void read_unlock(struct rwlock *l)
{
    atomic_fetch_add_explicit(&l->left, 1, memory_order_release);
    /** @Ordering_Point_Label_Check: true
        @Label: Read_Unlock_Point */
}

/** @Interface: Write_Unlock
    @Ordering_Point_Set: Write_Unlock_Point
    @PreCondition: writing
    @SideEffect: writing = false; */
static void write_unlock(struct rwlock *l)
{
    atomic_fetch_add_explicit(&l->left, BIAS, memory_order_release);
    /** @Ordering_Point_Label_Check: true
        @Label: Write_Unlock_Point */
}

static struct rwlock lock = {BIAS};
static atomic_int shared;

static void get(void)
{
    atomic_load_explicit(&shared, memory_order_relaxed);
}

static void put(int value)
{
    atomic_store_explicit(&shared, value, memory_order_relaxed);
}

static void *read_then_write(void *arg)
{
    read_lock(&lock);
    get();
    read_unlock(&lock);
    write_lock(&lock);
    put(1);
    write_unlock(&lock);
    return arg;
}

static void *try_both(void *arg)
{
    if (read_trylock(&lock)) {
        get();
        read_unlock(&lock);
    }
    if (write_trylock(&lock)) {
        put(2);
        write_unlock(&lock);
    }
    return arg;
}

static void *try_to_write(void *arg)
{
    if (write_trylock(&lock)) {
        put(3);
        write_unlock(&lock);
    }
    return arg;
}

int main(void)
{
    pthread_t one, two;
#if defined TRY
    write_lock(&lock);
    pthread_create(&one, NULL, try_to_write, NULL);
    pthread_create(&two, NULL, try_to_write, NULL);
    put(1);
    write_unlock(&lock);
#elif defined EXTENDED
    pthread_create(&one, NULL, read_then_write, NULL);
    pthread_create(&two, NULL, try_both, NULL);
    try_to_write(NULL);
#else
    pthread_create(&one, NULL, read_then_write, NULL);
    pthread_create(&two, NULL, try_both, NULL);
#endif
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    (void)read_then_write, (void)try_both, (void)try_to_write;
    return 0;
}
