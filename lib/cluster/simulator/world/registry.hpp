// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the API server does between a request and the store: defaults, validation, generations, finalizers, graceful
// deletion, garbage collection. Controllers go through it too, so that people and controllers meet the same rules.
#include <optional>
#include <string>

#include "world/refusal.hpp"
#include "world/world.hpp"

namespace alidade::simulator {

enum class Propagation : std::uint8_t { Background, Foreground, Orphan };

struct DeleteOptions {
    std::optional<std::int64_t> graceSeconds;
    std::string uid;             ///< precondition
    std::string resourceVersion; ///< precondition
    Propagation propagation = Propagation::Background;
    bool dryRun = false;
};

struct Deleted {
    EntryPtr object;   ///< its last state
    bool gone = false; ///< false: finalizers or a grace period hold it
};

/// Who writes, for managedFields.
struct Actor {
    std::string manager = "simulator";
    std::string apiVersion; ///< of the request; empty: the stored one
    bool apply = false;     ///< server-side apply keeps its own record
};

class Registry {
public:
    explicit Registry(World& world);
    [[nodiscard]] World& world() noexcept { return world_; }

    Outcome<EntryPtr> create(const KindDef& kind, std::string_view ns, Json doc, const Actor& actor = {},
                             bool dryRun = false);
    /// Replaces `old` by `doc`. `subresource`: "" keeps the status, "status" keeps everything else.
    Outcome<EntryPtr> update(const EntryPtr& old, Json doc, std::string_view subresource = {}, const Actor& actor = {},
                             bool dryRun = false);
    Outcome<Deleted> remove(const EntryPtr& entry, const DeleteOptions& options = {});
    /// Removes a finalizer; the object goes when it was the last one and deletion was asked for.
    void dropFinalizer(const EntryPtr& entry, std::string_view finalizer);
    /// The kubelet's last word on a terminating pod.
    void finish(const EntryPtr& entry);

    /// For controllers: applies `change` to the current version and stores it when something changed.
    void amend(const KindDef& kind, std::string_view ns, std::string_view name,
               const std::function<void(Json&)>& change);

private:
    void collect(const Change& change);
    void orphan(const std::string& uid);
    void sweepForeground(const std::string& ownerUid);
    std::optional<Refusal> admit(const KindDef& kind, std::string_view ns, const Json& doc) const;
    World& world_;
};

/// Fills in what the API server fills in.
void applyDefaults(World& world, const KindDef& kind, Json& doc, const Json* old);
/// Empty when acceptable.
[[nodiscard]] std::vector<Cause> validate(const KindDef& kind, const Json& doc, const Json* old);
/// Records in metadata.managedFields which manager set what changed between `before` and `after`.
void recordManager(const KindDef& kind, const Json& before, Json& after, const Actor& actor,
                   std::string_view subresource, WallTime now);

} // namespace alidade::simulator
