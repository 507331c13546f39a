/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race|use-after-free */
/* mode: all */
/* note: an optional is looked at while another thread resets it */
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
    seen = name ? name->size() : 0;
}

int main()
{
    std::thread a(one), b(two);
    a.join();
    b.join();
}
