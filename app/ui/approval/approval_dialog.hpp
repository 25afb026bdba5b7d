// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The one place where a person approves a write: what, where, why, diff, impact, preconditions, digest. Opens on the
// draft, fills in as the write gate's reads arrive, and arms only after everything has been in view for the dwell.
// What approves is decided by guard::InputGate alone, fed by an event filter; no button signal approves anything.
#include <functional>
#include <memory>
#include <optional>

#include <QColor>
#include <QDialog>

#include "alidade/guard/clock.hpp"
#include "alidade/guard/input_gate.hpp"
#include "alidade/guard/write_desk.hpp"

class QKeyEvent;

namespace alidade::ui {

class ApprovalDialog final : public QDialog {
    Q_OBJECT

public:
    struct Subject {
        std::shared_ptr<guard::WriteDesk> desk;
        std::shared_ptr<const guard::Clock> clock;
        guard::Ticket ticket;
        QColor contextHue;
        /// Stored evidence of the run behind the proposal; may be empty for a person's own act.
        std::function<std::shared_ptr<const guard::Evidence>(guard::EvidenceRef)> evidence;
    };
    explicit ApprovalDialog(Subject subject, QWidget* parent = nullptr);
    ~ApprovalDialog() override;

    /// Every event of the ticket, in order, on the GUI thread. Events of other tickets are left alone.
    void deskEvent(const guard::DeskEvent& event);
    /// 0..1, for tests and the arming ring.
    [[nodiscard]] double armingProgress() const;

public Q_SLOTS:
    /// Escape, closing and "Look first": the proposal stays pending.
    void reject() override;

protected:
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    enum class StateTone : std::uint8_t { Plain, Good, Warn, Bad };
    void take(const guard::desk::Drafted& drafted);
    void take(const guard::desk::Proposed& proposed);
    void take(const guard::desk::Refused& refused);
    void take(const guard::desk::ApprovalRejected& rejected);
    void take(const guard::desk::Approved& approved);
    void take(const guard::desk::Executed& executed);
    void take(const guard::desk::Finished& finished);
    void take(const guard::desk::Declined& declined);
    void take(const guard::desk::Dismissed& dismissed);
    void take(const guard::desk::Expired& expired);
    void showProgress();
    void showState(const QString& text, StateTone tone);
    void over();
    void approveWith(guard::HumanAct act);
    bool feedApprove(QEvent* event, guard::DeviceClass device, std::uint32_t stamp);
    bool dropsKey(QKeyEvent* key, std::uint32_t stamp);
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace alidade::ui
