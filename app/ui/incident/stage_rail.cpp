// SPDX-License-Identifier: GPL-3.0-or-later
#include "incident/stage_rail.hpp"

#include <algorithm>

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QStyle>
#include <QToolTip>

#include "alidade/models/text.hpp"
#include "theme/icons.hpp"
#include "theme/tokens.hpp"

namespace alidade::ui {
namespace {

using models::StepState;

constexpr int side = 18;
constexpr int top = 4;

QString stateWord(StepState state, bool blocked, bool waiting) {
    switch (state) {
    case StepState::Future: return StageRail::tr("not yet");
    case StepState::Current: return waiting ? StageRail::tr("waits for you") : StageRail::tr("now");
    case StepState::Done: return StageRail::tr("done");
    case StepState::Failed: return blocked ? StageRail::tr("blocked") : StageRail::tr("failed");
    case StepState::Skipped: return StageRail::tr("skipped");
    }
    return {};
}

} // namespace

StageRail::StageRail(QWidget* parent) : QWidget(parent) {
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setState(nullptr);
}

void StageRail::setState(const models::RunStatePtr& state) {
    states_ = state ? models::stepStates(*state) : decltype(states_){};
    spent_ = {};
    blocked_ = {};
    current_ = -1;
    ended_ = state && state->outcome;
    if (state) {
        for (const guard::RunEvent& event : state->events) {
            const auto at = static_cast<std::size_t>(event.step);
            if (event.kind == guard::RunEventKind::Done || at >= states_.size()) {
                continue;
            }
            spent_[at] += event.duration;
            blocked_[at] = blocked_[at] || event.kind == guard::RunEventKind::Blocked;
            current_ = std::max(current_, static_cast<int>(at));
        }
        if (!ended_) {
            current_ = std::max(current_, static_cast<int>(state->step));
        }
    }
    QStringList words;
    for (int i = 0; i < steps; ++i) {
        words << stepText(i);
    }
    setAccessibleName(tr("Stages: %1").arg(caption()));
    setAccessibleDescription(words.join(QStringLiteral("; ")));
    update();
}

void StageRail::setWaiting(bool waiting) {
    if (waiting_ != waiting) {
        waiting_ = waiting;
        setAccessibleName(tr("Stages: %1").arg(caption()));
        update();
    }
}

void StageRail::setPhase(double phase) {
    phase_ = phase;
    if (current_ >= 0) {
        update(stepRect(current_).adjusted(-2, -2, 2, 2));
    }
}

QSize StageRail::sizeHint() const { return {340, minimumSizeHint().height()}; }
QSize StageRail::minimumSizeHint() const { return {steps * 22, top + side + 6 + fontMetrics().height() + 2}; }

QRect StageRail::stepRect(int index) const {
    const double pitch = steps > 1 ? (width() - side - 4) / static_cast<double>(steps - 1) : 0;
    return QStyle::visualRect(layoutDirection(), rect(), QRect(2 + qRound(index * pitch), top, side, side));
}

QString StageRail::stepText(int index) const {
    if (index < 0 || index >= steps) {
        return {};
    }
    const auto at = static_cast<std::size_t>(index);
    const QString word = stateWord(states_[at], blocked_[at], waiting_);
    const QString name = models::stepWord(guard::allSteps[at]);
    return spent_[at].count() > 0 ? tr("%1: %2, %3").arg(name, word, models::durationText(spent_[at]))
                                  : tr("%1: %2").arg(name, word);
}

QString StageRail::caption() const {
    if (hovered_ >= 0) {
        return stepText(hovered_);
    }
    if (current_ < 0) {
        return ended_ ? tr("Ended before the first step") : tr("About to start");
    }
    const QString name = models::stepWord(guard::allSteps[static_cast<std::size_t>(current_)]);
    return ended_ ? tr("Ended at %1").arg(name) : name;
}

void StageRail::paintStep(QPainter& painter, int index) const {
    const Tokens& t = tokensOf(palette());
    const auto at = static_cast<std::size_t>(index);
    const QRectF box = stepRect(index);
    const auto shape = [&](const char* name, const QColor& colour, double size) {
        QRectF where(0, 0, size, size);
        where.moveCenter(box.center());
        paintIcon(painter, where, QString::fromLatin1(name), colour, t.raised);
    };
    switch (states_[at]) {
    case StepState::Done: shape("state-done", t.good, 18); return;
    case StepState::Failed:
        blocked_[at] ? shape("state-blocked", t.blocked, 18) : shape("state-bad", t.bad, 18);
        return;
    case StepState::Future: shape("state-unknown", t.border, 16); return;
    case StepState::Skipped:
        painter.setPen(QPen(t.border, 2, Qt::SolidLine, Qt::RoundCap));
        painter.drawLine(QPointF(box.center().x() - 3, box.center().y()),
                         QPointF(box.center().x() + 3, box.center().y()));
        return;
    case StepState::Current: break;
    }
    if (waiting_) {
        shape("state-waiting", t.warn, 18);
        return;
    }
    painter.setPen(Qt::NoPen);
    painter.setBrush(t.accent);
    painter.drawEllipse(box.center(), 4, 4);
    painter.setBrush(Qt::NoBrush);
    const QRectF ring = box.adjusted(1.5, 1.5, -1.5, -1.5);
    painter.setPen(QPen(mix(t.accent, t.raised, 0.7), 2));
    painter.drawEllipse(ring);
    painter.setPen(QPen(t.accent, 2, Qt::SolidLine, Qt::RoundCap));
    painter.drawArc(ring, qRound(-phase_ * 360 * 16) + 90 * 16, -100 * 16);
}

void StageRail::paintEvent(QPaintEvent*) {
    const Tokens& t = tokensOf(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    for (int i = 0; i + 1 < steps; ++i) {
        const QPointF a = QRectF(stepRect(i)).center();
        const QPointF b = QRectF(stepRect(i + 1)).center();
        const double gap = (side / 2.0 + 1.5) * (b.x() > a.x() ? 1 : -1);
        const bool past = i < current_;
        painter.setPen(QPen(past ? mix(t.good, t.raised, 0.35) : t.hairline, past ? 1.5 : 1));
        painter.drawLine(QPointF(a.x() + gap, a.y()), QPointF(b.x() - gap, b.y()));
    }
    for (int i = 0; i < steps; ++i) {
        paintStep(painter, i);
    }
    const QRect line(2, top + side + 6, width() - 4, fontMetrics().height() + 2);
    const QString count =
        current_ < 0 ? QString() : tr("%1 of %2").arg((hovered_ >= 0 ? hovered_ : current_) + 1).arg(steps);
    const int counted = fontMetrics().horizontalAdvance(count);
    painter.setPen(t.muted);
    painter.drawText(QStyle::visualRect(layoutDirection(), line,
                                        QRect(line.right() - counted, line.y(), counted + 1, line.height())),
                     Qt::AlignVCenter | Qt::TextSingleLine, count);
    QFont font = this->font();
    font.setWeight(QFont::DemiBold);
    painter.setFont(font);
    painter.setPen(t.text);
    const QRect words = QStyle::visualRect(layoutDirection(), line, line.adjusted(0, 0, -counted - 8, 0));
    painter.drawText(words,
                     static_cast<int>(Qt::AlignVCenter | QStyle::visualAlignment(layoutDirection(), Qt::AlignLeft)) |
                         Qt::TextSingleLine,
                     QFontMetrics(font).elidedText(caption(), Qt::ElideRight, words.width()));
}

int StageRail::stepAt(const QPoint& where) const {
    for (int i = 0; i < steps; ++i) {
        if (stepRect(i).adjusted(-3, -top, 3, 4).contains(where)) {
            return i;
        }
    }
    return -1;
}

void StageRail::mouseMoveEvent(QMouseEvent* event) {
    const int now = stepAt(event->pos());
    if (now != hovered_) {
        hovered_ = now;
        update();
    }
}

void StageRail::leaveEvent(QEvent*) {
    hovered_ = -1;
    update();
}

bool StageRail::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const int at = stepAt(help->pos());
        if (at >= 0) {
            QToolTip::showText(help->globalPos(), models::plainTip(stepText(at)), this, stepRect(at));
        } else {
            QToolTip::hideText();
        }
        return true;
    }
    return QWidget::event(event);
}

} // namespace alidade::ui
