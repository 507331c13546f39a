/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* join leaves the object empty. */
#include <thread>

static std::thread worker;

int main()
{
    worker = std::thread([] {});
    std::thread other([] { worker.join(); });
    bool busy = worker.joinable();
    other.join();
    return busy && worker.joinable();
}
