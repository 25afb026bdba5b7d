// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: what one object depends on, and what depends on it, a line each, what is wrong first.
// What it must not know: widgets, the session.
// Thread: GUI.
#pragma once

#include <string>
#include <unordered_map>

#include "alidade/cluster_model/graph.hpp"
#include "alidade/models/row_table_model.hpp"

namespace alidade::models {

class RelationsModel : public RowTableModel {
    Q_OBJECT

public:
    explicit RelationsModel(std::shared_ptr<const guard::Clock> clock, QObject* parent = nullptr);

    /// Forgets everything; an answer is under way.
    void restart();
    /// The edges that begin or end at the graph's root.
    void show(const cluster::Graph& graph);
    /// What stands at the other end; none for what is missing or may not be read.
    [[nodiscard]] guard::ObjectRef refAt(int row) const override;

private:
    std::unordered_map<std::string, guard::ObjectRef> ends_; ///< by row key
    cluster::Schema relationSchema_;
};

} // namespace alidade::models
