// SPDX-License-Identifier: GPL-3.0-or-later
#include "approval/decision_view.hpp"

#include <algorithm>

#include <QApplication>
#include <QEvent>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QSyntaxHighlighter>
#include <QTextDocument>
#include <QVBoxLayout>

#include "alidade/guard/text.hpp"
#include "alidade/models/text.hpp"
#include "parts/parts.hpp"
#include "theme/tokens.hpp"

namespace alidade::ui {

namespace {

/// Cluster text as a person may read it: control, bidi and tag characters made visible.
QString harmless(const std::string& text) { return QString::fromStdString(guard::visibleText(text, true)); }

QLabel* plainLabel(QWidget* parent) {
    auto* label = new QLabel(parent);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

void setScaled(QLabel* label, double factor, bool bold) {
    QFont font = label->font();
    font.setPointSizeF(font.pointSizeF() * factor);
    font.setWeight(bold ? QFont::DemiBold : QFont::Normal);
    label->setFont(font);
}

void setInk(QLabel* label, const QColor& colour) {
    QPalette palette = label->palette();
    palette.setColor(QPalette::WindowText, colour);
    label->setPalette(palette);
}

/// Sign and tint together tell added from removed.
class DiffColours final : public QSyntaxHighlighter {
public:
    using QSyntaxHighlighter::QSyntaxHighlighter;

protected:
    void highlightBlock(const QString& line) override {
        const Tokens& tokens = tokensOf(QApplication::palette());
        QTextCharFormat format;
        QColor tint;
        if (line.startsWith(QLatin1Char('+'))) {
            format.setForeground(tokens.good);
            tint = tokens.good;
        } else if (line.startsWith(QLatin1Char('-'))) {
            format.setForeground(tokens.bad);
            tint = tokens.bad;
        } else {
            format.setForeground(line.startsWith(QLatin1Char('@')) ? tokens.info : tokens.muted);
        }
        if (tint.isValid()) {
            tint.setAlphaF(0.10F);
            format.setBackground(tint);
        }
        setFormat(0, static_cast<int>(line.size()), format);
    }
};

QString riskText(guard::Risk risk) {
    switch (risk) {
    case guard::Risk::Low: return DecisionView::tr("Low risk");
    case guard::Risk::Medium: return DecisionView::tr("Medium risk");
    case guard::Risk::High: return DecisionView::tr("High risk");
    case guard::Risk::Critical: return DecisionView::tr("Critical risk");
    }
    return {};
}

QColor riskColour(guard::Risk risk) {
    const Tokens& tokens = tokensOf(QApplication::palette());
    switch (risk) {
    case guard::Risk::Low: return tokens.good;
    case guard::Risk::Medium: return tokens.warn;
    case guard::Risk::High:
    case guard::Risk::Critical: return tokens.bad;
    }
    return tokens.text;
}

QString objectText(const guard::ObjectKey& key) {
    return QString::fromStdString(key.kind.kind) + QLatin1Char(' ') + harmless(key.name);
}

QString accessText(const guard::AccessReview& review) {
    switch (review.access) {
    case guard::Access::Allowed: return DecisionView::tr("You may %1.").arg(harmless(review.verb));
    case guard::Access::Denied:
        return DecisionView::tr("You may not %1: %2").arg(harmless(review.verb), harmless(review.reason));
    case guard::Access::Unknown:
        return DecisionView::tr("Whether you may %1 is not known: %2")
            .arg(harmless(review.verb), harmless(review.reason));
    }
    return {};
}

QString healText(const guard::HealCheck& heal) {
    const auto hold = static_cast<int>(heal.hold.count() / 1000);
    const auto window = static_cast<int>(heal.window.count() / 1000);
    if (heal.signal == guard::HealCheck::Signal::Gone)
        return DecisionView::tr("Verified when the object is gone, within %n second(s).", nullptr, window);
    return DecisionView::tr("Verified when every replica is ready for %1 s, within %2 s.").arg(hold).arg(window);
}

void clear(QLayout* layout) {
    while (QLayoutItem* item = layout->takeAt(0)) {
        if (item->layout() != nullptr)
            clear(item->layout());
        delete item->widget();
        delete item;
    }
}

} // namespace

QString actionVerb(const guard::Action& action) {
    switch (action.kind()) {
    case guard::ActionKind::Rollback: return DecisionView::tr("Roll back");
    case guard::ActionKind::Scale: return DecisionView::tr("Scale");
    case guard::ActionKind::Restart: return DecisionView::tr("Restart");
    case guard::ActionKind::Delete: return DecisionView::tr("Delete");
    }
    return {};
}

QString actionHeading(const guard::Action& action) {
    const QString object = objectText(action.target.key);
    if (const auto* rollback = std::get_if<guard::Rollback>(&action.change))
        return DecisionView::tr("Roll back %1 to revision %2").arg(object).arg(rollback->toRevision);
    if (const auto* scale = std::get_if<guard::Scale>(&action.change))
        return DecisionView::tr("Scale %1 to %n replica(s)", nullptr, scale->replicas).arg(object);
    if (std::holds_alternative<guard::Restart>(action.change))
        return DecisionView::tr("Restart %1").arg(object);
    return DecisionView::tr("Delete %1").arg(object);
}

QString impactText(const guard::ProposalItem& item) {
    QStringList lines;
    for (const std::string& note : item.impact.notes) {
        QString text = harmless(note);
        lines << text.replace(0, 1, text.left(1).toUpper());
    }
    if (!item.impact.available) {
        lines << DecisionView::tr("Who depends on it could not be read.");
    } else {
        const QString count =
            QString::fromStdString(guard::countText(item.impact.dependents.size(), item.impact.complete));
        QString line = item.impact.dependents.empty() && item.impact.complete
                           ? DecisionView::tr("Nothing else depends on it.")
                           : DecisionView::tr("Dependents: %1").arg(count);
        QStringList names;
        for (const guard::ImpactEntry& entry : item.impact.dependents)
            names << objectText(entry.object);
        constexpr qsizetype shown = 6;
        if (names.size() > shown)
            names =
                names.mid(0, shown) << DecisionView::tr("and %n more", nullptr, static_cast<int>(names.size() - shown));
        if (!names.isEmpty())
            line += QStringLiteral(" — ") + names.join(QStringLiteral(", "));
        lines << line;
    }
    for (const guard::Gap& gap : item.impact.gaps)
        lines << DecisionView::tr("Not read: %1 (%2)").arg(harmless(gap.source), harmless(gap.reason));
    return lines.join(QLatin1Char('\n'));
}

DecisionView::DecisionView(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("What is to be approved"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);

    heading_ = plainLabel(this);
    setScaled(heading_, 1.5, true);
    heading_->setObjectName(QStringLiteral("heading"));
    where_ = plainLabel(this);
    risk_ = plainLabel(this);
    risk_->setWordWrap(false);
    setScaled(risk_, 1.0, true);
    auto* line = new QHBoxLayout;
    line->setSpacing(16);
    line->addWidget(where_, 1);
    line->addWidget(risk_, 0, Qt::AlignRight | Qt::AlignTop);

    why_ = new QWidget(this);
    whyLayout_ = new QVBoxLayout(why_);
    whyLayout_->setContentsMargins(0, 4, 0, 4);
    whyLayout_->setSpacing(4);

    diffTitle_ = plainLabel(this);
    setScaled(diffTitle_, 1.0, true);
    diff_ = new QPlainTextEdit(this);
    diff_->setReadOnly(true);
    diff_->setLineWrapMode(QPlainTextEdit::NoWrap);
    diff_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    diff_->setAccessibleName(tr("Dry-run difference"));
    diff_->setMinimumHeight(120);
    new DiffColours(diff_->document());
    moreLines_ = plainLabel(this);

    impactTitle_ = plainLabel(this);
    setScaled(impactTitle_, 1.0, true);
    impact_ = plainLabel(this);
    impact_->setAccessibleName(tr("Impact"));
    conditions_ = plainLabel(this);
    digest_ = plainLabel(this);
    QFont small = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    small.setPointSizeF(small.pointSizeF() * 0.9);
    conditions_->setFont(small);
    digest_->setFont(small);

    layout->addWidget(heading_);
    layout->addLayout(line);
    layout->addWidget(why_);
    layout->addWidget(diffTitle_);
    layout->addWidget(diff_, 1);
    layout->addWidget(moreLines_);
    layout->addWidget(impactTitle_);
    layout->addWidget(impact_);
    layout->addSpacing(4);
    layout->addWidget(conditions_);
    layout->addWidget(digest_);
    layout->addStretch(0); // where there is no diff to take the room

    for (QWidget* watched : {static_cast<QWidget*>(heading_), static_cast<QWidget*>(risk_)})
        watched->installEventFilter(this);
    connect(diff_->verticalScrollBar(), &QScrollBar::rangeChanged, this, [this](int, int maximum) {
        moreLines_->setVisible(maximum > 0);
        moreLines_->setText(tr("%n more line(s): scroll to read them", nullptr, maximum));
    });
    moreLines_->hide();
}

void DecisionView::showHeading(const std::vector<guard::Action>& actions, const QString& context) {
    if (actions.empty())
        return;
    const guard::Action& first = actions.front();
    heading_->setText(
        actions.size() == 1
            ? actionHeading(first)
            : tr("%1, and %n more", nullptr, static_cast<int>(actions.size() - 1)).arg(actionHeading(first)));
    where_->setText(first.target.key.ns.empty()
                        ? tr("Context %1, whole cluster").arg(context)
                        : tr("Context %1, namespace %2").arg(context, harmless(first.target.key.ns)));
}

void DecisionView::showWhy(const guard::Provenance& provenance) {
    clear(whyLayout_);
    if (!provenance.diagnosis) {
        auto* asked = plainLabel(why_);
        asked->setText(tr("Asked for by %1 at this desk.").arg(harmless(provenance.principal)));
        whyLayout_->addWidget(asked);
        return;
    }
    const guard::Diagnosis& diagnosis = *provenance.diagnosis;
    auto* hypothesis = plainLabel(why_);
    hypothesis->setText(harmless(diagnosis.hypothesis));
    whyLayout_->addWidget(hypothesis);

    auto* chips = new QHBoxLayout;
    chips->setSpacing(4);
    std::vector<int> seen;
    for (const guard::Claim& claim : diagnosis.claims) {
        if (!claim.supported)
            continue;
        for (const guard::EvidenceRef& ref : claim.refs) {
            if (std::find(seen.begin(), seen.end(), ref.number()) != seen.end() || seen.size() >= 8)
                continue;
            seen.push_back(ref.number());
            auto* chip = new Chip(QString::fromStdString(ref.text()), why_);
            chip->setAccessibleName(tr("Evidence %1").arg(QString::fromStdString(ref.text())));
            chip->setToolTip(models::plainTip(harmless(claim.text)));
            connect(chip, &Chip::clicked, this, [this, ref] {
                if (openEvidence)
                    openEvidence(ref);
            });
            chips->addWidget(chip);
        }
    }
    auto* reviewed = plainLabel(why_);
    reviewed->setText(provenance.reviewed ? tr("Independently reviewed.") : tr("Not independently reviewed."));
    setInk(reviewed,
           provenance.reviewed ? tokensOf(QApplication::palette()).muted : tokensOf(QApplication::palette()).warn);
    chips->addWidget(reviewed, 1);
    whyLayout_->addLayout(chips);
}

void DecisionView::showDraft(const guard::desk::Drafted& draft) {
    showHeading(draft.plan.actions, harmless(draft.context));
    showWhy(draft.provenance);
    risk_->setText({});
    diffTitle_->setText(tr("Reading permission, object, dry run and dependents…"));
    diff_->clear();
    impactTitle_->clear();
    impact_->clear();
    conditions_->clear();
    digest_->clear();
}

void DecisionView::showProposal(const guard::ProposalContent& content) {
    std::vector<guard::Action> actions;
    QStringList diffs;
    QStringList impacts;
    QStringList conditions;
    bool previewed = true;
    for (const guard::ProposalItem& item : content.items) {
        actions.push_back(item.action);
        const QString prefix = content.items.size() > 1 ? actionHeading(item.action) + QLatin1Char('\n') : QString();
        if (item.preview.available)
            diffs << prefix + harmless(item.preview.unifiedDiff);
        else
            previewed = false;
        impacts << prefix + impactText(item);
        impacts << accessText(item.access);
        for (const std::string& warning : item.preview.warnings)
            impacts << tr("The server warns: %1").arg(harmless(warning));
        if (!item.preview.available)
            impacts << tr("Not previewed: %1").arg(harmless(item.preview.unavailableReason));
        if (item.targetProtected)
            impacts << tr("PROTECTED: %1").arg(harmless(item.protectedWhy));
        if (item.uid.empty())
            impacts << tr("The object's UID could not be read: the change would hit whatever has this name.");
        for (const std::string& condition : item.request.preconditions)
            conditions << tr("Only if %1").arg(harmless(condition));
        impacts << healText(item.heal);
    }
    showHeading(actions, harmless(content.context));
    showWhy(content.provenance);
    risk_->setText(riskText(content.risk));
    setInk(risk_, riskColour(content.risk));
    const QString diff = diffs.join(QStringLiteral("\n\n"));
    diffTitle_->setText(!previewed       ? tr("Not previewed by the server")
                        : diff.isEmpty() ? tr("The server's dry run changes nothing")
                                         : tr("What the server's dry run changes"));
    diff_->setVisible(!diff.isEmpty());
    diff_->setPlainText(diff);
    impactTitle_->setText(tr("Impact"));
    impact_->setText(impacts.join(QLatin1Char('\n')));
    conditions_->setText(conditions.join(QLatin1Char('\n')));
    digest_->setText(tr("Digest %1").arg(QString::fromStdString(content.digest)));
    heading_->update();
    risk_->update();
}

void DecisionView::showRefusal(const guard::WriteRefusal& refusal) {
    QStringList lines;
    for (const guard::Check& check : refusal.verdict.checks)
        if (!check.passed)
            lines << harmless(check.reason.empty() ? check.id : check.reason);
    if (refusal.error) {
        lines << harmless(refusal.error->text());
        if (refusal.error->status)
            for (const guard::StatusCause& cause : refusal.error->status->causes)
                lines << harmless(cause.field + ": " + cause.message);
    }
    lines.removeDuplicates();
    diffTitle_->setText(tr("Refused: nothing was changed"));
    setInk(diffTitle_, tokensOf(QApplication::palette()).blocked);
    diff_->setVisible(true);
    diff_->setPlainText(lines.join(QLatin1Char('\n')));
    impactTitle_->clear();
    impact_->clear();
    conditions_->clear();
    digest_->clear();
}

bool DecisionView::eventFilter(QObject* watched, QEvent* event) {
    const bool result = QWidget::eventFilter(watched, event);
    if (event->type() == QEvent::Paint && watched == risk_ && !risk_->text().isEmpty() && summaryPainted)
        summaryPainted();
    return result;
}

} // namespace alidade::ui
