// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: the main window and what the composition root hands to it.
// What it must not know: HTTP, the writer, settings files, the simulator.
// Thread: GUI. The window never waits for anything it was given.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <QByteArray>
#include <QMainWindow>
#include <QString>

#include "alidade/agent/run.hpp"
#include "alidade/guard/clock.hpp"
#include "alidade/guard/settings.hpp"
#include "alidade/guard/write_desk.hpp"

// The window holds these and hands them to the models; what they can do is the models' business.
namespace alidade::cluster {
class ClusterSession;
class SessionFactory;
} // namespace alidade::cluster

namespace alidade::ui {

/// A run under way, as the window holds it. Destroying it cancels and joins; the window does so when it closes.
class RunHandle {
public:
    virtual ~RunHandle() = default;
    virtual void cancel() = 0;
};

using RunStatePtr = std::shared_ptr<const agent::RunState>;

/// Everything the window needs of the rest of the program. Built by the composition root, copied by the window.
struct Services {
    std::shared_ptr<cluster::SessionFactory> sessions;

    /// One desk per session, made at once (no waiting). Null when writing is impossible; the window is then read-only.
    std::function<std::shared_ptr<guard::WriteDesk>(const std::shared_ptr<cluster::ClusterSession>&)> desk;

    /// Starts a run bound to the session. `onChange` is called on the run's thread with immutable snapshots.
    std::function<std::unique_ptr<RunHandle>(agent::Incident, std::shared_ptr<cluster::ClusterSession>,
                                             std::shared_ptr<guard::WriteDesk>, std::function<void(RunStatePtr)> onChange)>
        startRun;

    std::shared_ptr<const guard::Clock> clock;
    guard::ProtectedLists protectedLists;
    bool readOnly = false;
    std::string principal;  ///< the OS user, for provenance

    /// Window geometry, columns and the like, by key. Either may be empty.
    std::function<QByteArray(const QString& key)> loadState;
    std::function<void(const QString& key, const QByteArray& value)> saveState;
};

struct WindowOptions {
    std::string context;  ///< empty: the current one
    std::string ns;       ///< empty: the context's own; "*": all namespaces
};

class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    MainWindow(Services services, WindowOptions options, QWidget* parent = nullptr);
    ~MainWindow() override;

    /// By plural, singular, kind or short name, as kubectl resolves ("pods", "deploy"), or "trouble".
    void showKind(const QString& word);
    void setNamespace(const QString& ns);  ///< empty: all
    /// Opens the object's details; the table goes to its kind.
    void showObject(const guard::ObjectRef& ref);
    /// Opens an incident and starts its run: about one object, or the whole namespace when absent.
    void startTriage(std::optional<guard::ObjectRef> about);
    /// Opens the approval dialog for the incident's pending proposal; false when there is none.
    bool reviewProposal();
    [[nodiscard]] std::shared_ptr<cluster::ClusterSession> session() const;
    /// The newest snapshot of the incident in view; null when there is none.
    [[nodiscard]] RunStatePtr runState() const;

Q_SIGNALS:
    /// Once: the first live row has been painted (`--check`, start-up time).
    void firstRowsPainted();
    /// A snapshot of the incident in view has arrived.
    void runChanged();
    /// A proposal for the incident in view waits for a person.
    void proposalReady();

protected:
    void closeEvent(QCloseEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace alidade::ui
