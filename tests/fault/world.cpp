// SPDX-License-Identifier: GPL-3.0-or-later
#include "world.hpp"

#include <algorithm>

namespace alidade::cluster::test {

using std::chrono::milliseconds;

World::World(VirtualLoop& loop, FakeTransport& transport, std::uint64_t seed, Faults faults)
    : loop_(loop), transport_(transport), random_(seed), faults_(faults) {
    for (int i = 0; i < 30; ++i) change();
    transport_.serve = [this](ExchangePtr exchange) {
        // Now or a little later.
        const auto delay = milliseconds(pick(40));
        auto token = std::make_shared<std::unique_ptr<guard::Timers::Token>>();
        *token = loop_.after(delay, [this, exchange, token] {
            loop_.post([token] { token->reset(); });
            if (exchange->open()) {
                serve(exchange);
            }
        });
    };
    transport_.onRefresh = [this] {
        loggedOut_ = false;
        justLoggedIn_ = true;
        return guard::Result<void>{};
    };
}

std::string World::object(const std::string& name, int version) {
    return R"({"kind":"Pod","metadata":{"name":")" + name + R"(","namespace":"n","uid":"uid-)" + name +
           R"(","resourceVersion":")" + std::to_string(version) +
           R"(","annotations":{"n":"café {[\"]}"}},"spec":{"containers":[{"name":"c"}]},"status":{"phase":"Running"}})";
}

std::string World::status(int code, const char* reason) {
    return R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","reason":")" + std::string(reason) +
           R"(","code":)" + std::to_string(code) + "}";
}

void World::change() {
    ++version_;
    const auto dice = pick(10);
    if (dice < 3 || objects_.empty()) {
        const std::string name = "p" + std::to_string(pick(60));
        const bool isNew = objects_.count(name) == 0;
        objects_[name] = version_;
        history_.push_back({version_, isNew ? "ADDED" : "MODIFIED", name, version_});
        return;
    }
    auto victim = objects_.begin();
    std::advance(victim, pick(objects_.size()));
    if (dice < 8) {
        victim->second = version_;
        history_.push_back({version_, "MODIFIED", victim->first, version_});
    } else {
        history_.push_back({version_, "DELETED", victim->first, version_});
        objects_.erase(victim);
    }
}

void World::serve(const ExchangePtr& exchange) {
    ++requests_;
    if (loggedOut_) {
        exchange->answer(401, status(401, "Unauthorized"));
        return;
    }
    justLoggedIn_ = false;
    if (chance(faults_.refuse)) {
        switch (pick(6)) {
        case 0: exchange->answer(429, status(429, "TooManyRequests")); return;
        case 1: exchange->answer(500, status(500, "InternalError")); return;
        case 2: exchange->answer(503, "service unavailable\n"); return;
        case 3: exchange->answer(200, "<html>proxy</html>"); return;
        case 4: exchange->end(guard::fail(guard::ErrorCode::Unreachable, "test", "refused")); return;
        default: // and then never a byte
            exchange->head(200);
            if (exchange->has("watch=true")) {
                watches_.push_back({exchange, version_, true, true});
            }
            return;
        }
    }
    if (exchange->has("watch=true")) {
        watch(exchange);
    } else {
        list(exchange);
    }
}

/// In pieces that fall anywhere.
void World::send(const ExchangePtr& exchange, std::string bytes) {
    std::string_view rest = bytes;
    while (!rest.empty() && exchange->open()) {
        const std::size_t size = std::min(rest.size(), 1 + pick(pick(4) == 0 ? 5 : 3000));
        exchange->body(rest.substr(0, size));
        rest.remove_prefix(size);
    }
}

void World::list(const ExchangePtr& exchange) {
    Snapshot snapshot{objects_, version_};
    std::string after;
    if (const std::string token = exchange->param("continue"); !token.empty()) {
        const auto known = tokens_.find(token);
        if (known == tokens_.end() || known->second.version < compacted_ || chance(0.1)) {
            ++expired_;
            exchange->answer(410, status(410, "Expired"));
            return;
        }
        snapshot = known->second;
        after = token.substr(token.find('/') + 1);
    }
    const bool whole = exchange->param("resourceVersion") == "0" && faults_.cacheIgnoresLimit != 0;
    const std::size_t limit = whole ? snapshot.objects.size() + 1 : 7; // small pages: many of them
    std::string items;
    std::size_t count = 0;
    auto at = after.empty() ? snapshot.objects.begin() : snapshot.objects.upper_bound(after);
    std::string last;
    for (; at != snapshot.objects.end() && count < limit; ++at, ++count) {
        items += (count > 0 ? "," : "") + object(at->first, at->second);
        last = at->first;
    }
    std::string meta = R"("metadata":{"resourceVersion":")" + std::to_string(snapshot.version) + "\"";
    if (at != snapshot.objects.end()) {
        const std::string token = std::to_string(tokens_.size()) + "/" + last;
        tokens_[token] = snapshot;
        meta += R"(,"continue":")" + token + R"(","remainingItemCount":)" +
                std::to_string(std::distance(at, snapshot.objects.end()));
    }
    meta += "}";
    const bool metaLast = chance(0.3);
    std::string body = R"({"kind":"PodList",)" + (metaLast ? "" : meta + ",") + R"("items":[)" + items + "]" +
                       (metaLast ? "," + meta : "") + "}";
    exchange->head(200);
    if (chance(faults_.truncate)) {
        body.resize(pick(body.size()));
        send(exchange, body);
        if (chance(0.5)) {
            exchange->lose();
        } else {
            exchange->end();
        }
        return;
    }
    send(exchange, body);
    exchange->end();
}

void World::watch(const ExchangePtr& exchange) {
    const bool stream = exchange->param("sendInitialEvents") == "true";
    if (stream && !faults_.watchList) {
        exchange->answer(422, status(422, "Invalid"));
        return;
    }
    Watch watch{exchange, 0, false, true};
    if (stream) {
        exchange->head(200);
        std::string bytes;
        for (const auto& [name, version] : objects_) bytes += R"({"type":"ADDED","object":)" + object(name, version) + "}\n";
        bytes += R"({"type":"BOOKMARK","object":{"kind":"Pod","metadata":{"resourceVersion":")" + std::to_string(version_) +
                 R"(","annotations":{"k8s.io/initial-events-end":"true"}}}})" "\n";
        if (chance(faults_.truncate)) {
            bytes.resize(pick(bytes.size()));
            send(exchange, bytes);
            exchange->lose();
            return;
        }
        watch.sent = version_;
        watches_.push_back(watch);
        send(exchange, bytes);
        return;
    }
    watch.sent = std::atoi(exchange->param("resourceVersion").c_str());
    if (watch.sent < compacted_) {
        ++expired_;
        if (chance(0.5)) {
            exchange->answer(410, status(410, "Gone"));
        } else {
            exchange->answer(200, R"({"type":"ERROR","object":)" + status(410, "Expired") + "}\n");
        }
        return;
    }
    exchange->head(200);
    watches_.push_back(watch);
    pump(watches_.back());
}

void World::pump(Watch& watch) {
    if (!watch.open || watch.silent || !watch.exchange->open()) {
        return;
    }
    const ExchangePtr exchange = watch.exchange;
    std::string bytes;
    for (const Change& change : history_) {
        if (change.version > watch.sent) {
            bytes += std::string(R"({"type":")") + change.type + R"(","object":)" + object(change.name, change.object) +
                     (pick(5) == 0 ? "}\r\n" : "}\n");
        }
    }
    watch.sent = version_;
    if (faults_.bookmarks && chance(0.1)) {
        bytes += R"({"type":"BOOKMARK","object":{"metadata":{"resourceVersion":")" + std::to_string(version_) + "\"}}}\n";
    }
    if (!bytes.empty() && chance(faults_.loss)) {
        bytes.resize(pick(bytes.size())); // the last line is cut
        watch.open = false;
        send(exchange, bytes);
        exchange->lose();
        return;
    }
    send(exchange, bytes);
}

void World::step() {
    const std::size_t changes = pick(4);
    for (std::size_t i = 0; i < changes; ++i) change();
    if (chance(faults_.gone)) {
        compacted_ = version_ - static_cast<int>(pick(5));
        history_.erase(std::remove_if(history_.begin(), history_.end(),
                                      [this](const Change& change) { return change.version <= compacted_; }),
                       history_.end());
    }
    if (chance(faults_.unauthorized) && !justLoggedIn_) {
        loggedOut_ = true; // open streams go on, new requests do not
    }
    for (std::size_t i = 0; i < watches_.size(); ++i) { // what is called may open another
        Watch& watch = watches_[i];
        if (chance(faults_.silence)) {
            watch.silent = true;
        }
        if (watch.open && watch.sent < compacted_ && !watch.silent) {
            watch.open = false; // it fell behind: the server ends it
            const ExchangePtr exchange = watch.exchange;
            ++expired_;
            exchange->body(R"({"type":"ERROR","object":)" + status(410, "Expired") + "}\n");
            exchange->end();
            continue;
        }
        pump(watch);
        if (chance(faults_.loss / 2)) {
            const ExchangePtr exchange = watches_[i].exchange;
            watches_[i].open = false;
            if (chance(0.5)) {
                exchange->lose();
            } else {
                exchange->end(); // as if its time was up
            }
        }
    }
    watches_.erase(std::remove_if(watches_.begin(), watches_.end(),
                                  [](const Watch& watch) { return !watch.open || !watch.exchange->open(); }),
                   watches_.end());
}

void World::calm() {
    faults_ = Faults{0, 0, 0, 0, 0, 0, faults_.watchList, faults_.bookmarks, faults_.cacheIgnoresLimit};
    for (const ExchangePtr& exchange : transport_.seen) {
        const bool served = std::any_of(watches_.begin(), watches_.end(), [&](const Watch& watch) {
            return watch.exchange == exchange && watch.open && !watch.silent;
        });
        if (exchange->open() && !served) {
            exchange->lose();
        }
    }
}

bool World::watchOpen() const {
    return std::any_of(watches_.begin(), watches_.end(),
                       [](const Watch& watch) { return watch.open && watch.exchange->open(); });
}

} // namespace alidade::cluster::test
