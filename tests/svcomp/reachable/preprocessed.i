# 1 "preprocessed.c"
# 1 "/usr/include/pthread.h" 1 3 4
typedef unsigned long int pthread_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern void __assert_fail(const char *, const char *, unsigned int, const char *) __attribute__((__noreturn__));
# 2 "preprocessed.c" 2
void reach_error(void) { __assert_fail("0", "preprocessed.c", 3, "reach_error"); }
int count;

void *add(void *unused)
{
    int old = count;
    count = old + 1;
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
