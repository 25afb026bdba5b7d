// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: what is wrong, across kinds, worst first, with the reason in the cluster's own words.
// What it must not know: widgets, the session.
// Thread: GUI.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "alidade/models/row_table_model.hpp"

namespace alidade::models {

class TroubleModel : public RowTableModel {
    Q_OBJECT

public:
    explicit TroubleModel(std::shared_ptr<const guard::Clock> clock, QObject* parent = nullptr);

    /// Forgets everything: another cluster or namespace. `sources` is what will be fed.
    void restart(std::vector<guard::KindId> sources, bool showNamespace);
    /// Batches of one of the sources.
    void feed(const guard::KindId& kind, const std::vector<cluster::DeltaBatch>& batches);

    [[nodiscard]] guard::ObjectRef refAt(int row) const override;
    /// The object with this UID among all rows of the sources, in trouble or not.
    [[nodiscard]] std::optional<guard::ObjectRef> locate(const std::string& uid) const;
    /// Rows of this kind that are Bad or in Warning.
    [[nodiscard]] int badge(const guard::KindId& kind) const;
    [[nodiscard]] int bad() const;       ///< all kinds, Bad only
    /// All rows of the kind; absent while none was read: unread is not none.
    [[nodiscard]] std::optional<std::size_t> objects(const guard::KindId& kind) const;
    /// Sources that are not in sync: what is listed may not be all.
    [[nodiscard]] std::vector<std::pair<guard::KindId, cluster::Freshness>> incomplete() const;
    /// Every source has had its first answer.
    [[nodiscard]] bool settled() const;
    [[nodiscard]] cluster::Freshness combined() const;

private:
    struct SourceState {
        guard::KindId kind;
        cluster::Freshness freshness;
        std::unordered_map<std::string, cluster::RowPtr> rows;  ///< all, by key
    };
    struct Known {
        std::size_t source = 0;
        cluster::RowPtr row;
    };
    [[nodiscard]] static bool troubled(const cluster::Row& row);
    [[nodiscard]] cluster::RowPtr entryOf(std::size_t source, const std::string& key, const cluster::Row& row) const;

    std::vector<SourceState> sources_;
    std::unordered_map<std::string, Known> entries_;  ///< by our key
    cluster::Schema entrySchema_;
    bool showNames_ = false;
};

} // namespace alidade::models
