/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: three threads ask for the same instance */
#include <cassert>
#include <memory>
#include <mutex>
#include <thread>

struct Service {
    int id = 42;
};

static std::once_flag made;
static std::unique_ptr<Service> instance;
static int times;

static Service &service()
{
    std::call_once(made, [] {
        instance = std::make_unique<Service>();
        times++;
    });
    return *instance;
}

int main()
{
    std::thread a([] { assert(service().id == 42); }), b([] { assert(service().id == 42); });
    assert(service().id == 42);
    a.join();
    b.join();
    assert(times == 1);
}
