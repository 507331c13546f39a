# 1 "preprocessed.c"
# 1 "<built-in>"
# 1 "preprocessed.c"
# 1 "/usr/include/pthread.h" 1 3 4
typedef unsigned long int pthread_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
# 2 "preprocessed.c" 2
extern void abort(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
void reach_error(void) { abort(); }
int count;

void *add(void *unused)
{
    __VERIFIER_atomic_begin();
    count++;
    __VERIFIER_atomic_end();
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    if (count != 2)
        reach_error();
    return 0;
}
