// SPDX-License-Identifier: GPL-3.0-or-later
#include "driver.hpp"

#include <chrono>
#include <fstream>
#include <iterator>

#include <nlohmann/json.hpp>

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QPlainTextEdit>
#include <QScrollArea>
#include <QTextBlock>
#include <QWindow>
#include <qpa/qwindowsysteminterface.h>

#include "alidade/models/text.hpp"
#include "alidade/ui/appearance.hpp"
#include "approval/approval_dialog.hpp"
#include "approval/approve_button.hpp"
#include "details/details_pane.hpp"
#include "incident/incident_dock.hpp"
#include "parts/parts.hpp"
#include "services.hpp"
#include "table/table_pane.hpp"

namespace alidade::test {
namespace {

void send(QWidget& widget, Qt::MouseButtons buttons, Qt::MouseButton button, QEvent::Type type,
          std::optional<unsigned long> stamp) {
    QWindow* window = widget.window()->windowHandle();
    const QPoint local = widget.mapTo(widget.window(), widget.rect().center());
    QWindowSystemInterface::handleMouseEvent<QWindowSystemInterface::SynchronousDelivery>(
        window, stamp.value_or(stampNow()), local, window->mapToGlobal(local), buttons, button, type);
}

/// The marked line of a text that marks exactly one, and shows it.
std::optional<QString> markedLine(const QPlainTextEdit& text) {
    const auto marks = text.extraSelections();
    if (marks.size() != 1 || !text.isVisible()) {
        return std::nullopt;
    }
    QTextCursor cursor = marks.front().cursor;
    cursor.movePosition(QTextCursor::StartOfBlock);
    const int middle = text.cursorRect(cursor).center().y();
    return middle >= 0 && middle < text.viewport()->height() ? std::optional(cursor.block().text()) : std::nullopt;
}

/// What the evidence tab marks.
std::optional<QString> evidenceMarks(const ui::DetailsPane& details) {
    for (const auto* text : details.findChildren<QPlainTextEdit*>()) {
        if (details.tab() == ui::DetailsPane::Tab::Evidence && text->isVisible()) {
            return markedLine(*text);
        }
    }
    return std::nullopt;
}

} // namespace

unsigned long stampNow() {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return static_cast<std::uint32_t>(std::chrono::duration_cast<std::chrono::milliseconds>(now).count());
}

bool waitFor(const std::function<bool()>& condition, int limitMs) {
    QElapsedTimer timer;
    timer.start();
    while (!condition()) {
        if (timer.elapsed() > limitMs) {
            return false;
        }
        QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents, 20);
    }
    return true;
}

namespace pointer {

void move(QWidget& widget) { send(widget, Qt::NoButton, Qt::NoButton, QEvent::MouseMove, {}); }

void click(QWidget& widget, std::optional<unsigned long> stamp) {
    send(widget, Qt::NoButton, Qt::NoButton, QEvent::MouseMove, stamp);
    send(widget, Qt::LeftButton, Qt::LeftButton, QEvent::MouseButtonPress, stamp);
    QCoreApplication::processEvents();
    send(widget, Qt::NoButton, Qt::LeftButton, QEvent::MouseButtonRelease, stamp);
    QCoreApplication::processEvents();
}

} // namespace pointer

Driver::Driver(const std::string& scenario, bool incidentAtStart) {
    wiring::WorkbenchOptions options;
    options.demo = true;
    options.scenario = scenario;
    options.incidentAtStart = incidentAtStart;
    const std::string home = home_.path().toStdString();
    options.environment = {{"HOME", home}, {"USER", "tester"}, {"XDG_STATE_HOME", home + "/state"}};
    auto made = wiring::Workbench::create(std::move(options), wiring::Settings{});
    if (!made) {
        qFatal("the embedded cluster did not start: %s", made.error().text().c_str());
    }
    bench_ = std::move(*made);
    ui::installInputCalibration(bench_->clock());
    ui::Services services = desktop::servicesOf(*bench_);
    services.loadState = nullptr;
    services.saveState = nullptr;
    window_ = std::make_unique<ui::MainWindow>(services, ui::WindowOptions{bench_->firstContext(), {}});
    window_->resize(1360, 860);
    window_->show();
}

Driver::~Driver() { window_.reset(); }

void Driver::closeWindow() {
    window_->close();
    window_.reset();
}

int Driver::troubleCount() const {
    const auto* pane = window_->findChild<ui::TablePane*>();
    return pane->showsTrouble() ? pane->rows()->rowCount() : -1;
}

bool Driver::showsTroubleOf(const QString& name) const {
    const auto* rows = window_->findChild<ui::TablePane*>()->rows();
    for (int row = 0; row < rows->rowCount(); ++row) {
        if (rows->index(row, 0).data(models::RowTableModel::NameRole).toString().startsWith(name)) {
            return true;
        }
    }
    return false;
}

bool Driver::startTriage() {
    window_->startTriage(std::nullopt);
    return waitFor([this] { return state() != nullptr; });
}

bool Driver::reached(guard::Step step) const {
    if (!state()) {
        return false;
    }
    for (const auto& event : state()->events) {
        if (event.step == step) {
            return true;
        }
    }
    return false;
}

ui::ApprovalDialog* Driver::openDialog() {
    if (!window_->reviewProposal()) {
        return nullptr;
    }
    auto* dialog = window_->findChild<ui::ApprovalDialog*>();
    waitFor([&] { return dialog->windowHandle() != nullptr && dialog->windowHandle()->isExposed(); });
    return dialog;
}

bool Driver::aim(ui::ApprovalDialog& dialog) {
    auto* button = dialog.findChild<ui::ApproveButton*>();
    dialog.activateWindow();
    for (int i = 0; i < 5; ++i) { // what a pointer on its way to the button tells of the stamps
        pointer::move(dialog);
        pointer::move(*button);
        QCoreApplication::processEvents();
    }
    return waitFor([&] { return button->ready(); });
}

bool Driver::approve(ui::ApprovalDialog& dialog) {
    if (!aim(dialog)) {
        return false;
    }
    pointer::click(*dialog.findChild<ui::ApproveButton*>());
    return true;
}

Landing Driver::landing(const ui::Citation& citation) const {
    const auto run = state();
    std::shared_ptr<const guard::Evidence> evidence;
    for (const auto& each : run->evidence) {
        if (each->ref == citation.ref) {
            evidence = each;
        }
    }
    if (!evidence || evidence->lines.empty()) {
        return {false, {}, "the run has no such evidence"};
    }
    const guard::Anchor anchor = citation.anchor.value_or(evidence->lines.front().anchor);
    QString stored;
    for (const auto& line : evidence->lines) {
        if (stored.isEmpty() && line.anchor == anchor) {
            stored = models::shown(line.text);
        }
    }
    const auto* details = window_->findChild<ui::DetailsPane*>();
    const auto tab = details->isVisible() ? details->tab() : ui::DetailsPane::Tab::Overview;
    Landing out;
    // A selected row is the one whose details are open.
    const auto* table = window_->findChild<ui::TablePane*>()->view();
    const auto selectsNoOther = [&](const std::string& uid) {
        return !table->selectionModel()->hasSelection() ||
               (table->currentObject() && table->currentObject()->uid == uid);
    };
    const auto found = [&](bool exact, const QString& says) {
        out.exact = exact;
        out.says = says.toStdString() + "  <-  " + stored.toStdString();
        return out;
    };
    if (const auto* log = std::get_if<guard::anchor::LogLine>(&anchor)) {
        out.kind = "log line";
        const auto* view = details->logs();
        const auto said = markedLine(*view->findChild<QPlainTextEdit*>());
        return found(tab == ui::DetailsPane::Tab::Logs && view->markedLine() && said && !said->isEmpty() &&
                         details->object()->uid == log->podUid && stored.contains(*said) && selectsNoOther(log->podUid),
                     said.value_or(QStringLiteral("no line is marked")));
    }
    if (const auto* field = std::get_if<guard::anchor::Field>(&anchor)) {
        out.kind = "field";
        const auto line = details->yaml()->markedLine();
        const QString said = line ? details->yaml()->text().split(u'\n').value(*line) : QString();
        const auto slash = field->pointer.find_last_of('/');
        QString last =
            QString::fromStdString(slash == std::string::npos ? std::string() : field->pointer.substr(slash + 1));
        last.replace(QStringLiteral("~1"), QStringLiteral("/")).replace(QStringLiteral("~0"), QStringLiteral("~"));
        bool index = false;
        last.toInt(&index);
        return found(tab == ui::DetailsPane::Tab::Yaml && line && details->object()->uid == field->uid &&
                         selectsNoOther(field->uid) &&
                         (index ? said.trimmed().startsWith(u'-') : said.contains(last + u':')),
                     QString::fromStdString(field->pointer) + QStringLiteral(": ") + said);
    }
    if (const auto* event = std::get_if<guard::anchor::Event>(&anchor)) {
        out.kind = "event";
        const bool own = tab == ui::DetailsPane::Tab::Events; // of the object itself, otherwise among all
        const auto* view = own ? details->events() : window_->findChild<ui::TablePane*>()->view();
        const auto row = view->currentObject();
        return found(view->isVisible() && row && row->uid == event->uid &&
                         view->selectionModel()->isSelected(view->currentIndex()) &&
                         view->viewport()->rect().intersects(view->visualRect(view->currentIndex())) &&
                         (own || evidenceMarks(*details) == stored),
                     QString::fromStdString(row ? row->uid : std::string("no row")));
    }
    out.kind = "text";
    const auto said = evidenceMarks(*details);
    return found(said == stored, said.value_or(QStringLiteral("no line is marked")));
}

Landing Driver::cite(ui::Chip& chip) {
    std::optional<ui::Citation> cited;
    const auto listening = QObject::connect(window_->findChild<ui::IncidentDock*>(), &ui::IncidentDock::openCitation,
                                            &chip, [&](const ui::Citation& citation, bool) { cited = citation; });
    for (QWidget* each = chip.parentWidget(); each != nullptr; each = each->parentWidget()) {
        if (auto* area = qobject_cast<QScrollArea*>(each)) {
            area->ensureWidgetVisible(&chip);
        }
    }
    pointer::click(chip);
    QObject::disconnect(listening);
    if (!cited) {
        return {false, {}, "the press reached no chip"};
    }
    return landed(*cited);
}

Landing Driver::cite(const ui::Citation& citation) {
    Q_EMIT window_->findChild<ui::IncidentDock*>()->openCitation(citation, false);
    return landed(citation);
}

Landing Driver::landed(const ui::Citation& citation) const {
    waitFor([&] { return landing(citation).exact; }, 10'000);
    return landing(citation);
}

std::string Driver::ledgerBytes() const {
    std::ifstream file(bench_->ledgerFile(), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::string Driver::imageOf(const std::string& deployment) const {
    const auto object = bench_->simulator()->get("apps", "deployments", "shop", deployment);
    return object ? object->value("/spec/template/spec/containers/0/image"_json_pointer, std::string()) : std::string();
}

} // namespace alidade::test
