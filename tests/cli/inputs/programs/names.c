/* One access for each way in which memory gets a name; the case `names` has what is printed. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

struct node {
    long value;
    _Atomic(struct node *) next;
};
struct item {
    int weight;
    atomic_int count;
    int more[2];
};
struct tagged {
    struct node *top;
    unsigned long tag;
};
struct queue {
    _Atomic(struct node *) head, tail;
};
union word {
    _Atomic uint64_t whole;
    struct {
        _Atomic uint32_t low, high;
    } half;
};
struct handlers {
    void (*_Atomic done)(int);
};

_Atomic(struct node *) top;
_Atomic struct tagged head;
atomic_uintptr_t marked;
_Atomic(struct node *) packed;
union word word, word2;
struct handlers handlers;
_Thread_local atomic_int mine;

static void finish(int n)
{
    (void)n;
}
static inline void set(atomic_int *flag)
{
    int before = atomic_load(flag);
    atomic_store(flag, before + 1);
}
static inline int twice(int n)
{
    atomic_int sum;
    atomic_init(&sum, n);
    atomic_fetch_add(&sum, n);
    return sum;
}
static void *fresh(size_t size)
{
    return malloc(size);
}

static void heap_rows(void)
{
    struct node *n = malloc(sizeof *n);
    atomic_store(&n->next, NULL);
    atomic_store(&top, malloc(sizeof(struct node)));
    atomic_store(&atomic_load(&top)->next, n);
    atomic_store(&marked, (uintptr_t)n + 1);
    atomic_store(&packed, (struct node *)((uintptr_t)n | (uintptr_t)5 << 48));
    struct tagged old = {n, 3};
    atomic_store(&head, old);
    struct node *wrapped = fresh(sizeof *wrapped);
    atomic_store(&wrapped->next, n);
    struct item *items = calloc(3, sizeof *items);
    atomic_store(&items[2].count, 3);
    atomic_int *flags = malloc(4 * sizeof *flags);
    atomic_init(&flags[2], 1);
    atomic_store(&flags[2], 2);
    free(flags);
    free(items);
    free(n);
    struct item *other = malloc(sizeof(struct item));
    atomic_store(&other->count, 1);
    atomic_store(&top, (struct node *)8);
    atomic_store(&top, (struct node *)0xa5a5a5a5a5a5a5a5);
}

static void *worker(void *arg)
{
    set(arg);
    return arg;
}

static void stack_rows(void)
{
    atomic_int local = 0;
    struct queue q = {0};
    pthread_t thread;
    pthread_create(&thread, NULL, worker, &local);
    pthread_join(thread, NULL);
    atomic_store(&q.tail, (struct node *)&q);
    twice(2);
}

static void array_rows(int n)
{
    atomic_int slots[n];
    atomic_int grid[n][n + 1];
    pthread_t thread;
    atomic_init(&slots[2], 0);
    pthread_create(&thread, NULL, worker, &slots[2]);
    pthread_join(thread, NULL);
    atomic_store(&grid[n - 2][3], 2);
    atomic_store(&grid[0][n], 3);
}

static struct {
    struct item *early;
} table;

__attribute__((constructor)) static void begin(void)
{
    table.early = calloc(2, sizeof *table.early);
}

int main(int argc, char **argv)
{
    (void)argv;
    heap_rows();
    stack_rows();
    array_rows(argc + 2);
    atomic_store(&word.whole, 1);
    word2.half.high = 2;
    atomic_store(&handlers.done, finish);
    atomic_store(&mine, 1);
    atomic_store(&table.early[1].count, 7);
    assert(0);
}
