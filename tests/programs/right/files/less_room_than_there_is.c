/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
/* all: inconclusive */
/* note: functions return the size of what would have fitted into more room */
#include <assert.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int main(void)
{
    char small[2], answer[4];
    struct sockaddr short_name;
    struct sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = "\0plumb-less-room-than-there-is"};
    int from = socket(AF_UNIX, SOCK_DGRAM, 0), to[2];
    socklen_t length = sizeof name, room = sizeof short_name;
    assert(from >= 0 && socketpair(AF_UNIX, SOCK_DGRAM, 0, to) == 0);
    assert(bind(from, (struct sockaddr *)&name, length) == 0);
    assert(write(to[0], "12345", 5) == 5 && recv(to[1], small, sizeof small, MSG_TRUNC) == 5);
    int other = socket(AF_UNIX, SOCK_DGRAM, 0);
    struct sockaddr_un there = {.sun_family = AF_UNIX};
    length = sizeof there;
    assert(bind(other, (struct sockaddr *)&there, sizeof there.sun_family) == 0);
    assert(getsockname(other, (struct sockaddr *)&there, &length) == 0);
    assert(sendto(from, "1", 1, 0, (struct sockaddr *)&there, length) == 1);
    assert(recvfrom(other, answer, sizeof answer, 0, &short_name, &room) == 1);
    assert(room > sizeof short_name);
    return 0;
}
