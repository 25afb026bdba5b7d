// SPDX-License-Identifier: GPL-3.0-or-later
// The main window's part that a person acts with: keys, palette, menus, and Drafts of their own.
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QInputDialog>
#include <QMenu>
#include <QShortcut>

#include "alidade/models/text.hpp"
#include "alidade/ui/appearance.hpp"
#include "parts/words.hpp"
#include "theme/icons.hpp"
#include "window/action_dialogs.hpp"
#include "window/main_window_impl.hpp"

namespace alidade::ui {
namespace {

bool isWorkload(const guard::KindId& kind) {
    return kind == guard::kinds::deployments() || kind == guard::kinds::statefulSets() ||
           kind == guard::kinds::daemonSets();
}

QString kubectlName(const guard::ObjectRef& ref) {
    QString text =
        QStringLiteral("kubectl get %1 %2").arg(models::shown(ref.key.kind.resource), models::shown(ref.key.name));
    if (!ref.key.ns.empty()) {
        text += QStringLiteral(" -n ") + models::shown(ref.key.ns);
    }
    return text;
}

} // namespace

void MainWindow::Impl::addCommands() {
    const auto add = [this](const char* picture, const QString& title, const QKeySequence& keys,
                            std::function<void()> run) {
        commands.push_back({QString::fromLatin1(picture), title, keys, run});
        if (!keys.isEmpty()) {
            auto* shortcut = new QShortcut(keys, self);
            QObject::connect(shortcut, &QShortcut::activated, self, run);
        }
    };
    add("command", MainWindow::tr("Commands"), QKeySequence(Qt::CTRL | Qt::Key_K), [this] { showPalette(); });
    add("search", MainWindow::tr("Filter the table"), QKeySequence(Qt::CTRL | Qt::Key_F),
        [this] { header->focusFilter(); });
    add("trouble", MainWindow::tr("Show trouble"), QKeySequence(Qt::CTRL | Qt::Key_T), [this] { showTrouble(); });
    add("triage", MainWindow::tr("Start triage"), QKeySequence(Qt::CTRL | Qt::Key_I),
        [this] { startTriage(table->view()->currentObject()); });
    add("evidence", MainWindow::tr("Review the proposal"), QKeySequence(Qt::CTRL | Qt::Key_R),
        [this] { self->reviewProposal(); });
    add("evidence", MainWindow::tr("Details: overview"), QKeySequence(Qt::ALT | Qt::Key_1),
        [this] { details->showTab(DetailsPane::Tab::Overview); });
    add("evidence", MainWindow::tr("Details: YAML"), QKeySequence(Qt::ALT | Qt::Key_2),
        [this] { details->showTab(DetailsPane::Tab::Yaml); });
    add("evidence", MainWindow::tr("Details: events"), QKeySequence(Qt::ALT | Qt::Key_3),
        [this] { details->showTab(DetailsPane::Tab::Events); });
    add("evidence", MainWindow::tr("Details: logs"), QKeySequence(Qt::ALT | Qt::Key_4),
        [this] { details->showTab(DetailsPane::Tab::Logs); });
    add("evidence", MainWindow::tr("Details: relations"), QKeySequence(Qt::ALT | Qt::Key_5),
        [this] { details->showTab(DetailsPane::Tab::Relations); });
    add("brake", MainWindow::tr("Brake on or off"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_B), [this] {
        if (link && link->desk()) {
            setBrake(!link->desk()->brake().engaged());
        }
    });
    add("restart", MainWindow::tr("Reconnect"), QKeySequence(Qt::Key_F5), [this] {
        if (link) {
            link->session()->probe();
        }
    });
    add("context", MainWindow::tr("Light theme"), {}, [] { applyAppearance(*qApp, ThemeChoice::Light); });
    add("context", MainWindow::tr("Dark theme"), {}, [] { applyAppearance(*qApp, ThemeChoice::Dark); });
    add("context", MainWindow::tr("High-contrast theme"), {},
        [] { applyAppearance(*qApp, ThemeChoice::HighContrast); });
    add("command", MainWindow::tr("Keyboard"), QKeySequence(Qt::Key_F1), [this] { showShortcuts(); });
    add("close", MainWindow::tr("Close the window"), QKeySequence(Qt::CTRL | Qt::Key_Q), [this] { self->close(); });
    auto* escapeKey = new QShortcut(QKeySequence(Qt::Key_Escape), self);
    QObject::connect(escapeKey, &QShortcut::activated, self, [this] { escape(); });
    auto* slash = new QShortcut(QKeySequence(Qt::Key_Slash), table);
    slash->setContext(Qt::WidgetWithChildrenShortcut);
    QObject::connect(slash, &QShortcut::activated, self, [this] { header->focusFilter(); });
}

void MainWindow::Impl::showPalette() {
    std::vector<CommandPalette::Entry> offered;
    for (const auto& command : commands) {
        offered.push_back({command.icon, command.title, MainWindow::tr("Action"),
                           command.keys.toString(QKeySequence::NativeText), command.run});
    }
    for (int top = 0; top < navigatorModel->rowCount(); ++top) {
        const QModelIndex category = navigatorModel->index(top, 0);
        for (int row = 0; row < navigatorModel->rowCount(category); ++row) {
            const QModelIndex index = navigatorModel->index(row, 0, category);
            if (const auto found = navigatorModel->kindAt(index)) {
                offered.push_back({QStringLiteral("workloads"),
                                   index.data().toString(),
                                   MainWindow::tr("Kind"),
                                   {},
                                   [this, chosen = *found] { showKind(chosen); }});
            }
        }
    }
    for (const QString& name : namespaceNames()) {
        offered.push_back({QStringLiteral("namespace"), name, MainWindow::tr("Namespace"), {}, [this, name] {
                               self->setNamespace(name);
                           }});
    }
    for (const auto& context : contexts) {
        offered.push_back({QStringLiteral("context"),
                           models::shown(context.name),
                           MainWindow::tr("Context"),
                           {},
                           [this, name = context.name] { openContext(name); }});
    }
    (new CommandPalette(std::move(offered), self))->open();
}

void MainWindow::Impl::showShortcuts() {
    std::vector<ShortcutList::Shortcut> list;
    for (const auto& command : commands) {
        if (!command.keys.isEmpty()) {
            list.push_back({command.keys.toString(QKeySequence::NativeText), command.title});
        }
    }
    list.push_back({QStringLiteral("/"), MainWindow::tr("Filter the table")});
    list.push_back({QKeySequence(Qt::Key_Escape).toString(QKeySequence::NativeText),
                    MainWindow::tr("One step back: filter, details, kind")});
    list.push_back(
        {QKeySequence(Qt::Key_Return).toString(QKeySequence::NativeText), MainWindow::tr("Open the selected object")});
    list.push_back({QKeySequence(QKeySequence::Copy).toString(QKeySequence::NativeText),
                    MainWindow::tr("Copy the selected rows")});
    (new ShortcutList(list, self))->open();
}

void MainWindow::Impl::askNamespace() {
    auto* dialog = new QInputDialog(self);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(MainWindow::tr("Namespace"));
    dialog->setLabelText(MainWindow::tr("Namespaces cannot be listed here. Name of the namespace:"));
    QObject::connect(dialog, &QInputDialog::textValueSelected, self, [this](const QString& name) {
        if (guard::validNamespace(name.toStdString())) {
            self->setNamespace(name);
        } else {
            say(MainWindow::tr("Not a namespace name: %1").arg(name));
        }
    });
    QObject::connect(dialog, &QDialog::finished, self, [this] { self->setNamespace(QString::fromStdString(ns)); });
    dialog->open();
}

QString MainWindow::Impl::whyNoWrites() const {
    if (!link || !link->desk()) {
        return MainWindow::tr("This connection has no write desk.");
    }
    if (readOnly) {
        return readOnlyWhy;
    }
    if (link->desk()->brake().engaged()) {
        return MainWindow::tr("The brake is on.");
    }
    if (link->desk()->auditFault()) {
        return MainWindow::tr("The audit record cannot be written.");
    }
    return {};
}

void MainWindow::Impl::objectMenu(const guard::ObjectRef& ref, const QPoint& at) {
    auto* menu = new QMenu(self);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setToolTipsVisible(true);
    const QString why = whyNoWrites();
    const auto add = [menu](const char* picture, const QString& title, std::function<void()> run) {
        QAction* action = menu->addAction(icon(QString::fromLatin1(picture)), title);
        QObject::connect(action, &QAction::triggered, menu, std::move(run));
        return action;
    };
    const auto addWrite = [&](const char* picture, const QString& title, std::function<void()> run) {
        QAction* action = add(picture, title, std::move(run));
        action->setEnabled(why.isEmpty());
        action->setToolTip(models::plainTip(why));
    };
    add("triage", MainWindow::tr("Start triage"), [this, ref] {
        startTriage(ref);
    })->setEnabled(static_cast<bool>(services.startRun));
    if (ref.key.kind == guard::kinds::pods()) {
        add("follow", MainWindow::tr("Logs"), [this, ref] {
            showDetails(ref);
            details->showTab(DetailsPane::Tab::Logs);
        });
    }
    add("workloads", MainWindow::tr("Relations"), [this, ref] {
        showDetails(ref);
        details->showTab(DetailsPane::Tab::Relations);
    });
    menu->addSeparator();
    const bool scales = ref.key.kind == guard::kinds::deployments() || ref.key.kind == guard::kinds::statefulSets() ||
                        ref.key.kind == guard::kinds::replicaSets();
    if (ref.key.kind == guard::kinds::deployments()) {
        addWrite("rollback", MainWindow::tr("Roll back…"), [this, ref] {
            auto* dialog = new RollbackDialog(link->session(), ref, self);
            QObject::connect(dialog, &RollbackDialog::chosen, self, [this, ref](int revision) {
                propose({ref, guard::Scope::Object, guard::Rollback{revision}});
            });
            dialog->open();
        });
    }
    if (scales) {
        addWrite("scale", MainWindow::tr("Scale…"), [this, ref] {
            auto* dialog = new ScaleDialog(link->session(), ref, self);
            QObject::connect(dialog, &ScaleDialog::chosen, self, [this, ref](int replicas) {
                propose({ref, guard::Scope::Object, guard::Scale{replicas}});
            });
            dialog->open();
        });
    }
    if (isWorkload(ref.key.kind)) {
        addWrite("restart", MainWindow::tr("Restart…"), [this, ref] {
            propose({ref, guard::Scope::Object, guard::Restart{}});
        });
    }
    addWrite("delete", MainWindow::tr("Delete…"), [this, ref] {
        propose({ref, guard::Scope::Object, guard::Delete{}});
    });
    menu->addSeparator();
    add("copy", MainWindow::tr("Copy the row"), [this] { table->view()->copySelection(); });
    add("copy", MainWindow::tr("Copy the name"),
        [ref] { QApplication::clipboard()->setText(QString::fromStdString(ref.key.name)); });
    add("copy", MainWindow::tr("Copy as kubectl"), [ref] { QApplication::clipboard()->setText(kubectlName(ref)); });
    menu->popup(at);
}

/// A person's act becomes a Draft; the dialog opens at once and fills in as the write gate's reads arrive.
void MainWindow::Impl::propose(guard::Action action) {
    if (const QString why = whyNoWrites(); !why.isEmpty()) {
        say(why);
        return;
    }
    guard::Plan plan;
    plan.actions.push_back(std::move(action));
    guard::Provenance provenance;
    provenance.origin = guard::Origin::Person;
    provenance.principal = services.principal;
    const guard::Ticket ticket =
        link->submit(guard::Draft::fromPerson(std::move(plan), std::move(provenance), link->info().epoch));
    openApproval(link, ticket, nullptr);
}

void MainWindow::Impl::setBrake(bool on) {
    if (!link || !link->desk()) {
        return;
    }
    link->desk()->brake().set(on);
    header->setBrake(on, !services.readOnly);
    say(on ? MainWindow::tr("The brake is on: every write is refused.") : MainWindow::tr("The brake is off."));
    refreshTitle();
}

} // namespace alidade::ui
