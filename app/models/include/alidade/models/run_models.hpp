// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: a run's trail and its evidence as lists, from immutable snapshots.
// What it must not know: widgets, the run itself.
// Thread: GUI.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include <QAbstractListModel>

#include "alidade/agent/run.hpp"

namespace alidade::models {

using RunStatePtr = std::shared_ptr<const agent::RunState>;

/// RunEvents in order. Display and accessible text tell kind, title and outcome in words.
class TimelineModel : public QAbstractListModel {
    Q_OBJECT

public:
    enum Role : int { ExpandedRole = Qt::UserRole + 1, ExpandableRole, KindRole };
    using QAbstractListModel::QAbstractListModel;

    /// A later snapshot of the same run only adds; another run replaces. Null clears.
    void setState(RunStatePtr state);
    [[nodiscard]] const guard::RunEvent* eventAt(int row) const;
    [[nodiscard]] bool isRunning() const;  ///< there is a run and it has not ended
    [[nodiscard]] static bool expandable(const guard::RunEvent& event);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

private:
    RunStatePtr state_;
    std::set<int> expanded_;  ///< sequence numbers
};

/// One row per read, "E3  logs of pod ...".
class EvidenceModel : public QAbstractListModel {
    Q_OBJECT

public:
    using QAbstractListModel::QAbstractListModel;
    void setState(const RunStatePtr& state);
    [[nodiscard]] std::shared_ptr<const guard::Evidence> at(int row) const;
    [[nodiscard]] std::shared_ptr<const guard::Evidence> find(guard::EvidenceRef ref) const;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

private:
    std::string incident_;
    std::vector<std::shared_ptr<const guard::Evidence>> evidence_;
};

enum class StepState : std::uint8_t { Future, Current, Done, Failed, Skipped };
/// The stage rail: what each step of the loop has come to.
[[nodiscard]] std::array<StepState, guard::allSteps.size()> stepStates(const agent::RunState& state);

[[nodiscard]] QString stepWord(guard::Step step);
[[nodiscard]] QString eventWord(guard::RunEventKind kind);
[[nodiscard]] QString outcomeWord(guard::RunOutcome outcome);

} // namespace alidade::models
