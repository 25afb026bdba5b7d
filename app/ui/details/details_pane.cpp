// SPDX-License-Identifier: GPL-3.0-or-later
#include "details/details_pane.hpp"

#include <nlohmann/json.hpp>

#include <QApplication>
#include <QHBoxLayout>
#include <QStackedWidget>
#include <QTabBar>
#include <QTextBlock>
#include <QVBoxLayout>

#include "alidade/models/text.hpp"
#include "parts/words.hpp"
#include "theme/tokens.hpp"

namespace alidade::ui {

DetailsPane::DetailsPane(std::shared_ptr<const guard::Clock> clock, QWidget* parent)
    : QWidget(parent), clock_(std::move(clock)), title_(new ElidedLabel(Qt::ElideMiddle, this)),
      notice_(textLabel({}, this, QStringLiteral("warn"))), tabs_(new QTabWidget(this)),
      overview_(new OverviewView(this)), yaml_(new YamlView(this)), eventsStack_(new QStackedWidget(this)),
      events_(new models::RowTableModel(clock_, this)), eventsView_(new TableView(clock_, this)),
      noEvents_(new EmptyState(this)), logs_(new LogView(this)), relations_(new RelationsView(clock_, this)),
      evidence_(new QPlainTextEdit(this)) {
    title_->setFont(headingFont(2));
    notice_->setMargin(grid::s);
    notice_->hide();
    eventsView_->setRows(events_);
    eventsView_->setAccessibleName(tr("Events"));
    eventsStack_->addWidget(noEvents_);
    eventsStack_->addWidget(eventsView_);
    tabs_->setDocumentMode(true);
    tabs_->addTab(overview_, tr("Overview"));
    tabs_->addTab(yaml_, tr("YAML"));
    tabs_->addTab(eventsStack_, tr("Events"));
    tabs_->addTab(logs_, tr("Logs"));
    tabs_->addTab(relations_, tr("Relations"));
    tabs_->addTab(evidence_, tr("Evidence"));
    tabs_->setTabVisible(static_cast<int>(Tab::Evidence), false);
    evidence_->setReadOnly(true);
    evidence_->setFont(monoFont());
    evidence_->setFrameShape(QFrame::NoFrame);
    evidence_->setLineWrapMode(QPlainTextEdit::NoWrap);
    evidence_->setAccessibleName(tr("Evidence as it was read"));
    tabs_->setAccessibleName(tr("Details"));
    tabs_->tabBar()->setAccessibleName(tr("Details"));
    tabs_->tabBar()->setExpanding(false);

    auto* close = iconButton(QStringLiteral("close"), tr("Close the details"), this);
    connect(close, &QToolButton::clicked, this, &DetailsPane::closeAsked);
    auto* caption = new QHBoxLayout;
    caption->setContentsMargins(grid::s, grid::xs, grid::xs, 0);
    caption->addWidget(title_, 1);
    caption->addWidget(close);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(caption);
    column->addWidget(notice_);
    column->addWidget(tabs_, 1);

    inbox_ = std::make_unique<models::Inbox<Change>>([this](const std::vector<Change>& changes) {
        for (auto it = changes.rbegin(); it != changes.rend(); ++it) { // the newest is all that matters
            if (it->generation == generation_) {
                take(*it);
                return;
            }
        }
    });
    eventInbox_ =
        std::make_unique<models::Inbox<cluster::DeltaBatch>>([this](std::vector<cluster::DeltaBatch> batches) {
            std::erase_if(batches, [this](const auto& b) { return b.subscription != generation_; });
            events_->apply(batches);
            applyPendingAnchor();
        });
    connect(events_, &models::RowTableModel::countsChanged, this, [this] {
        const auto& freshness = events_->freshness();
        if (events_->rowCount() > 0) {
            eventsStack_->setCurrentWidget(eventsView_);
        } else {
            const bool answered = isFresh(freshness);
            noEvents_->show(QStringLiteral("state-unknown"), QStringLiteral("muted"),
                            answered ? tr("No events about this object") : tr("Reading events"),
                            answered ? tr("The server keeps events for about an hour.")
                                     : freshnessText(freshness, clock_->wall()));
            eventsStack_->setCurrentWidget(noEvents_);
        }
    });
    connect(tabs_, &QTabWidget::currentChanged, this, [this](int index) {
        if (static_cast<Tab>(index) == Tab::Yaml) {
            fillYaml();
        } else if (static_cast<Tab>(index) == Tab::Events) {
            watchEvents();
        }
    });
    connect(overview_, &OverviewView::ownerAsked, this, &DetailsPane::showOwner);
    connect(relations_, &RelationsView::objectAsked, this, &DetailsPane::objectAsked);
    connect(overview_, &OverviewView::logAsked, this, [this](const QString&) { showTab(Tab::Logs); });
}

DetailsPane::~DetailsPane() = default;

void DetailsPane::show(const std::shared_ptr<cluster::ClusterSession>& session, const guard::ObjectRef& ref) {
    if (ref_ == ref && session == session_) {
        return;
    }
    watch_.reset();
    eventWatch_.reset();
    ++generation_;
    session_ = session;
    ref_ = ref;
    object_.reset();
    pending_.reset();
    gone_ = false;
    yamlStale_ = true;
    announce({});
    showObjectTabs(true);
    tabs_->setTabVisible(static_cast<int>(Tab::Evidence), false);
    title_->setText(objectText(ref.key));
    overview_->clear();
    yaml_->clear();
    events_->begin(guard::kinds::events(), false);
    const bool isPod = ref.key.kind == guard::kinds::pods();
    const int logsTab = static_cast<int>(Tab::Logs);
    tabs_->setTabEnabled(logsTab, isPod);
    tabs_->setTabToolTip(logsTab, models::plainTip(isPod ? QString() : tr("Logs belong to pods")));
    if (isPod) {
        logs_->setPod(session, ref.key, {});
    } else {
        logs_->clear();
        if (tab() == Tab::Logs) {
            showTab(Tab::Overview);
        }
    }
    relations_->setObject(session, ref);
    watch_ = session_->watchObject(
        ref, [post = inbox_->poster(), generation = generation_](guard::Result<guard::Raw<nlohmann::json>> object) {
            post({generation, std::make_shared<guard::Result<guard::Raw<nlohmann::json>>>(std::move(object))});
        });
    if (tab() == Tab::Events) {
        watchEvents();
    }
}

void DetailsPane::clear() {
    watch_.reset();
    eventWatch_.reset();
    ++generation_;
    session_.reset();
    ref_.reset();
    object_.reset();
    logs_->clear();
    relations_->clear();
    overview_->clear();
    yaml_->clear();
    title_->setText({});
    announce({});
}

/// Evidence of no one object stands alone.
void DetailsPane::showObjectTabs(bool on) {
    for (const auto each : {Tab::Overview, Tab::Yaml, Tab::Events, Tab::Logs, Tab::Relations}) {
        tabs_->setTabVisible(static_cast<int>(each), on);
    }
}

void DetailsPane::showTab(Tab tab) { tabs_->setCurrentIndex(static_cast<int>(tab)); }

void DetailsPane::watchEvents() {
    if (eventWatch_ || !ref_ || !session_) {
        return;
    }
    cluster::ListScope scope;
    scope.ns = ref_->key.ns.empty() ? "default" : ref_->key.ns;
    scope.fieldSelector =
        ref_->uid.empty() ? "involvedObject.name=" + ref_->key.name : "involvedObject.uid=" + ref_->uid;
    eventWatch_ = session_->subscribe(guard::kinds::events(), scope, eventInbox_->mailbox(), generation_);
}

void DetailsPane::announce(const QString& text) {
    notice_->setText(text);
    notice_->setVisible(!text.isEmpty());
}

void DetailsPane::take(const Change& change) {
    if (!*change.object) {
        const guard::Error& error = change.object->error();
        if (error.code == guard::ErrorCode::NotFound || error.code == guard::ErrorCode::Gone) {
            gone_ = true;
            announce(object_ ? tr("Deleted. What you see is its last known state.")
                             : tr("This object is not there any more."));
        } else {
            announce(errorTitle(error.code) + QStringLiteral(": ") + errorDetail(error));
        }
        applyPendingAnchor();
        return;
    }
    object_ = change.object;
    const auto& json = (*object_)->value();
    const models::OverviewFacts facts = models::overviewOf(ref_->key.kind, json);
    if (!ref_->uid.empty() && !facts.uid.empty() && facts.uid != ref_->uid) {
        announce(tr("Replaced: the object you asked for is gone; this one has its name and was created later."));
    } else if (gone_) {
        gone_ = false;
        announce({});
    }
    overview_->setFacts(facts);
    if (ref_->key.kind == guard::kinds::pods()) {
        logs_->setContainers(facts.containerNames);
    }
    yamlStale_ = true;
    if (tab() == Tab::Yaml) {
        fillYaml();
    }
    applyPendingAnchor();
}

void DetailsPane::fillYaml() {
    if (yamlStale_ && object_ && *object_) {
        yamlStale_ = false;
        yaml_->setDocument(models::toYaml((*object_)->value()));
    }
}

void DetailsPane::showEvidence(const guard::Evidence& evidence, const std::optional<guard::Anchor>& anchor) {
    const int tab = static_cast<int>(Tab::Evidence);
    tabs_->setTabText(tab, tr("Evidence %1").arg(QString::fromStdString(evidence.ref.text())));
    tabs_->setTabToolTip(
        tab, models::plainTip(
                 tr("%1, read at %2").arg(models::shown(evidence.title), models::fullTimeText(evidence.readAt))));
    tabs_->setTabVisible(tab, true);
    QStringList lines;
    int cited = -1;
    for (const auto& line : evidence.lines) {
        if (cited < 0 && anchor && line.anchor == *anchor) {
            cited = static_cast<int>(lines.size());
        }
        lines << models::shown(line.text);
    }
    if (evidence.cut) {
        lines << tr("(cut: more was read than is kept)");
    }
    evidence_->setPlainText(lines.join(u'\n'));
    evidence_->setExtraSelections({});
    if (cited >= 0) {
        QTextEdit::ExtraSelection mark;
        mark.cursor = QTextCursor(evidence_->document()->findBlockByNumber(cited));
        mark.format.setBackground(tokensOf(QApplication::palette()).changed);
        mark.format.setProperty(QTextFormat::FullWidthSelection, true);
        evidence_->setExtraSelections({mark});
        evidence_->setTextCursor(mark.cursor);
        evidence_->centerCursor();
    }
    if (!ref_) {
        title_->setText(models::shown(evidence.title));
        show();
    }
    showObjectTabs(ref_.has_value());
    tabs_->setCurrentIndex(tab);
}

void DetailsPane::showAnchor(const guard::Anchor& anchor, const QString& storedText) {
    if (const auto* line = std::get_if<guard::anchor::LogLine>(&anchor)) {
        showTab(Tab::Logs);
        logs_->showLine(*line, storedText);
        return;
    }
    pending_ = {anchor, storedText};
    if (std::holds_alternative<guard::anchor::Field>(anchor)) {
        showTab(Tab::Yaml);
    } else if (std::holds_alternative<guard::anchor::Event>(anchor)) {
        showTab(Tab::Events);
        watchEvents();
    } else { // a section or a cell: the stored text is the place
        showTab(Tab::Evidence);
    }
    applyPendingAnchor();
}

void DetailsPane::applyPendingAnchor() {
    if (!pending_) {
        return;
    }
    const auto& [anchor, storedText] = *pending_;
    const QString asRead = tr("As it was read: %1").arg(storedText);
    if (const auto* field = std::get_if<guard::anchor::Field>(&anchor)) {
        if (!object_) {
            if (gone_) {
                announce(tr("No longer on the server.") + QLatin1Char(' ') + asRead);
                pending_.reset();
            }
            return;
        }
        fillYaml();
        if (!yaml_->showField(field->pointer)) {
            announce(tr("The field is no longer there.") + QLatin1Char(' ') + asRead);
        }
        pending_.reset();
    } else if (const auto* event = std::get_if<guard::anchor::Event>(&anchor)) {
        if (events_->find(event->uid)) {
            eventsView_->selectKey(event->uid);
            pending_.reset();
        } else if (isFresh(events_->freshness())) {
            announce(tr("The event is no longer on the server.") + QLatin1Char(' ') + asRead);
            pending_.reset();
        }
    } else {
        if (gone_) {
            announce(tr("No longer on the server.") + QLatin1Char(' ') + asRead);
        }
        pending_.reset();
    }
}

void DetailsPane::showOwner(const models::OwnerFact& owner) {
    guard::ObjectRef ref;
    const auto slash = owner.apiVersion.find('/');
    ref.key.kind.group = slash == std::string::npos ? std::string() : owner.apiVersion.substr(0, slash);
    ref.key.kind.version = slash == std::string::npos ? owner.apiVersion : owner.apiVersion.substr(slash + 1);
    ref.key.kind.kind = owner.kind.toStdString();
    ref.key.ns = ref_ ? ref_->key.ns : std::string();
    ref.key.name = owner.name.toStdString();
    ref.uid = owner.uid;
    Q_EMIT objectAsked(ref); // the window resolves the resource name from discovery
}

} // namespace alidade::ui
