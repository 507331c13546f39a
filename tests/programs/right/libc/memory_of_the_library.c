/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* named: not examined: libc.so.6: freeaddrinfo, setenv, setlocale, setvbuf */
/* note: what these functions free or may replace, and buffers of streams, are not followed */
#include <locale.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    static char buffer[64];
    struct addrinfo hints = {.ai_flags = AI_NUMERICHOST}, *list;
    setvbuf(stdin, buffer, _IOFBF, sizeof buffer);
    setlocale(LC_ALL, "C");
    const char *path = getenv("PATH");
    setenv("PLUMB_EXAMPLE", "1", 1);
    if (getaddrinfo("127.0.0.1", NULL, &hints, &list) == 0)
        freeaddrinfo(list);
    return path && !*path;
}
