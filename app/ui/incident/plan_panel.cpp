// SPDX-License-Identifier: GPL-3.0-or-later
#include "incident/plan_panel.hpp"

#include <QHBoxLayout>
#include <QPainter>
#include <QVBoxLayout>

#include "alidade/models/text.hpp"
#include "approval/decision_view.hpp"
#include "incident/wrapped_text.hpp"
#include "parts/parts.hpp"
#include "parts/words.hpp"
#include "theme/icons.hpp"
#include "theme/tokens.hpp"

namespace alidade::ui {
namespace {

constexpr int pad = 8;
constexpr int shape = 18;
constexpr int mostLines = 3;

QFont strong(QFont font) {
    font.setWeight(QFont::DemiBold);
    return font;
}

QString toneOf(PlanStand::Kind kind) {
    using Kind = PlanStand::Kind;
    switch (kind) {
    case Kind::Verified: return QStringLiteral("good");
    case Kind::Awaiting:
    case Kind::NotVerified:
    case Kind::Escalated: return QStringLiteral("warn");
    case Kind::Blocked: return QStringLiteral("blocked");
    case Kind::Failed: return QStringLiteral("bad");
    case Kind::Proposed:
    case Kind::Checking:
    case Kind::Sending:
    case Kind::Executed: return QStringLiteral("accent");
    case Kind::None:
    case Kind::Declined:
    case Kind::Cancelled: return QStringLiteral("muted");
    }
    return {};
}

} // namespace

OutcomeBanner::OutcomeBanner(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("outcome"));
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    hide();
}

void OutcomeBanner::setState(const RunStatePtr& state) {
    const bool on = state && state->outcome;
    setVisible(on);
    if (!on) {
        word_.clear();
        return;
    }
    outcome_ = *state->outcome;
    word_ = models::outcomeWord(outcome_);
    reason_.clear();
    for (const guard::RunEvent& event : state->events) {
        if (event.kind == guard::RunEventKind::Done) {
            reason_ = shownTitle(event.title);
        }
    }
    if (reason_.compare(word_, Qt::CaseInsensitive) == 0) {
        reason_.clear();
    } else if (reason_.startsWith(word_ + QStringLiteral(": "), Qt::CaseInsensitive)) {
        reason_.remove(0, word_.size() + 2); // the word stands above it
        reason_[0] = reason_[0].toUpper();
    }
    setAccessibleName(reason_.isEmpty() ? tr("Outcome: %1").arg(word_) : tr("Outcome: %1. %2").arg(word_, reason_));
    setToolTip(plainTip(reason_));
    updateGeometry();
    update();
}

int OutcomeBanner::heightForWidth(int width) const {
    const int room = qMax(60, width - pad * 3 - shape);
    int height = QFontMetrics(strong(font())).height();
    if (!reason_.isEmpty()) {
        height += wrappedHeight(reason_, font(), room, mostLines) + 2;
    }
    return height + 2 * pad - 2;
}
QSize OutcomeBanner::sizeHint() const { return {300, heightForWidth(300)}; }
QSize OutcomeBanner::minimumSizeHint() const { return {120, shape + 2 * pad}; }

void OutcomeBanner::paintEvent(QPaintEvent*) {
    const Tokens& t = tokensOf(palette());
    const Mark mark = markOf(outcome_, t);
    const bool solid = outcome_ == guard::RunOutcome::Blocked;
    const QColor fill = solid ? mark.colour : mix(t.surface, mark.colour, 0.12);
    const QColor ink = solid ? t.surface : mark.colour;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(solid ? QPen(Qt::NoPen) : QPen(mix(t.surface, mark.colour, 0.45)));
    painter.setBrush(fill);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    const auto at = [&](const QRect& box) { return QStyle::visualRect(layoutDirection(), rect(), box); };
    const int head = QFontMetrics(strong(font())).height();
    paintIcon(painter, at(QRect(pad, pad - 1 + (head - shape) / 2, shape, shape)), QString::fromLatin1(mark.shape), ink,
              fill);
    const int x = pad * 2 + shape;
    const int room = width() - x - pad;
    const auto left = QStyle::visualAlignment(layoutDirection(), Qt::AlignLeft);
    painter.setFont(strong(font()));
    painter.setPen(ink);
    painter.drawText(at(QRect(x, pad - 1, room, head)), static_cast<int>(left | Qt::AlignVCenter) | Qt::TextSingleLine,
                     word_);
    painter.setPen(solid ? t.surface : t.text);
    drawWrapped(painter, reason_, font(), at(QRect(x, pad + head + 1, room, height() - head - 2 * pad + 1)),
                layoutDirection());
}

PlanPanel::PlanPanel(QWidget* parent)
    : QWidget(parent), action_(textLabel({}, this)), risk_(new ElidedLabel(Qt::ElideRight, this)),
      stand_(new ElidedLabel(Qt::ElideRight, this)), why_(textLabel({}, this, QStringLiteral("blocked"))),
      review_(new QPushButton(tr("Review and approve…"), this)) {
    setObjectName(QStringLiteral("plan"));
    setAccessibleName(tr("Plan"));
    action_->setObjectName(QStringLiteral("action"));
    action_->setFont(strong(font()));
    stand_->setObjectName(QStringLiteral("stand"));
    why_->setObjectName(QStringLiteral("why"));
    risk_->setObjectName(QStringLiteral("risk"));
    stand_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    review_->setObjectName(QStringLiteral("review"));
    review_->setProperty("primary", true);
    review_->setAutoDefault(false);
    review_->setAccessibleDescription(
        tr("Opens the proposal with its difference and impact. Nothing is approved by this button."));
    review_->setToolTip(plainTip(review_->accessibleDescription()));

    auto* top = new QHBoxLayout;
    top->setContentsMargins(0, 0, 0, 0);
    top->addWidget(groupLabel(tr("Plan"), this));
    top->addSpacing(grid::s);
    top->addWidget(stand_, 1);
    auto* bottom = new QHBoxLayout;
    bottom->setContentsMargins(0, 0, 0, 0);
    bottom->addWidget(risk_, 1);
    bottom->addWidget(review_, 0, Qt::AlignRight);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(grid::m, grid::s, grid::m, grid::s);
    column->setSpacing(grid::xs);
    column->addLayout(top);
    column->addWidget(action_);
    column->addWidget(why_);
    column->addLayout(bottom);
    connect(review_, &QPushButton::clicked, this, &PlanPanel::reviewRequested);
    hide();
}

void PlanPanel::show(const RunStatePtr& state, const ProposalPtr& proposal) {
    const PlanStand stand = state ? planStand(*state, proposal != nullptr) : PlanStand{};
    kind_ = stand.kind;
    setVisible(stand.kind != PlanStand::Kind::None);
    review_->setEnabled(stand.kind == PlanStand::Kind::Awaiting);
    if (stand.kind == PlanStand::Kind::None) {
        return;
    }
    QString action = stand.action != nullptr ? actionHeading(*stand.action) : QString();
    if (stand.action != nullptr && stand.action->scope != guard::Scope::Object) {
        action = tr("%1, reaching beyond one object").arg(action);
    }
    if (stand.more > 0) {
        action = tr("%1, and %n more", nullptr, stand.more).arg(action);
    }
    action_->setText(action);
    action_->setVisible(!action.isEmpty());
    stand_->setMark(QString::fromLatin1(markOf(stand.kind, lightTokens()).shape));
    stand_->setTone(toneOf(stand.kind));
    stand_->setText(stand.words);
    why_->setText(stand.why);
    why_->setVisible(!stand.why.isEmpty());
    const bool decides = stand.kind == PlanStand::Kind::Awaiting;
    risk_->setVisible(decides && proposal != nullptr);
    if (proposal) {
        risk_->setText(riskWord(proposal->risk));
        risk_->setMark(proposal->risk >= guard::Risk::High ? QStringLiteral("state-warning")
                                                           : QStringLiteral("state-info"));
        risk_->setTone(proposal->risk >= guard::Risk::High     ? QStringLiteral("bad")
                       : proposal->risk == guard::Risk::Medium ? QStringLiteral("warn")
                                                               : QStringLiteral("good"));
    }
    using Kind = PlanStand::Kind;
    review_->setVisible(kind_ == Kind::Proposed || kind_ == Kind::Checking || kind_ == Kind::Awaiting);
    update();
}

void PlanPanel::paintEvent(QPaintEvent*) {
    const Tokens& t = tokensOf(palette());
    const bool blocked = kind_ == PlanStand::Kind::Blocked;
    const bool decides = kind_ == PlanStand::Kind::Awaiting;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(blocked ? t.blocked : decides ? t.accent : t.hairline, decides ? 1.5 : 1));
    painter.setBrush(blocked ? mix(t.surface, t.blocked, 0.08) : t.surface);
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 6, 6);
}

} // namespace alidade::ui
