/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <mutex>
#include <optional>
#include <string>
#include <thread>

static std::mutex lock;
std::optional<std::string> name("ann");
size_t seen;

static void one()
{
    std::lock_guard<std::mutex> guard(lock);
    name.reset();
}

static void two()
{
    std::lock_guard<std::mutex> guard(lock);
    seen = name ? name->size() : 0;
}

int main()
{
    std::thread a(one), b(two);
    a.join();
    b.join();
}
