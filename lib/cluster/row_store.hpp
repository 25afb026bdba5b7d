// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The rows of one collection, and what of them was not published yet. Single writer, I/O thread. Knows no HTTP or JSON.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "alidade/cluster_model/deltas.hpp"
#include "alidade/cluster_model/mailbox.hpp"

namespace alidade::cluster {

class RowStore {
public:
    RowStore() { rows_.max_load_factor(kLoad); }
    /// A list starts. Over an empty store rows show as they come; otherwise they are collected apart until commit().
    void begin();
    void upsert(RowPtr row);
    void remove(std::string_view key);
    /// The list is whole: what it did not hold is gone. Rows of the same version stay the same pointers.
    void commit();
    void setSchema(Schema schema);

    [[nodiscard]] std::size_t size() const noexcept { return rows_.size(); }
    /// Rows of the list under way, or all.
    [[nodiscard]] std::size_t loaded() const noexcept { return staging_ ? staged_.size() : rows_.size(); }
    [[nodiscard]] const Schema& schema() const noexcept { return schema_; }
    [[nodiscard]] RowPtr find(std::string_view key) const;

    /// The first batch, a reset, is posted at once.
    void subscribe(std::uint64_t handle, std::uint64_t subscription, std::shared_ptr<Mailbox<DeltaBatch>> mailbox,
                   const Freshness& freshness);
    void unsubscribe(std::uint64_t handle);
    [[nodiscard]] bool hasSubscribers() const noexcept { return !subscribers_.empty(); }

    /// When the oldest unpublished change left the socket.
    void touch(guard::MonoTime received) noexcept;
    [[nodiscard]] bool dirty() const noexcept { return !changed_.empty() || !removed_.empty() || resetDue_; }
    /// Posts what changed since the last time, with `freshness`, to every subscriber.
    void publish(const Freshness& freshness);

private:
    /// Not noexcept, so that libstdc++ keeps each hash in its node: growing must not read every key again.
    struct KeyHash {
        using is_transparent = void;
        std::size_t operator()(std::string_view key) const { return std::hash<std::string_view>{}(key); }
        std::size_t operator()(const RowPtr& row) const { return (*this)(row->key); }
    };
    struct KeyEqual {
        using is_transparent = void;
        static std::string_view key(const RowPtr& row) noexcept { return row->key; }
        static std::string_view key(std::string_view text) noexcept { return text; }
        template<class A, class B>
        bool operator()(const A& a, const B& b) const noexcept {
            return key(a) == key(b);
        }
    };
    using Rows = std::unordered_set<RowPtr, KeyHash, KeyEqual>;
    static constexpr float kLoad = 0.25F; // most buckets empty: a new key then costs one cache miss instead of four
    struct TextHash {
        using is_transparent = void;
        std::size_t operator()(std::string_view key) const noexcept { return std::hash<std::string_view>{}(key); }
    };
    struct Subscriber {
        std::uint64_t handle = 0;
        std::uint64_t subscription = 0;
        std::uint64_t sequence = 0;
        std::shared_ptr<Mailbox<DeltaBatch>> mailbox;
    };
    static bool put(Rows& rows, RowPtr row); ///< True when its key is new.
    DeltaBatch everything(Subscriber& to, const Freshness& freshness) const;

    Schema schema_;
    Rows rows_;
    Rows staged_;
    bool staging_ = false;
    bool resetDue_ = false;       // the columns changed
    std::vector<RowPtr> changed_; // as they came; of these, what rows_ still holds
    bool superseded_ = false;     // rows_ does not hold all of changed_
    std::unordered_set<std::string, TextHash, std::equal_to<>> removed_;
    std::optional<guard::MonoTime> oldest_;
    std::vector<Subscriber> subscribers_;
};

} // namespace alidade::cluster
