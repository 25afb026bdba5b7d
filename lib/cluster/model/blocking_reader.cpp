// SPDX-License-Identifier: GPL-3.0-or-later
#include <condition_variable>
#include <mutex>

#include <nlohmann/json.hpp>

#include "alidade/cluster_model/session.hpp"

namespace alidade::cluster {
namespace {

/// Where the answer arrives. A callback that is dropped uncalled (the session ended) completes it as cancelled.
template <class T>
class Pending {
public:
    void complete(Result<T> result) {
        {
            const std::lock_guard lock(mutex_);
            if (result_) {
                return;
            }
            result_.emplace(std::move(result));
        }
        filled_.notify_all();
    }
    Result<T> wait(std::stop_token stop) {
        std::unique_lock lock(mutex_);
        if (!filled_.wait(lock, stop, [this] { return result_.has_value(); })) {
            return guard::fail(guard::ErrorCode::Cancelled, "read", "cancelled");
        }
        return std::move(*result_);
    }

private:
    std::mutex mutex_;
    std::condition_variable_any filled_;
    std::optional<Result<T>> result_;
};

template <class T>
class Completer {
public:
    explicit Completer(std::shared_ptr<Pending<T>> pending) : pending_(std::move(pending)) {}
    Completer(const Completer&) = delete;
    Completer& operator=(const Completer&) = delete;
    ~Completer() { pending_->complete(guard::fail(guard::ErrorCode::Cancelled, "read", "the session ended")); }
    void operator()(Result<T> result) { pending_->complete(std::move(result)); }

private:
    std::shared_ptr<Pending<T>> pending_;
};

template <class T, class Ask>
Result<T> ask(const std::function<void()>& assertThread, std::stop_token stop, Ask&& start) {
    if (assertThread) {
        assertThread();
    }
    if (stop.stop_requested()) {
        return guard::fail(guard::ErrorCode::Cancelled, "read", "cancelled");
    }
    auto pending = std::make_shared<Pending<T>>();
    auto completer = std::make_shared<Completer<T>>(pending);
    start(Done<T>([completer](Result<T> result) { (*completer)(std::move(result)); }));
    completer.reset();
    return pending->wait(std::move(stop));
}

} // namespace

BlockingReader::BlockingReader(std::shared_ptr<ClusterReader> reader, std::function<void()> assertThread)
    : reader_(std::move(reader)), assertThread_(std::move(assertThread)) {}

Result<guard::Raw<nlohmann::json>> BlockingReader::get(const ObjectKey& key, std::stop_token stop) const {
    return ask<guard::Raw<nlohmann::json>>(assertThread_, std::move(stop),
                                           [&](auto done) { reader_->get(key, std::move(done)); });
}

Result<Answer<std::vector<guard::Raw<nlohmann::json>>>>
BlockingReader::list(const KindId& kind, const ListScope& scope, std::size_t limit, std::stop_token stop) const {
    return ask<Answer<std::vector<guard::Raw<nlohmann::json>>>>(
        assertThread_, std::move(stop), [&](auto done) { reader_->list(kind, scope, limit, std::move(done)); });
}

Result<Answer<std::vector<EventRecord>>> BlockingReader::events(const ObjectRef& about, std::stop_token stop) const {
    return ask<Answer<std::vector<EventRecord>>>(assertThread_, std::move(stop),
                                                 [&](auto done) { reader_->events(about, std::move(done)); });
}

Result<guard::Raw<guard::LogText>> BlockingReader::logs(const ObjectKey& pod, const LogOptions& options,
                                                        std::stop_token stop) const {
    return ask<guard::Raw<guard::LogText>>(assertThread_, std::move(stop),
                                           [&](auto done) { reader_->logs(pod, options, std::move(done)); });
}

Result<Answer<std::vector<Revision>>> BlockingReader::revisions(const ObjectRef& workload, std::stop_token stop) const {
    return ask<Answer<std::vector<Revision>>>(assertThread_, std::move(stop),
                                              [&](auto done) { reader_->revisions(workload, std::move(done)); });
}

Result<guard::Raw<std::string>> BlockingReader::describe(const ObjectKey& key, std::stop_token stop) const {
    return ask<guard::Raw<std::string>>(assertThread_, std::move(stop),
                                        [&](auto done) { reader_->describe(key, std::move(done)); });
}

Result<Answer<Catalog>> BlockingReader::catalog(std::stop_token stop) const {
    return ask<Answer<Catalog>>(assertThread_, std::move(stop), [&](auto done) { reader_->catalog(std::move(done)); });
}

Result<guard::AccessReview> BlockingReader::access(std::string verb, const KindId& kind, std::string subresource,
                                                   std::string ns, std::string name, std::stop_token stop) const {
    return ask<guard::AccessReview>(assertThread_, std::move(stop), [&](auto done) {
        reader_->access(std::move(verb), kind, std::move(subresource), std::move(ns), std::move(name), std::move(done));
    });
}

Result<Answer<Graph>> BlockingReader::relations(std::optional<ObjectRef> root, const ListScope& scope, int depth,
                                                std::stop_token stop) const {
    return ask<Answer<Graph>>(assertThread_, std::move(stop), [&](auto done) {
        reader_->relations(std::move(root), scope, depth, std::move(done));
    });
}

} // namespace alidade::cluster
