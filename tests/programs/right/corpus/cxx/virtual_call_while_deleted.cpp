/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <thread>

struct shape {
    virtual ~shape() = default;
    virtual int area()
    {
        return 0;
    }
};
struct square : shape {
    int area() override
    {
        return 4;
    }
};
int seen;

int main()
{
    shape *s = new square;
    std::thread t([s] { seen = s->area(); });
    t.join();
    delete s;
}
