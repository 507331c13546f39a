/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* note: one thread alone reads and writes a file, by streams and by calls: no order is in question */
#include <atomic>
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <thread>
#include <unistd.h>

int main()
{
    std::atomic<int> count{0};
    std::thread other([&] { count++; });
    char name[] = "/tmp/plumb_one_thread_XXXXXX", text[3] = "";
    int fd = mkstemp(name), number = 0;
    assert(fd >= 0 && write(fd, "12", 2) == 2);
    assert(lseek(fd, 0, SEEK_SET) == 0 && read(fd, text, 2) == 2 && text[1] == '2');
    close(fd);
    std::ofstream(name) << 34;
    std::ifstream(name) >> number;
    assert(number == 34);
    remove(name);
    count++;
    other.join();
    assert(count == 2);
}
