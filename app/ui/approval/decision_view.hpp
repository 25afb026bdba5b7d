// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The reading part of the approval dialog: what, where, why, diff, impact, preconditions, digest. Shows, decides
// nothing.
#include <functional>
#include <memory>

#include <QWidget>

#include "alidade/guard/write_desk.hpp"

class QLabel;
class QPlainTextEdit;
class QVBoxLayout;

namespace alidade::ui {

class DecisionView final : public QWidget {
    Q_OBJECT

public:
    explicit DecisionView(QWidget* parent = nullptr);

    void showDraft(const guard::desk::Drafted& draft);
    void showProposal(const guard::ProposalContent& content);
    /// Refusal of the write gate, in full.
    void showRefusal(const guard::WriteRefusal& refusal);

    std::function<void(guard::EvidenceRef)> openEvidence; ///< a citation chip was pressed
    std::function<void()> summaryPainted;                 ///< target, risk and summary have been painted

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void showWhy(const guard::Provenance& provenance);
    void showHeading(const std::vector<guard::Action>& actions, const QString& context);

    QLabel* heading_;
    QLabel* where_;
    QLabel* risk_;
    QWidget* why_;
    QVBoxLayout* whyLayout_;
    QLabel* diffTitle_;
    QPlainTextEdit* diff_;
    QLabel* moreLines_;
    QLabel* impactTitle_;
    QLabel* impact_;
    QLabel* conditions_;
    QLabel* digest_;
};

/// Texts of the dialog, testable without one.
[[nodiscard]] QString actionHeading(const guard::Action& action);
[[nodiscard]] QString actionVerb(const guard::Action& action);
[[nodiscard]] QString impactText(const guard::ProposalItem& item);

} // namespace alidade::ui
