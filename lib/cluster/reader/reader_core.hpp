// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: one JSON answer, one list, one review: what every read is made of. A refused credential is renewed
// once. What it must not know: what the objects mean. Thread: the I/O thread; each callback comes there, from a turn of
// the loop of its own.
#pragma once

#include "alidade/cluster/transport.hpp"
#include "alidade/cluster_model/session.hpp"
#include "alidade/guard/clock.hpp"
#include "alidade/http/io_thread.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace alidade::cluster {

using JsonDone = std::function<void(Result<nlohmann::json>)>;
using Objects = std::vector<nlohmann::json>;
using ObjectsDone = std::function<void(Result<Answer<Objects>>)>;

/// Pages of one list until `limit`.
struct ListQuery {
    KindId kind;
    ListScope scope;
    std::size_t limit = 500;
    bool metadataOnly = false;
    bool checkNamespace = true; ///< an empty answer of a namespace that is not there is NotFound
};

class ReaderCore : public std::enable_shared_from_this<ReaderCore> {
public:
    ReaderCore(std::shared_ptr<Transport> transport, std::shared_ptr<const guard::Clock> clock);

    void fetch(http::Request request, std::function<void(Result<http::Response>)> done);
    void getJson(std::string target, JsonDone done, std::string accept = {});
    void postJson(std::string target, const nlohmann::json& body, JsonDone done);
    void getObject(const ObjectKey& key, JsonDone done);
    void list(ListQuery request, ObjectsDone done);
    /// A body as it comes, with the credentials renewed once. `take` gets pieces of a success.
    void stream(std::string target, std::function<void(std::string_view)> take, std::function<void(Result<void>)> done);

    [[nodiscard]] const guard::Clock& clock() const noexcept { return *clock_; }
    [[nodiscard]] http::IoThread& io() noexcept { return transport_->io(); }
    /// Ends everything under way; nothing is called any more.
    void cancelAll() { calls_.clear(); }

private:
    struct Listing;
    void attempt(http::Request request, bool again, std::function<void(Result<http::Response>)> done);
    void attemptStream(std::string target, bool again, std::function<void(std::string_view)> take,
                       std::function<void(Result<void>)> done);
    void nextPage(std::shared_ptr<Listing> listing);
    void takePage(const std::shared_ptr<Listing>& listing, Result<nlohmann::json> page);
    void finishList(const std::shared_ptr<Listing>& listing);
    void forget(std::uint64_t id);

    std::shared_ptr<Transport> transport_;
    std::shared_ptr<const guard::Clock> clock_;
    std::map<std::uint64_t, std::unique_ptr<http::Call>> calls_;
    std::uint64_t next_ = 1;
};

} // namespace alidade::cluster
