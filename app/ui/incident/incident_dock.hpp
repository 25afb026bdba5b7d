// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: one incident on screen: stage rail, outcome, diagnosis with citations, plan, signal, live timeline.
// What it must not know: the run, the desk and the session behind the snapshots; the main window connects it.
// Thread: GUI. Nothing here waits; every text of a cluster or model is shown as plain text.
#pragma once

#include <memory>
#include <optional>

#include <QString>
#include <QWidget>

#include "alidade/agent/run.hpp"
#include "alidade/guard/write.hpp"

namespace alidade::ui {

using RunStatePtr = std::shared_ptr<const agent::RunState>;
using ProposalPtr = std::shared_ptr<const guard::ProposalContent>;

/// What a citation chip stands for. The anchor is the claim's own place, where the gate found one; without it, the
/// evidence's first line is meant. The evidence itself is in RunState::evidence.
struct Citation {
    guard::EvidenceRef ref;
    std::optional<guard::Anchor> anchor;
};

class IncidentDock final : public QWidget {
    Q_OBJECT

public:
    explicit IncidentDock(QWidget* parent = nullptr);
    ~IncidentDock() override;

    /// The newest snapshot; null for "no incident". May be called for each change of the run: what is costly (the
    /// chart) is drawn at most four times a second.
    void setState(RunStatePtr state);
    [[nodiscard]] RunStatePtr state() const;

    /// A proposal waits for a person: "Review and approve…" is enabled and the risk is shown. Null, or clearProposal():
    /// none waits any more (approved, declined, expired).
    void setProposal(ProposalPtr proposal);
    void clearProposal() { setProposal(nullptr); }

    /// Whether a run can be started now; otherwise why not, as a sentence ("No cluster is connected."). When it can,
    /// the note says why one might want to ("3 objects in trouble in shop").
    void setStartable(bool can, const QString& note = {});

Q_SIGNALS:
    /// A citation chip was pressed (`beside`: with Ctrl).
    void openCitation(const alidade::ui::Citation& citation, bool beside);
    void openObject(const alidade::guard::ObjectRef& ref);
    void reviewRequested(); ///< opens the approval dialog, approves nothing
    void startRequested();
    void cancelRequested();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace alidade::ui
