// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QCloseEvent>
#include <QDockWidget>
#include <QScreen>
#include <QStatusBar>
#include <QVBoxLayout>

#include "alidade/models/text.hpp"
#include "parts/words.hpp"
#include "theme/icons.hpp"
#include "theme/tokens.hpp"
#include "window/main_window_impl.hpp"

namespace alidade::ui {
namespace {

/// What Trouble looks at: causes before symptoms, which is also how equals are ordered.
std::vector<guard::KindId> troubleSources() {
    return {guard::kinds::nodes(),       guard::kinds::persistentVolumeClaims(),
            guard::kinds::deployments(), guard::kinds::statefulSets(),
            guard::kinds::daemonSets(),  guard::kinds::pods()};
}

QDockWidget* dock(MainWindow* window, const QString& title, const QString& name, QWidget* content,
                  Qt::DockWidgetArea area) {
    auto* made = new QDockWidget(title, window);
    made->setObjectName(name);
    made->setAccessibleName(title);
    made->setFeatures(QDockWidget::DockWidgetMovable | QDockWidget::DockWidgetFloatable |
                      QDockWidget::DockWidgetClosable);
    made->setTitleBarWidget(new QWidget(made)); // the content has a heading of its own
    made->titleBarWidget()->setAccessibleName(title);
    made->setWidget(content);
    window->addDockWidget(area, made);
    return made;
}

} // namespace

MainWindow::Impl::Impl(MainWindow* window, Services given) : self(window), services(std::move(given)) {
    readOnly = services.readOnly;
    readOnlyWhy = readOnly ? MainWindow::tr("The settings say read-only.") : QString();
    troubleInbox =
        std::make_unique<models::Inbox<cluster::DeltaBatch>>([this](std::vector<cluster::DeltaBatch> batches) {
            std::map<std::size_t, std::vector<cluster::DeltaBatch>> bySource;
            for (auto& batch : batches) {
                if (batch.subscription / 100 == generation) {
                    bySource[batch.subscription % 100].push_back(std::move(batch));
                }
            }
            for (const auto& [source, those] : bySource) {
                trouble->feed(sources[source], those);
            }
            numbers.start();
        });
    namespaceInbox =
        std::make_unique<models::Inbox<cluster::DeltaBatch>>([this](const std::vector<cluster::DeltaBatch>& batches) {
            for (const auto& batch : batches) {
                if (batch.subscription != generation) {
                    continue;
                }
                if (batch.reset) {
                    namespaceRows.clear();
                }
                for (const auto& key : batch.removals) {
                    namespaceRows.erase(key);
                }
                for (const auto& row : batch.upserts) {
                    namespaceRows[std::string(row->key)] = std::string(row->name);
                }
                namespacesComplete =
                    isFresh(batch.freshness) || batch.freshness.state == cluster::Freshness::State::Loading;
            }
            refreshNamespaces();
        });
    runInbox = std::make_unique<models::Inbox<std::pair<std::string, RunStatePtr>>>(
        [this](std::vector<std::pair<std::string, RunStatePtr>> changes) { runChanged(std::move(changes)); });
}

MainWindow::Impl::~Impl() {
    for (auto& entry : entries) { // all at once, before the first is joined
        if (entry.run) {
            entry.run->cancel();
        }
    }
}

void MainWindow::Impl::build() {
    trouble = new models::TroubleModel(services.clock, self);
    navigatorModel = new models::NavigatorModel(self);
    header = new HeaderStrip(self);
    navigator = new NavigatorView(navigatorModel, self);
    table = new TablePane(services.clock, trouble, self);
    details = new DetailsPane(services.clock, self);
    details->hide();
    incident = new IncidentDock(self);
    centre = new QSplitter(Qt::Vertical, self);
    centre->setObjectName(QStringLiteral("centre"));
    centre->addWidget(table);
    centre->addWidget(details);
    centre->setStretchFactor(0, 1);
    centre->setStretchFactor(1, 1);
    centre->setChildrenCollapsible(false);
    table->setMinimumHeight(140);
    details->setMinimumHeight(160);

    self->setMenuWidget(header);
    self->setCentralWidget(centre);
    auto* left =
        dock(self, MainWindow::tr("Navigator"), QStringLiteral("navigator"), navigator, Qt::LeftDockWidgetArea);
    auto* right = dock(self, MainWindow::tr("Incident"), QStringLiteral("incident"), incident, Qt::RightDockWidgetArea);
    navigator->setMinimumWidth(160);
    incident->setMinimumWidth(300);
    const int room = self->screen()->availableSize().width();
    const bool small = room >= self->minimumWidth() && room <= 1280;
    self->resizeDocks({left, right}, small ? QList<int>{196, 360} : QList<int>{224, 380}, Qt::Horizontal);

    activity = new ElidedLabel(Qt::ElideRight, self);
    activity->setTone(QStringLiteral("muted"));
    fault = new ElidedLabel(Qt::ElideRight, self);
    fault->setTone(QStringLiteral("bad"));
    fault->setMark(QStringLiteral("state-bad"));
    fault->hide();
    self->statusBar()->setSizeGripEnabled(false);
    self->statusBar()->setAccessibleName(MainWindow::tr("Activity"));
    self->statusBar()->addWidget(activity, 1);
    self->statusBar()->addPermanentWidget(fault);
    self->statusBar()->setContentsMargins(grid::s, 0, grid::s, 0);

    QObject::connect(header, &HeaderStrip::contextChosen, self,
                     [this](const QString& name) { openContext(name.toStdString()); });
    QObject::connect(header, &HeaderStrip::namespaceChosen, self,
                     [this](const QString& name) { setNamespace(name.toStdString()); });
    QObject::connect(header, &HeaderStrip::otherNamespaceAsked, self, [this] { askNamespace(); });
    QObject::connect(header, &HeaderStrip::filterChanged, self,
                     [this](const QString& text) { table->setFilter(text); });
    QObject::connect(header, &HeaderStrip::paletteAsked, self, [this] { showPalette(); });
    QObject::connect(header, &HeaderStrip::brakeToggled, self, [this](bool on) { setBrake(on); });
    QObject::connect(navigator, &NavigatorView::troubleChosen, self, [this] { showTrouble(); });
    QObject::connect(navigator, &NavigatorView::kindChosen, self,
                     [this](const guard::KindId& chosen) { showKind(chosen); });
    QObject::connect(table, &TablePane::freshnessChanged, self, [this] { refreshWords(); });
    QObject::connect(table, &TablePane::clearFilterAsked, self, [this] { header->setFilter({}); });
    QObject::connect(table->view(), &TableView::objectSelected, self, [this](const guard::ObjectRef& ref) {
        if (std::exchange(citedRow, {}) != ref.uid || ref.uid.empty()) {
            showDetails(ref);
        }
    });
    QObject::connect(table->view(), &TableView::objectActivated, self, [this](const guard::ObjectRef& ref) {
        showDetails(ref);
        details->setFocus();
    });
    QObject::connect(table->view(), &TableView::objectMenu, self,
                     [this](const guard::ObjectRef& ref, const QPoint& at) { objectMenu(ref, at); });
    QObject::connect(table->view(), &TableView::rowsPainted, self, [this] {
        if (!painted) {
            painted = true;
            Q_EMIT self->firstRowsPainted();
        }
    });
    QObject::connect(details, &DetailsPane::closeAsked, self, [this] { hideDetails(); });
    QObject::connect(details, &DetailsPane::objectAsked, self,
                     [this](const guard::ObjectRef& ref) { self->showObject(ref); });
    QObject::connect(incident, &IncidentDock::startRequested, self, [this] { startTriage(std::nullopt); });
    QObject::connect(incident, &IncidentDock::cancelRequested, self, [this] {
        if (Entry* entry = current(); entry != nullptr && entry->run) {
            entry->run->cancel();
        }
    });
    QObject::connect(incident, &IncidentDock::reviewRequested, self, [this] { self->reviewProposal(); });
    QObject::connect(incident, &IncidentDock::openObject, self,
                     [this](const guard::ObjectRef& ref) { self->showObject(ref); });
    QObject::connect(incident, &IncidentDock::openCitation, self,
                     [this](const Citation& citation, bool) { openCitation(citation); });
    saying.setSingleShot(true);
    saying.setInterval(8000);
    QObject::connect(&saying, &QTimer::timeout, self, [this] { connectionChanged(); });
    second.setInterval(1000);
    QObject::connect(&second, &QTimer::timeout, self, [this] { refreshWords(); });
    second.start();
    numbers.setSingleShot(true);
    numbers.setInterval(100);
    QObject::connect(&numbers, &QTimer::timeout, self, [this] { refreshNumbers(); });
    addCommands();
}

void MainWindow::Impl::restoreLayout() {
    const QSize room = self->screen()->availableSize();
    const bool usable = room.width() >= self->minimumWidth() && room.height() >= self->minimumHeight();
    self->resize(usable ? QSize(1360, 860).boundedTo(room) : QSize(1360, 860));
    if (!services.loadState) {
        return;
    }
    self->restoreGeometry(services.loadState(QStringLiteral("geometry")));
    self->restoreState(services.loadState(QStringLiteral("docks")));
    centre->restoreState(services.loadState(QStringLiteral("centre")));
}

/// `wanted`, or the current context. Never just any other: what is shown here can be changed from here.
void MainWindow::Impl::openFirst(const std::string& wanted) {
    auto listed = services.sessions->contexts();
    contexts = listed ? std::move(*listed) : std::vector<cluster::ContextEntry>{};
    std::string first = wanted;
    for (const auto& entry : contexts) {
        if (first.empty() && entry.current) {
            first = entry.name;
        }
    }
    if (!first.empty()) {
        openContext(first);
        return;
    }
    header->setContexts(contexts, {});
    navigatorModel->setTrouble(-1);
    // Asked for none, the factory says which file names none and what may be chosen.
    const auto opened = listed ? services.sessions->open({}) : tl::unexpected(listed.error());
    if (opened) {
        openContext((*opened)->info().context); // mended between the two questions
        return;
    }
    const guard::Error error = opened.error();
    table->showProblem(contexts.empty() ? errorTitle(error.code) : MainWindow::tr("No context is chosen"),
                       errorDetail(error) + QLatin1Char('\n') +
                           (contexts.empty() ? errorAdvice(error.code) : MainWindow::tr("Or choose one above.")),
                       MainWindow::tr("Try again"), [this] { openFirst({}); });
    refreshTitle();
    refreshStartable();
}

void MainWindow::Impl::openContext(const std::string& name) {
    watches.clear();
    ++generation;
    hideDetails();
    auto opened = services.sessions->open(name);
    header->setContexts(contexts, QString::fromStdString(name));
    if (!opened) {
        link.reset();
        navigatorModel->clearNumbers();
        navigatorModel->setTrouble(-1);
        const guard::Error error = opened.error();
        table->showProblem(errorTitle(error.code), errorDetail(error) + QLatin1Char('\n') + errorAdvice(error.code),
                           MainWindow::tr("Try again"), [this, name] { openContext(name); });
        refreshTitle();
        refreshStartable();
        return;
    }
    auto desk = services.desk ? services.desk(*opened) : nullptr;
    link = std::make_shared<ClusterLink>(*opened, std::move(desk));
    readOnly = services.readOnly || !link->desk();
    readOnlyWhy = services.readOnly ? MainWindow::tr("The settings say read-only.")
                  : link->desk()    ? QString()
                                    : MainWindow::tr("This connection has no write desk.");
    QObject::connect(link.get(), &ClusterLink::connectionChanged, self, [this] { connectionChanged(); });
    QObject::connect(link.get(), &ClusterLink::catalogChanged, self, [this] { catalogChanged(); });
    QObject::connect(link.get(), &ClusterLink::deskEvent, self,
                     [this](const guard::DeskEvent& event) { deskEvent(event); });
    const auto& info = link->info();
    header->setContexts(contexts, QString::fromStdString(info.context));
    const bool isProtected = services.protectedLists.contextProtected(info.context);
    const Tokens& t = tokensOf(QApplication::palette());
    header->setHue(isProtected ? t.bad : contextHue(QString::fromStdString(info.context), t), isProtected);
    header->setMarks(!info.tlsVerified, readOnly, readOnlyWhy);
    header->setBrake(link->desk() && link->desk()->brake().engaged(), link->desk() != nullptr && !services.readOnly);
    ns = info.ns;
    kind.reset();
    namespaceRows.clear();
    header->setNamespaces({}, QString::fromStdString(ns), false);
    watchCluster();
    showTrouble();
    connectionChanged();
    refreshStartable();
}

/// Trouble's sources and the namespace list, for the context and namespace in view.
void MainWindow::Impl::watchCluster() {
    watches.clear();
    ++generation;
    navigatorModel->clearNumbers();
    navigatorModel->setTrouble(-1);
    sources = troubleSources();
    trouble->restart(sources, ns.empty());
    for (std::size_t i = 0; i < sources.size(); ++i) {
        cluster::ListScope scope;
        scope.ns = sources[i].namespaced ? ns : std::string();
        watches.push_back(link->session()->subscribe(sources[i], scope, troubleInbox->mailbox(), generation * 100 + i));
    }
    watches.push_back(
        link->session()->subscribe(guard::kinds::namespaces(), {}, namespaceInbox->mailbox(), generation));
}

void MainWindow::Impl::say(const QString& text) {
    activity->setTone({});
    activity->setMark({});
    activity->setText(text);
    saying.start();
}

void MainWindow::Impl::connectionChanged() {
    if (!link) {
        return;
    }
    const auto& state = link->connection();
    using Kind = cluster::ConnectionState::Kind;
    const bool wrong = state.kind == Kind::Unreachable || state.kind == Kind::NeedsLogin || state.kind == Kind::Failed;
    refreshTitle();
    if (saying.isActive() && !wrong) {
        return;
    }
    activity->setTone(wrong ? QStringLiteral("bad") : QStringLiteral("muted"));
    activity->setMark(wrong ? QStringLiteral("state-bad") : QString());
    activity->setText(connectionText(state) + QStringLiteral("  ·  ") + models::shown(link->info().server));
}

void MainWindow::Impl::catalogChanged() {
    navigatorModel->setCatalog(*link->catalog());
    navigator->setHere(kind ? navigatorModel->indexOf(*kind) : navigatorModel->troubleIndex());
    refreshNumbers();
}

void MainWindow::Impl::showKind(const guard::KindId& chosen) {
    if (!link) {
        return;
    }
    kind = chosen;
    hideDetails();
    navigator->setHere(navigatorModel->indexOf(chosen));
    table->showKind(link->session(), chosen, ns);
    refreshTitle();
}

void MainWindow::Impl::showTrouble() {
    if (!link) {
        return;
    }
    kind.reset();
    hideDetails();
    navigator->setHere(navigatorModel->troubleIndex());
    table->showTrouble(ns);
    refreshTitle();
}

void MainWindow::Impl::setNamespace(const std::string& name) {
    if (!link || name == ns) {
        return;
    }
    ns = name;
    watchCluster();
    if (kind) {
        showKind(*kind);
    } else {
        showTrouble();
    }
    refreshStartable();
}

void MainWindow::Impl::refreshNumbers() {
    for (const auto& source : sources) {
        const auto objects = trouble->objects(source);
        navigatorModel->setNumbers(source, objects ? std::optional(static_cast<int>(*objects)) : std::nullopt,
                                   trouble->badge(source));
    }
    const bool known = trouble->freshness().state == cluster::Freshness::State::Live && trouble->incomplete().empty();
    const int inTrouble = trouble->rowCount();
    navigatorModel->setTrouble(inTrouble > 0 || known ? inTrouble : -1);
    refreshStartable();
}

QStringList MainWindow::Impl::namespaceNames() const {
    QStringList names;
    for (const auto& [key, name] : namespaceRows) {
        names << QString::fromStdString(name);
    }
    names.sort();
    return names;
}

void MainWindow::Impl::refreshNamespaces() {
    header->setNamespaces(namespaceNames(), QString::fromStdString(ns), namespacesComplete);
}

void MainWindow::Impl::refreshTitle() {
    QString title = QStringLiteral("Alidade");
    if (link) {
        title += QStringLiteral(" - ") + models::shown(link->info().context) + QLatin1Char('/') +
                 (ns.empty() ? MainWindow::tr("all namespaces") : models::shown(ns));
        if (link->desk() && link->desk()->brake().engaged()) {
            title += QStringLiteral("  ") + MainWindow::tr("BRAKE");
        }
        if (!link->info().tlsVerified) {
            title += QStringLiteral("  ") + MainWindow::tr("TLS OFF");
        }
    }
    self->setWindowTitle(title);
}

void MainWindow::Impl::refreshWords() {
    header->setFreshness(table->freshness(), table->freshnessTone());
    const auto error = link && link->desk() ? link->desk()->auditFault() : std::nullopt;
    fault->setVisible(error.has_value());
    if (error) {
        fault->setText(
            MainWindow::tr("Writes are disabled: the audit record cannot be written: %1").arg(errorDetail(*error)));
    }
}

void MainWindow::Impl::showDetails(const guard::ObjectRef& ref) {
    if (!link || ref.key.name.empty()) {
        return;
    }
    details->show(link->session(), ref);
    revealDetails();
}

void MainWindow::Impl::revealDetails() {
    if (!details->isVisibleTo(self)) {
        details->show();
        const int height = centre->height();
        centre->setSizes({height * 45 / 100, height * 55 / 100});
    }
}

void MainWindow::Impl::hideDetails() {
    if (details->isVisibleTo(self)) {
        details->hide();
        details->clear();
        table->view()->setFocus();
    }
}

void MainWindow::Impl::escape() {
    if (!header->filter().isEmpty()) {
        header->setFilter({});
    } else if (details->isVisibleTo(self)) {
        hideDetails();
        table->view()->clearSelection();
    } else if (kind) {
        showTrouble();
    }
    table->view()->setFocus();
}

std::optional<guard::KindId> MainWindow::Impl::kindNamed(const std::string& word) const {
    if (link && link->catalog()) {
        if (const auto* found = link->catalog()->find(std::string_view(word))) {
            return found->id;
        }
    }
    for (const auto* known :
         {&guard::kinds::pods(), &guard::kinds::deployments(), &guard::kinds::replicaSets(), &guard::kinds::services(),
          &guard::kinds::configMaps(), &guard::kinds::secrets(), &guard::kinds::nodes(), &guard::kinds::namespaces(),
          &guard::kinds::events(), &guard::kinds::endpointSlices(), &guard::kinds::statefulSets(),
          &guard::kinds::daemonSets()}) {
        if (known->resource == word || models::folded(known->kind) == models::folded(word)) {
            return *known;
        }
    }
    return std::nullopt;
}

guard::ObjectRef MainWindow::Impl::resolved(const guard::ObjectRef& ref) const {
    guard::ObjectRef out = ref;
    if (out.key.kind.resource.empty()) {
        if (const auto found = kindNamed(out.key.kind.kind)) {
            out.key.kind = *found;
        }
    }
    if (!out.key.kind.namespaced) {
        out.key.ns.clear();
    }
    return out;
}

MainWindow::MainWindow(Services services, WindowOptions options, QWidget* parent)
    : QMainWindow(parent), impl_(std::make_unique<Impl>(this, std::move(services))) {
    setWindowIcon(icon(QStringLiteral("alidade")));
    setAccessibleName(tr("Alidade"));
    setMinimumSize(900, 600);
    impl_->build();
    impl_->restoreLayout();
    impl_->openFirst(options.context);
    if (options.ns == "*") {
        setNamespace({});
    } else if (!options.ns.empty()) {
        setNamespace(QString::fromStdString(options.ns));
    }
}

MainWindow::~MainWindow() {
    for (auto* child : findChildren<QObject*>()) { // what they say while they go would reach an empty shell
        child->disconnect(this);
    }
}

void MainWindow::showKind(const QString& word) {
    if (word.compare(QStringLiteral("trouble"), Qt::CaseInsensitive) == 0) {
        impl_->showTrouble();
    } else if (const auto found = impl_->kindNamed(word.toStdString())) {
        impl_->showKind(*found);
    }
}

void MainWindow::setNamespace(const QString& ns) {
    impl_->setNamespace(ns.toStdString());
    impl_->refreshNamespaces();
}

void MainWindow::showObject(const guard::ObjectRef& ref) {
    if (!impl_->link) {
        return;
    }
    const guard::ObjectRef object = impl_->resolved(ref);
    if (object.key.kind.resource.empty()) {
        return;
    }
    if (!object.key.ns.empty() && !impl_->ns.empty() && object.key.ns != impl_->ns) {
        setNamespace(QString::fromStdString(object.key.ns));
    }
    if (!impl_->kind || !(*impl_->kind == object.key.kind)) {
        impl_->showKind(object.key.kind);
    }
    impl_->table->view()->selectKey(object.uid);
    impl_->showDetails(object);
}

std::shared_ptr<cluster::ClusterSession> MainWindow::session() const {
    return impl_->link ? impl_->link->session() : nullptr;
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (impl_->services.saveState) {
        impl_->services.saveState(QStringLiteral("geometry"), saveGeometry());
        impl_->services.saveState(QStringLiteral("docks"), saveState());
        impl_->services.saveState(QStringLiteral("centre"), impl_->centre->saveState());
    }
    QMainWindow::closeEvent(event);
}

bool MainWindow::event(QEvent* event) {
    const bool taken = QMainWindow::event(event);
    if (event->type() == QEvent::ApplicationPaletteChange && impl_ && impl_->link) {
        const Tokens& t = tokensOf(QApplication::palette());
        const auto& context = impl_->link->info().context;
        const bool isProtected = impl_->services.protectedLists.contextProtected(context);
        impl_->header->setHue(isProtected ? t.bad : contextHue(QString::fromStdString(context), t), isProtected);
    }
    return taken;
}

} // namespace alidade::ui
