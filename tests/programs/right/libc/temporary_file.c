/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* runs: 200 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static void *work(void *arg)
{
    char line[32];
    FILE *f = tmpfile();
    if (!f)
        return NULL;
    fprintf(f, "%d\n", *(int *)arg);
    rewind(f);
    assert(fgets(line, sizeof line, f) && line[0] == '0' + *(int *)arg);
    fclose(f);
    return NULL;
}

int main(void)
{
    pthread_t t;
    int one = 1, two = 2;
    pthread_create(&t, NULL, work, &one);
    work(&two);
    pthread_join(t, NULL);
    return 0;
}
