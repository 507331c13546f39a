/* SPDX-License-Identifier: Apache-2.0 */
#include <atomic>
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>

static std::atomic<int> room;

struct closed : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct own : std::exception {
    const char *what() const noexcept override
    {
#ifdef CRASHES
        return (const char *)8;
#else
        return "my own words";
#endif
    }
};

static void enter()
{
    if (room.load() == 1)
#ifdef OWN
        throw own();
#else
        throw closed("room " + std::to_string(room.load()) + " is closed");
#endif
}

int main()
{
    std::thread t(enter);
    room = 1;
    t.join();
}
