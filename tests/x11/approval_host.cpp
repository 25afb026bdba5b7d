// SPDX-License-Identifier: GPL-3.0-or-later
// Shows the approval dialog in a real window and obeys lines on standard input:
//   block MS    keeps the GUI thread busy, then opens the dialog at once (what was queued meanwhile is stale)
//   open        opens the dialog
//   steal MS    opens another window that takes the focus for a while
// and says on standard output what happened: "ready", "opened", "armed X Y" (the approve button's centre on the
// screen), "approved HOW", "declined", "dismissed".
#include <chrono>
#include <cstdio>
#include <iostream>
#include <string>

#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QSocketNotifier>
#include <QTimer>

#include <unistd.h>

#include "alidade/ui/appearance.hpp"
#include "approval/approval_dialog.hpp"
#include "approval/approve_button.hpp"

using namespace alidade;

namespace {

void say(const std::string& line) { std::cout << line << std::endl; }

/// Keeps what it is told; approves nothing itself.
class Desk final : public guard::WriteDesk {
public:
    guard::Ticket submit(guard::Draft, guard::DeskSink) override { return {}; }
    void approve(guard::ProposalId, guard::HumanAct act) override { say("approved " + act.how()); }
    void decline(guard::ProposalId) override { say("declined"); }
    void dismiss(guard::ProposalId) override { say("dismissed"); }
    std::shared_ptr<void> observe(guard::DeskSink) override { return nullptr; }
    guard::Brake& brake() noexcept override { return brake_; }
    std::optional<guard::Error> auditFault() const override { return std::nullopt; }

private:
    guard::Brake brake_;
};

std::shared_ptr<const guard::ProposalContent> content(const guard::Clock& clock, const std::string& typed) {
    guard::ProposalItem item;
    item.action.target = {{guard::kinds::deployments(), "shop", "checkout"}, "3f2504e0-4f89-41d3-9a0c-0305e82c3301"};
    item.action.change = guard::Rollback{4};
    item.uid = item.action.target.uid;
    item.access = {guard::Access::Allowed, "patch deployments.apps in shop", {}};
    item.preview.available = true;
    item.preview.unifiedDiff =
        "@@ spec.template.spec.containers[0] @@\n-image: shop/checkout:1.4.0-typo\n+image: shop/checkout:1.3.2\n";
    item.impact.available = true;
    item.impact.complete = true;
    item.impact.notes = {"3 pods are replaced"};
    item.request.preconditions = {"uid is 3f2504e0-4f89-41d3-9a0c-0305e82c3301"};
    item.heal = guard::healCheckOf(guard::ActionKind::Rollback);
    auto made = std::make_shared<guard::ProposalContent>();
    made->id = {1};
    made->context = "demo";
    made->items = {item};
    made->typedConfirmation = typed;
    made->digest = std::string(64, 'a');
    made->provenance.principal = "test";
    made->madeAt = clock.now();
    made->expiresAt = clock.now() + guard::Limits::proposalLifetime;
    return made;
}

} // namespace

int main(int count, char** words) {
    QApplication app(count, words);
    ui::applyAppearance(app, ui::ThemeChoice::Light);
    const auto clock = std::make_shared<guard::SystemClock>();
    ui::installInputCalibration(clock);
    const auto desk = std::make_shared<Desk>();
    const std::string typed = count > 1 ? words[1] : "";

    QWidget window;
    window.setWindowTitle(QStringLiteral("host"));
    window.setGeometry(0, 0, 1200, 860);
    window.show();

    const auto open = [&] {
        ui::ApprovalDialog::Subject subject;
        subject.desk = desk;
        subject.clock = clock;
        subject.ticket = {1};
        subject.contextHue = Qt::darkCyan;
        auto* dialog = new ui::ApprovalDialog(std::move(subject), &window);
        guard::desk::Drafted drafted;
        const auto proposal = content(*clock, typed);
        drafted.plan.actions = {proposal->items.front().action};
        drafted.provenance = proposal->provenance;
        drafted.context = proposal->context;
        dialog->deskEvent({{1}, drafted});
        dialog->deskEvent({{1}, guard::desk::Proposed{proposal}});
        dialog->open();
        say("opened");
        auto* poll = new QTimer(dialog);
        QObject::connect(poll, &QTimer::timeout, dialog, [dialog, poll] {
            if (dialog->armingProgress() < 1.0)
                return;
            poll->stop();
            const auto* button = dialog->findChild<ui::ApproveButton*>();
            const QPoint centre = button->mapToGlobal(button->rect().center());
            say("armed " + std::to_string(centre.x()) + " " + std::to_string(centre.y()));
            const auto* field = dialog->findChild<QLineEdit*>();
            const QPoint middle = field->mapToGlobal(field->rect().center());
            say("field " + std::to_string(middle.x()) + " " + std::to_string(middle.y()));
        });
        poll->start(20);
    };

    QSocketNotifier input(STDIN_FILENO, QSocketNotifier::Read);
    QObject::connect(&input, &QSocketNotifier::activated, &app, [&] {
        std::string line;
        if (!std::getline(std::cin, line)) {
            QCoreApplication::quit();
            return;
        }
        const int number = line.find(' ') == std::string::npos ? 0 : std::stoi(line.substr(line.find(' ')));
        if (line.starts_with("block")) {
            say("blocking");
            // The point of this program: a GUI thread that is busy while input piles up.
            const auto until = clock->now() + std::chrono::milliseconds(number);
            while (clock->now() < until) {
            }
            open();
        } else if (line.starts_with("open")) {
            open();
        } else if (line.starts_with("steal")) {
            auto* thief = new QLabel(QStringLiteral("another window"));
            thief->setAttribute(Qt::WA_DeleteOnClose);
            thief->show();
            thief->activateWindow();
            QTimer::singleShot(number, thief, &QWidget::close);
            say("stolen");
        }
    });
    QTimer::singleShot(0, &app, [] { say("ready"); });
    return QApplication::exec();
}
