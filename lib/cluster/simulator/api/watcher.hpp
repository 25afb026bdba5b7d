// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One WATCH: what it asked for, and what it has not yet been sent.
#include <deque>
#include <memory>

#include "api/server.hpp"

namespace alidade::simulator {

class Watcher : public std::enable_shared_from_this<Watcher> {
public:
    Watcher(ApiServer& server, const Call& call, Shape shape, LabelSelector labels, FieldSelector fields);
    ~Watcher();
    /// Sends what is there, then what comes. `initial`: objects to announce as ADDED first.
    void start(std::vector<EntryPtr> initial, bool endMark, const std::deque<Change>& replay, std::uint64_t after);
    /// Arms its timeout, its bookmarks and the connection's callbacks.
    void begin(std::optional<std::int64_t> timeoutSeconds);
    void change(const Change& change);
    [[nodiscard]] bool wanted(const Entry& entry) const;
    void gone(std::uint64_t wanted, std::uint64_t oldest);
    [[nodiscard]] const KindDef& kind() const noexcept { return *served_->kind; }
    std::function<void()> finished;

private:
    struct Pending {
        const char* type;
        EntryPtr object;
    };
    void pump();
    void scheduleBookmark();
    void event(const char* type, const std::string& object);
    [[nodiscard]] std::string shownAs(const Entry& entry);
    void bookmark(bool initialEnd);
    void close();

    ApiServer& server_;
    const Served* served_;
    std::string ns_;
    ResponderPtr out_;
    Shape shape_;
    TableKind table_;
    LabelSelector labels_;
    FieldSelector fields_;
    bool bookmarks_;
    bool columnsSent_ = false;
    bool endMark_ = false;
    bool done_ = false;
    std::vector<EntryPtr> initial_;
    std::size_t nextInitial_ = 0;
    std::deque<Pending> pending_;
    std::vector<VirtualClock::Id> timers_;
    std::uint64_t listedAt_ = 0;
};

} // namespace alidade::simulator
