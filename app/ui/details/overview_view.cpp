// SPDX-License-Identifier: GPL-3.0-or-later
#include "details/overview_view.hpp"

#include <QGridLayout>
#include <QScrollBar>
#include <QVBoxLayout>

#include "alidade/models/text.hpp"
#include "parts/parts.hpp"
#include "parts/words.hpp"
#include "theme/tokens.hpp"

namespace alidade::ui {
namespace {

constexpr qsizetype longest = 300;

QString toneOf(cluster::Health health) {
    switch (health) {
    case cluster::Health::Bad: return QStringLiteral("bad");
    case cluster::Health::Warning: return QStringLiteral("warn");
    case cluster::Health::Ok: return QStringLiteral("good");
    case cluster::Health::Progressing: return QStringLiteral("accent");
    default: return QStringLiteral("muted");
    }
}

ElidedLabel* stateLabel(cluster::Health health, const QString& text, QWidget* parent) {
    auto* label = new ElidedLabel(Qt::ElideRight, parent);
    label->setMark(QString::fromLatin1(markOf(health, tokensOf(parent->palette())).shape));
    label->setTone(toneOf(health));
    label->setText(text);
    return label;
}

QGridLayout* grid2(QVBoxLayout* column) {
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(grid::l);
    grid->setVerticalSpacing(grid::xs);
    grid->setColumnStretch(1, 1);
    column->addLayout(grid);
    return grid;
}

/// What setFacts() would show, to leave the page alone when nothing differs.
QString digestOf(const models::OverviewFacts& f) {
    QString out;
    for (const auto& [a, b] : f.facts) {
        out += a + u'=' + b + u'\n';
    }
    for (const auto& c : f.conditions) {
        out += c.type + u'=' + c.status + c.reason + c.message + u'\n';
    }
    for (const auto& c : f.containers) {
        out += c.name + c.image + c.state + c.message + c.last + QString::number(c.restarts) +
               QString::number(c.ready) + u'\n';
    }
    for (const auto& [a, b] : f.labels) {
        out += a + u'=' + b + u'\n';
    }
    for (const auto& [a, b] : f.annotations) {
        out += a + u'=' + b.left(longest) + u'\n';
    }
    return out + QString::number(f.owners.size()) + QString::number(f.deleting) + QString::number(f.isProtected);
}

} // namespace

OverviewView::OverviewView(QWidget* parent) : QScrollArea(parent) {
    setWidgetResizable(true);
    setFrameShape(NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAccessibleName(tr("Overview"));
    setBackgroundRole(QPalette::Base);
    clear();
}

void OverviewView::clear() {
    shownDigest_.clear();
    rebuild({});
}

void OverviewView::setFacts(const models::OverviewFacts& facts) {
    const QString digest = digestOf(facts);
    if (digest == shownDigest_) {
        return;
    }
    shownDigest_ = digest;
    const int scroll = verticalScrollBar()->value();
    rebuild(facts);
    verticalScrollBar()->setValue(scroll);
}

void OverviewView::rebuild(const models::OverviewFacts& facts) {
    page_ = new QWidget;
    page_->setBackgroundRole(QPalette::Base);
    page_->setAutoFillBackground(true);
    auto* column = new QVBoxLayout(page_);
    column->setContentsMargins(grid::m, grid::m, grid::m, grid::m);
    column->setSpacing(grid::s);
    if (facts.deleting) {
        auto* label = new ElidedLabel(Qt::ElideRight, page_);
        label->setMark(QStringLiteral("state-waiting"));
        label->setTone(QStringLiteral("warn"));
        label->setText(tr("Being deleted"));
        column->addWidget(label);
    }
    if (facts.isProtected) {
        auto* label = new ElidedLabel(Qt::ElideRight, page_);
        label->setMark(QStringLiteral("lock"));
        label->setTone(QStringLiteral("blocked"));
        label->setText(tr("PROTECTED by annotation: runs may not change it"));
        column->addWidget(label);
    }
    addConditions(facts, column);
    addContainers(facts, column);
    if (!facts.owners.empty()) {
        column->addWidget(groupLabel(tr("Owned by"), page_));
        for (const auto& owner : facts.owners) {
            auto* link = new LinkLabel(owner.kind + QLatin1Char(' ') + owner.name, page_);
            link->setAccessibleName(tr("Open %1 %2").arg(owner.kind, owner.name));
            connect(link, &QAbstractButton::clicked, this, [this, owner] { Q_EMIT ownerAsked(owner); });
            column->addWidget(link);
        }
        column->addSpacing(grid::xs);
    }
    addPairs(tr("Facts"), facts.facts, column);
    addPairs(tr("Labels"), facts.labels, column);
    addPairs(tr("Annotations"), facts.annotations, column);
    column->addStretch(1);
    setWidget(page_);
}

void OverviewView::addConditions(const models::OverviewFacts& facts, QVBoxLayout* column) {
    if (facts.conditions.empty()) {
        return;
    }
    column->addWidget(groupLabel(tr("Conditions"), page_));
    auto* grid = grid2(column);
    int row = 0;
    for (const auto& condition : facts.conditions) {
        auto* state = stateLabel(condition.bad ? cluster::Health::Bad : cluster::Health::Ok,
                                 condition.type + QStringLiteral(": ") + condition.status, page_);
        state->setMinimumWidth(180);
        QString text = condition.reason;
        if (!condition.message.isEmpty()) {
            text += (text.isEmpty() ? QString() : QStringLiteral(" — ")) + condition.message.left(longest);
        }
        if (const auto since = guard::parseRfc3339(condition.since.toStdString())) {
            state->setToolTip(models::plainTip(tr("%1 since %2").arg(state->text(), models::fullTimeText(*since))));
        }
        grid->addWidget(state, row, 0, Qt::AlignTop);
        if (!text.isEmpty()) {
            grid->addWidget(textLabel(text, page_, QStringLiteral("muted")), row, 1);
        }
        ++row;
    }
    column->addSpacing(grid::xs);
}

void OverviewView::addContainers(const models::OverviewFacts& facts, QVBoxLayout* column) {
    if (facts.containers.empty()) {
        return;
    }
    column->addWidget(groupLabel(tr("Containers"), page_));
    auto* grid = grid2(column);
    grid->setColumnMinimumWidth(0, 100);
    int row = 0;
    for (const auto& container : facts.containers) {
        auto* name = new LinkLabel(container.init ? tr("%1 (init)").arg(container.name) : container.name, page_);
        name->setAccessibleName(tr("Log of container %1").arg(container.name));
        name->setToolTip(tr("Open the log"));
        name->setEnabled(!container.state.isEmpty());
        connect(name, &QAbstractButton::clicked, this, [this, log = container.name] { Q_EMIT logAsked(log); });
        auto* image = new ElidedLabel(Qt::ElideMiddle, page_);
        image->setFont(monoFont());
        image->setText(container.image);
        grid->addWidget(name, row, 0, Qt::AlignTop);
        grid->addWidget(image, row, 1);
        ++row;
        if (container.state.isEmpty()) {
            continue;
        }
        QString text = container.state;
        if (container.restarts > 0) {
            text += QStringLiteral("  ·  ") + tr("%n restart(s)", nullptr, container.restarts);
        }
        if (!container.last.isEmpty()) {
            text += QStringLiteral("  ·  ") + tr("before: %1").arg(container.last);
        }
        grid->addWidget(stateLabel(container.health, text, page_), row, 1);
        ++row;
        if (!container.message.isEmpty()) {
            grid->addWidget(textLabel(container.message.left(longest), page_, QStringLiteral("muted")), row, 1);
            ++row;
        }
    }
    column->addSpacing(grid::xs);
}

void OverviewView::addPairs(const QString& title, const std::vector<std::pair<QString, QString>>& pairs,
                            QVBoxLayout* column) {
    if (pairs.empty()) {
        return;
    }
    column->addWidget(groupLabel(title, page_));
    auto* grid = grid2(column);
    int row = 0;
    for (const auto& [key, value] : pairs) {
        auto* name = new ElidedLabel(Qt::ElideMiddle, page_);
        name->setTone(QStringLiteral("muted"));
        name->setText(key);
        name->setMinimumWidth(100);
        name->setMaximumWidth(260);
        const bool cut = value.size() > longest;
        if (value.isEmpty()) {
            grid->addWidget(name, row++, 0, Qt::AlignTop);
            continue;
        }
        auto* text = textLabel(cut ? value.left(longest) + QStringLiteral(" …") : value, page_);
        if (cut) {
            text->setToolTip(tr("%n character(s); see the YAML", nullptr, static_cast<int>(value.size())));
        }
        grid->addWidget(name, row, 0, Qt::AlignTop);
        grid->addWidget(text, row, 1);
        ++row;
    }
    column->addSpacing(grid::xs);
}

} // namespace alidade::ui
