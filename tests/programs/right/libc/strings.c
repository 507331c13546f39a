/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* races: inconclusive */
#include <assert.h>
#include <ctype.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void *chop(void *arg)
{
    char *copy = strdup(arg), *rest = NULL;
    int sum = 0;
    for (char *word = strtok_r(copy, " ,", &rest); word; word = strtok_r(NULL, " ,", &rest))
        sum += isdigit((unsigned char)*word) ? (int)strtol(word, NULL, 10) : (int)strlen(word);
    assert(sum == 18);
    char *prefix = strndup(arg, 5);
    assert(strcmp(prefix, "alpha") == 0 && strchr(arg, ',') && !memchr(arg, 'z', 5));
    strcpy(copy, "left");
    strncat(copy, "right", 2);
    assert(strcmp(copy, "leftri") == 0);
    free(prefix);
    free(copy);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, chop, "alpha, 10 xyz");
    chop("alpha, 10 xyz");
    pthread_join(t, NULL);
    return 0;
}
