// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A model of an API server's list and watch over the virtual transport, with a dice of faults.
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "virtual_loop.hpp"

namespace alidade::cluster::test {

class World {
public:
    struct Faults {
        double loss = 0.02;       ///< an open watch breaks, per step
        double silence = 0.003;   ///< an open watch goes silent for good, per step
        double refuse = 0.05;     ///< a request is answered with 429, 500, 503 or nothing at all
        double gone = 0.02;       ///< history is compacted, per step
        double truncate = 0.05;   ///< a list ends early, per page
        double unauthorized = 0.01;
        bool watchList = false;   ///< streamed lists are served
        bool bookmarks = true;
        std::size_t cacheIgnoresLimit = 1; ///< resourceVersion=0 answers in one body
    };
    World(VirtualLoop& loop, FakeTransport& transport, std::uint64_t seed, Faults faults);

    /// One change of the world and, by the dice, one fault. Then the watches hear of it.
    void step();
    /// No more faults: what is silent breaks, what is asked is answered.
    void calm();
    /// name -> resourceVersion, as the server has it.
    [[nodiscard]] const std::map<std::string, int>& objects() const { return objects_; }
    [[nodiscard]] bool watchOpen() const;
    [[nodiscard]] std::size_t requests() const { return requests_; }
    [[nodiscard]] std::size_t expired() const { return expired_; }

private:
    struct Change {
        int version;
        const char* type;
        std::string name;
        int object; ///< the object's own version
    };
    struct Watch {
        ExchangePtr exchange;
        int sent = 0;
        bool silent = false;
        bool open = false;
    };
    struct Snapshot {
        std::map<std::string, int> objects;
        int version;
    };
    void serve(const ExchangePtr& exchange);
    void list(const ExchangePtr& exchange);
    void watch(const ExchangePtr& exchange);
    void pump(Watch& watch);
    void send(const ExchangePtr& exchange, std::string bytes);
    void change();
    [[nodiscard]] bool chance(double p) { return std::uniform_real_distribution<>(0, 1)(random_) < p; }
    [[nodiscard]] std::size_t pick(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_); }
    static std::string object(const std::string& name, int version);
    static std::string status(int code, const char* reason);

    VirtualLoop& loop_;
    FakeTransport& transport_;
    std::mt19937_64 random_;
    Faults faults_;
    std::map<std::string, int> objects_;
    std::vector<Change> history_;
    int compacted_ = 0;
    int version_ = 1;
    std::map<std::string, Snapshot> tokens_;
    std::vector<Watch> watches_;
    std::size_t requests_ = 0;
    std::size_t expired_ = 0;
    bool loggedOut_ = false;
    bool justLoggedIn_ = false; // two refusals in a row, with a refresh between them, mean a person has to log in
};

} // namespace alidade::cluster::test
