// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: what is concluded, how surely, about what, and on which evidence; what could not be read.
// What it must not know: how a diagnosis comes about.
// Thread: GUI.
#pragma once

#include <QString>
#include <QWidget>

#include "alidade/guard/object.hpp"
#include "incident/incident_dock.hpp"

class QVBoxLayout;

namespace alidade::ui {

/// A quiet rounded surface.
class Card : public QWidget {
    Q_OBJECT

public:
    explicit Card(QWidget* parent = nullptr);
    [[nodiscard]] QVBoxLayout* column() const { return column_; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QVBoxLayout* column_;
};

class DiagnosisCard final : public Card {
    Q_OBJECT

public:
    explicit DiagnosisCard(QWidget* parent = nullptr);
    /// Builds anew only when what is shown has changed.
    void setState(const RunStatePtr& state);

Q_SIGNALS:
    void openCitation(const alidade::ui::Citation& citation, bool beside);
    void openObject(const alidade::guard::ObjectRef& ref);

private:
    void build(const agent::RunState& state);
    void addHypothesis(const QString& text);
    void addSuspect(const guard::Diagnosis& diagnosis);
    void addClaim(const guard::Claim& claim, const agent::RunState& state);
    void addAlternatives(const guard::Diagnosis& diagnosis);
    void addGaps(const std::vector<guard::Gap>& gaps);

    QWidget* body_ = nullptr;
    QVBoxLayout* lines_ = nullptr; ///< of the body
    QString shown_;                ///< what the body was built from
    bool alternativesOpen_ = false;
};

} // namespace alidade::ui
