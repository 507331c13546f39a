/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: memory that the library allocated is freed by the program */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *work(void *arg)
{
    char *text = NULL, *memory = NULL;
    size_t size = 0;
    assert(asprintf(&text, "value %d", *(int *)arg) == 7);
    FILE *f = open_memstream(&memory, &size);
    fprintf(f, "<%s>", text);
    fclose(f);
    assert(size == 9 && strcmp(memory, *(int *)arg == 1 ? "<value 1>" : "<value 2>") == 0);
    free(memory);
    free(text);
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
