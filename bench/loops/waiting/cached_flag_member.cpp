/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: the copy is a member of the client, two clients wait for one server */
#include <atomic>
#include <cassert>
#include <thread>

struct server {
    std::atomic<int> state{0};
    int port = 0;

    void start()
    {
        port = 8080;
        state.store(1, std::memory_order_release);
    }
};

class client
{
  public:
    explicit client(server &s) : peer(s)
    {
    }

    int connect()
    {
        while (known_state == 0)
            known_state = peer.state.load(std::memory_order_acquire);
        return peer.port;
    }

  private:
    server &peer;
    int known_state = 0;
};

int main()
{
    server s;
    auto use = [&s] {
        client c(s);
        assert(c.connect() == 8080);
        assert(c.connect() == 8080);
    };
    std::thread one(use), two(use);
    s.start();
    one.join();
    two.join();
}
