// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: the whole desktop program on the embedded cluster, driven as a person drives it: window-level input
// with the stamps that a local X server would give it.
// What it must not know: how anything is done.
// Thread: GUI.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <QString>
#include <QTemporaryDir>
#include <QWidget>

#include "alidade/ui/main_window.hpp"
#include "alidade/wiring/workbench.hpp"

namespace alidade::ui {
class ApprovalDialog;
class Chip;
struct Citation;
} // namespace alidade::ui

namespace alidade::test {

/// Turns the event loop until the condition holds; false after the limit.
bool waitFor(const std::function<bool()>& condition, int limitMs = 15'000);

/// Milliseconds of the steady clock, as a local X server stamps its events.
unsigned long stampNow();

/// Presses that arrive through the window system. The stamp is of now unless one is given.
namespace pointer {
void move(QWidget& widget);
void click(QWidget& widget, std::optional<unsigned long> stamp = {});
} // namespace pointer

/// The exact place a citation stands for, in the words of what is marked or selected on the screen now; says what is
/// wrong where it is not the cited one.
struct Landing {
    bool exact = false;
    std::string kind; ///< "log line", "field", "event", "text"
    std::string says;
};

class Driver {
public:
    explicit Driver(const std::string& scenario, bool incidentAtStart = true);
    ~Driver();

    [[nodiscard]] ui::MainWindow& window() { return *window_; }
    [[nodiscard]] wiring::Workbench& bench() { return *bench_; }
    [[nodiscard]] ui::RunStatePtr state() const { return window_->runState(); }
    void closeWindow();
    [[nodiscard]] int troubleCount() const;
    [[nodiscard]] bool showsTroubleOf(const QString& name) const;
    /// Starts triage of the namespace; false when nothing has come of it in time.
    bool startTriage();
    [[nodiscard]] bool reached(guard::Step step) const;
    /// The dialog on the pending proposal, or null.
    ui::ApprovalDialog* openDialog();
    /// Moves the pointer to its button and waits until it is armed.
    static bool aim(ui::ApprovalDialog& dialog);
    /// Aims, then one fresh press and release on its button.
    static bool approve(ui::ApprovalDialog& dialog);
    /// Presses the chip and waits until the window has gone to the cited place.
    Landing cite(ui::Chip& chip);
    Landing cite(const ui::Citation& citation);
    [[nodiscard]] std::string ledgerBytes() const;
    [[nodiscard]] std::string imageOf(const std::string& deployment) const;

private:
    [[nodiscard]] Landing landed(const ui::Citation& citation) const;
    [[nodiscard]] Landing landing(const ui::Citation& citation) const;

    QTemporaryDir home_;
    std::unique_ptr<wiring::Workbench> bench_;
    std::unique_ptr<ui::MainWindow> window_;
};

} // namespace alidade::test
