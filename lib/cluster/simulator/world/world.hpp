// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Every object of the simulated cluster, one resourceVersion counter, and the history that watches resume from.
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "world/json.hpp"
#include "world/kinds.hpp"
#include "world/virtual_clock.hpp"

namespace alidade::simulator {

/// One version of one object; never changes. Its document holds neither kind nor apiVersion: those are put in front
/// when it is shown at one of its addresses.
class Entry {
public:
    Entry(const KindDef& kind, Json doc, std::uint64_t rv);
    /// A bulk object: the bytes are the object, the document is parsed when somebody wants it.
    Entry(const KindDef& kind, std::string ns, std::string name, std::string uid, std::string bytes, std::uint64_t rv);
    [[nodiscard]] const KindDef& kind() const noexcept { return *kind_; }
    [[nodiscard]] const std::string& ns() const noexcept { return ns_; }
    [[nodiscard]] const std::string& name() const noexcept { return name_; }
    [[nodiscard]] const std::string& uid() const noexcept { return uid_; }
    [[nodiscard]] std::uint64_t rv() const noexcept { return rv_; }
    [[nodiscard]] bool bulk() const noexcept { return bulk_; }
    [[nodiscard]] bool deleting() const noexcept { return deleting_; }
    [[nodiscard]] std::string key() const { return ns_.empty() ? name_ : ns_ + "/" + name_; }
    [[nodiscard]] const Json& doc() const;
    /// The document as JSON text, without kind and apiVersion.
    [[nodiscard]] const std::string& bytes() const;
    /// The document with kind and apiVersion.
    [[nodiscard]] Json full() const;

private:
    const KindDef* kind_;
    std::string ns_, name_, uid_;
    std::uint64_t rv_ = 0;
    bool bulk_ = false;
    bool deleting_ = false;
    mutable Json doc_;
    mutable std::string bytes_;
};
using EntryPtr = std::shared_ptr<const Entry>;

enum class ChangeType : std::uint8_t { Added, Modified, Deleted };
struct Change {
    ChangeType type = ChangeType::Added;
    std::uint64_t rv = 0;
    const KindDef* kind = nullptr;
    EntryPtr object;   ///< for Deleted: its last state, at the resourceVersion of the deletion
    EntryPtr previous; ///< null for Added
};

/// Thread: the world's own, for everything below it too.
class World {
public:
    using Objects = std::map<std::string, EntryPtr, std::less<>>; ///< by "namespace/name": the order of lists
    explicit World(WallTime start);
    World(const World&) = delete;
    World& operator=(const World&) = delete;

    [[nodiscard]] Kinds& kinds() noexcept { return kinds_; }
    [[nodiscard]] const Kinds& kinds() const noexcept { return kinds_; }
    /// A kind that is built in.
    [[nodiscard]] const KindDef& kind(std::string_view resource) const;
    [[nodiscard]] VirtualClock& clock() noexcept { return clock_; }
    [[nodiscard]] WallTime now() const noexcept { return clock_.now(); }
    [[nodiscard]] std::uint64_t rv() const noexcept { return rv_; }

    [[nodiscard]] EntryPtr find(const KindDef& kind, std::string_view ns, std::string_view name) const;
    [[nodiscard]] EntryPtr findByUid(const std::string& uid) const;
    [[nodiscard]] const Objects& objects(const KindDef& kind) const;
    /// Of one namespace, or of all when `ns` is empty. Bulk objects are left out: nothing in the world acts on them.
    [[nodiscard]] std::vector<EntryPtr> list(const KindDef& kind, std::string_view ns) const;
    /// Objects that name `uid` as an owner.
    [[nodiscard]] std::vector<EntryPtr> dependents(const std::string& uid) const;

    /// Stores the document as it stands, giving it a resourceVersion, and a UID and creation time where it has none.
    EntryPtr write(const KindDef& kind, Json doc);
    void writeBulk(const KindDef& kind, std::string ns, std::string name,
                   const std::function<std::string(std::uint64_t rv, const std::string& uid)>& bytes);
    void erase(const KindDef& kind, std::string_view ns, std::string_view name);

    /// Changes of a kind newer than what was compacted, oldest first.
    [[nodiscard]] const std::deque<Change>& history(const KindDef& kind) const;
    /// A watch may resume from this resourceVersion or a newer one.
    [[nodiscard]] std::uint64_t oldestResume(const KindDef& kind) const;
    void compact();

    void listen(std::function<void(const Change&)> listener) { listeners_.push_back(std::move(listener)); }

    [[nodiscard]] std::string newUid();
    [[nodiscard]] std::string randomSuffix(int length);
    [[nodiscard]] std::uint64_t random() { return random_(); }

private:
    struct Shelf {
        Objects objects;
        std::deque<Change> history;
        std::uint64_t oldest = 0;
    };
    Shelf& shelf(const KindDef& kind);
    void indexOwners(const Entry& entry, bool add);
    void announce(Shelf& shelf, Change change);

    Kinds kinds_;
    VirtualClock clock_;
    std::mt19937_64 random_{20240501};
    std::uint64_t rv_ = 1000;
    std::vector<std::unique_ptr<Shelf>> shelves_;
    std::unordered_map<std::string, EntryPtr> byUid_;
    std::unordered_map<std::string, std::unordered_set<std::string>> owned_; ///< owner UID -> UIDs
    std::vector<std::function<void(const Change&)>> listeners_;
};

/// UID of the controlling owner; empty without one.
[[nodiscard]] std::string controllerUid(const Json& doc);
[[nodiscard]] Json ownerReference(const Entry& owner, bool blockDeletion = true);

} // namespace alidade::simulator
