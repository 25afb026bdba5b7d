// SPDX-License-Identifier: GPL-3.0-or-later
#include "incident/timeline_delegate.hpp"

#include <algorithm>
#include <cmath>

#include <QAbstractItemView>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include "alidade/models/text.hpp"
#include "incident/run_words.hpp"
#include "incident/wrapped_text.hpp"
#include "parts/words.hpp"
#include "theme/icons.hpp"
#include "theme/tokens.hpp"

namespace alidade::ui {
namespace {

using guard::RunEventKind;

constexpr int margin = 8;
constexpr int gap = 6;
constexpr int shape = 16;
constexpr int chevron = 14;
constexpr int barHeight = 3;

QFont strong(QFont font) {
    font.setWeight(QFont::DemiBold);
    return font;
}
QFont small(QFont font) {
    font.setPointSizeF(font.pointSizeF() * 0.88);
    return font;
}
QString timeText(guard::WallTime at) { return models::clockText(at).right(8); } // the day is in the tool tip
int timeWidth(const QFont& font) { return QFontMetrics(small(font)).horizontalAdvance(QStringLiteral("00:00:00")); }

/// The detail only repeats the reasons that stand with the checks.
bool saidByChecks(const guard::RunEvent& event) {
    if (!event.verdict || event.verdict->checks.empty()) {
        return false;
    }
    std::string reasons;
    for (const std::string& reason : event.verdict->reasons) {
        const auto& checks = event.verdict->checks;
        if (std::none_of(checks.begin(), checks.end(),
                         [&](const guard::Check& check) { return check.reason == reason; })) {
            return false;
        }
        reasons += (reasons.empty() ? "" : "\n") + reason;
    }
    return event.detail == reasons;
}

bool isBand(const guard::RunEvent& event) { return event.kind == RunEventKind::Blocked; }

} // namespace

TimelineDelegate::TimelineDelegate(models::TimelineModel* model, QAbstractItemView* view)
    : QStyledItemDelegate(view), model_(model), view_(view) {}

int TimelineDelegate::closedHeight(const QFont& font) const { return qMax(28, QFontMetrics(font).height() + 12); }

int TimelineDelegate::kindWidth(const QFont& font) const {
    const QFontMetrics metrics(strong(font));
    int width = 0;
    for (int kind = 0; kind <= static_cast<int>(RunEventKind::Done); ++kind) {
        width = qMax(width, metrics.horizontalAdvance(models::eventWord(static_cast<RunEventKind>(kind))));
    }
    return width;
}

int TimelineDelegate::checksInARow(QPainter& painter, const guard::Verdict& verdict, int right, int room,
                                   const QRect& row, const QStyleOptionViewItem& option, const QColor& inverted) const {
    const Tokens& t = tokensOf(option.palette);
    constexpr int each = 12;
    const auto mark = [&](int x, bool passed) {
        const QRect box(x, row.center().y() - each / 2 + 1, each, each);
        const QColor colour = inverted.isValid() ? inverted : passed ? t.good : t.bad;
        paintIcon(painter, QStyle::visualRect(option.direction, option.rect, box),
                  passed ? QStringLiteral("check") : QStringLiteral("cross"), colour, t.surface);
    };
    const int count = static_cast<int>(std::min<std::size_t>(verdict.checks.size(), 99));
    if (count * each <= room) {
        int x = right - count * each;
        for (int i = 0; i < count; ++i, x += each) {
            mark(x, verdict.checks[static_cast<std::size_t>(i)].passed);
        }
        return right - count * each;
    }
    const auto passed = std::count_if(verdict.checks.begin(), verdict.checks.end(),
                                      [](const guard::Check& check) { return check.passed; });
    const QString sum = tr("%1 of %2", "checks passed").arg(passed).arg(verdict.checks.size());
    painter.setFont(small(option.font));
    painter.setPen(inverted.isValid() ? inverted : t.muted);
    const int width = painter.fontMetrics().horizontalAdvance(sum);
    painter.drawText(
        QStyle::visualRect(option.direction, option.rect, QRect(right - width, row.top(), width + 1, row.height())),
        Qt::AlignVCenter | Qt::TextSingleLine, sum);
    mark(right - width - each - 2, passed == static_cast<std::ptrdiff_t>(verdict.checks.size()));
    return right - width - each - 2;
}

void TimelineDelegate::header(QPainter& painter, const QRect& row, const guard::RunEvent& event,
                              const QModelIndex& index, const QStyleOptionViewItem& option) const {
    const Tokens& t = tokensOf(option.palette);
    const Mark mark = markOfEvent(event, t);
    const bool band = isBand(event);
    const QColor ink = band ? t.surface : t.text;
    const QColor quiet = band ? t.surface : t.muted;
    const QColor word = band ? t.surface : mark.colour;
    const auto at = [&](const QRect& box) { return QStyle::visualRect(option.direction, option.rect, box); };
    const auto aligned = [&](Qt::Alignment alignment) {
        return static_cast<int>(QStyle::visualAlignment(option.direction, alignment) | Qt::AlignVCenter) |
               Qt::TextSingleLine;
    };
    const auto line = [&](int x, int width) { return QRect(x, row.top(), width, row.height()); };

    int x = row.left() + margin;
    const int times = timeWidth(option.font);
    painter.setFont(small(option.font));
    painter.setPen(quiet);
    painter.drawText(at(line(x, times)), aligned(Qt::AlignLeft), timeText(event.at));
    x += times + gap;
    paintIcon(painter, at(QRect(x, row.center().y() - shape / 2 + 1, shape, shape)), QString::fromLatin1(mark.shape),
              word, band ? t.blocked : t.surface);
    x += shape + gap - 2;
    const int kinds = kindWidth(option.font);
    painter.setFont(strong(option.font));
    painter.setPen(word);
    painter.drawText(at(line(x, kinds)), aligned(Qt::AlignLeft), models::eventWord(event.kind));
    x += kinds + gap;

    int right = row.right() - margin;
    if (index.data(models::TimelineModel::ExpandableRole).toBool()) {
        const bool open = index.data(models::TimelineModel::ExpandedRole).toBool();
        paintIcon(painter, at(QRect(right - chevron + 4, row.center().y() - chevron / 2 + 1, chevron, chevron)),
                  open ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right"), quiet, t.surface);
    }
    right -= chevron;
    if (event.verdict && !event.verdict->checks.empty() && !index.data(models::TimelineModel::ExpandedRole).toBool()) {
        const int wanted = QFontMetrics(option.font).horizontalAdvance(shownTitle(event.title)) + gap;
        right = checksInARow(painter, *event.verdict, right, qMax(0, right - x - wanted), row, option,
                             band ? t.surface : QColor()) -
                4;
    } else if (event.duration.count() >= 1000) {
        const QString took = models::durationText(event.duration);
        painter.setFont(small(option.font));
        painter.setPen(quiet);
        const int width = painter.fontMetrics().horizontalAdvance(took);
        painter.drawText(at(line(right - width, width + 1)), aligned(Qt::AlignRight), took);
        right -= width + gap;
    }
    painter.setFont(band || event.kind == RunEventKind::Done ? strong(option.font) : option.font);
    painter.setPen(ink);
    const QRect title = line(x, qMax(0, right - x));
    painter.drawText(at(title), aligned(Qt::AlignLeft),
                     painter.fontMetrics().elidedText(shownTitle(event.title), Qt::ElideRight, title.width()));

    // The duration: its square root, so that both 200 ms and 20 s can be seen.
    const QRect track(x, row.bottom() - barHeight - 1, qMax(0, row.right() - margin - x), barHeight);
    const bool last = index.row() == model_->rowCount() - 1 && model_->isRunning();
    painter.setPen(Qt::NoPen);
    if (last && !waiting_) {
        painter.setBrush(mix(t.accent, t.surface, 0.8));
        painter.drawRoundedRect(at(track), 1.5, 1.5);
        painter.setBrush(t.accent);
        if (phase_ >= 0) {
            const int part = track.width() / 5;
            const int from = qRound(phase_ * (track.width() + part)) - part;
            painter.drawRoundedRect(at(QRect(track.left() + from, track.top(), part, barHeight).intersected(track)),
                                    1.5, 1.5);
        } else {
            painter.drawRoundedRect(at(QRect(track.left(), track.top(), track.width() / 5, barHeight)), 1.5, 1.5);
        }
    } else if (event.duration.count() > 0 && longest_.count() > 0) {
        const double share =
            std::sqrt(static_cast<double>(event.duration.count()) / static_cast<double>(longest_.count()));
        const int width = qMax(3, qRound(track.width() * std::clamp(share, 0.0, 1.0)));
        painter.setBrush(mix(word, band ? t.blocked : t.surface, 0.55));
        painter.drawRoundedRect(at(QRect(track.left(), track.top(), qMin(width, track.width()), barHeight)), 1.5, 1.5);
    }
}

int TimelineDelegate::detail(QPainter* painter, const QRect& row, int top, const guard::RunEvent& event,
                             const QStyleOptionViewItem& option, std::vector<Chip>* chips) const {
    const Tokens& t = tokensOf(option.palette);
    const Mark mark = markOfEvent(event, t);
    const auto at = [&](const QRect& box) { return QStyle::visualRect(option.direction, option.rect, box); };
    const int rule = row.left() + margin + timeWidth(option.font) + gap + shape / 2;
    const int left = rule + gap * 2;
    const int width = qMax(60, row.right() - margin - left);
    int y = top + 4;
    const auto wrapped = [&](const QString& text, const QFont& font, const QColor& colour, int x, int room) {
        const int height = wrappedHeight(text, font, room);
        if (painter != nullptr) {
            painter->setPen(colour);
            drawWrapped(*painter, text, font, at(QRect(x, y, room, height)), option.direction);
        }
        return height;
    };
    const QString title = shownTitle(event.title);
    const int shownOnHeader = row.right() - margin - chevron - (rule + shape / 2 + gap + kindWidth(option.font) + gap);
    if (QFontMetrics(option.font).horizontalAdvance(title) > shownOnHeader) {
        y += wrapped(title, option.font, t.text, left, width) + 4;
    }
    if (!event.detail.empty() && !saidByChecks(event)) {
        y += wrapped(shownDetail(event.detail), option.font, t.muted, left, width) + 4;
    }
    if (event.verdict) {
        for (const guard::Check& check : event.verdict->checks) {
            constexpr int box = 14;
            const QFont name = strong(option.font);
            const int lineHeight = QFontMetrics(name).height();
            if (painter != nullptr) {
                paintIcon(*painter, at(QRect(left, y + (lineHeight - box) / 2, box, box)),
                          check.passed ? QStringLiteral("check") : QStringLiteral("state-bad"),
                          check.passed ? t.good : t.bad, t.surface);
            }
            const int x = left + box + gap;
            const int room = qMax(60, width - box - gap);
            y += wrapped(checkName(check), check.passed ? option.font : name, check.passed ? t.text : t.bad, x, room);
            if (!check.reason.empty()) {
                y += wrapped(shownTitle(check.reason), small(option.font), t.muted, x, room);
            }
            y += 4;
        }
        if (!event.verdict->reviewed) {
            y += wrapped(tr("Not independently reviewed"), option.font, t.warn, left, width) + 4;
        }
    }
    if (!event.refs.empty()) {
        QFont font = small(monoFont());
        const QFontMetrics metrics(font);
        int x = left;
        const int height = metrics.height() + 4;
        for (std::size_t i = 0; i < std::min<std::size_t>(event.refs.size(), 40); ++i) {
            const QString text = QString::fromStdString(event.refs[i].text());
            const int chip = metrics.horizontalAdvance(text) + 12;
            if (x > left && x + chip > left + width) {
                x = left;
                y += height + 4;
            }
            const QRect box(x, y, chip, height);
            if (painter != nullptr) {
                painter->setFont(font);
                painter->setPen(t.border);
                painter->setBrush(t.surface);
                painter->drawRoundedRect(QRectF(at(box)).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
                painter->setPen(t.accent);
                painter->drawText(at(box), Qt::AlignCenter, text);
            }
            if (chips != nullptr) {
                chips->push_back({at(box), i});
            }
            x += chip + 4;
        }
        y += height + 4;
    }
    y += 4;
    if (painter != nullptr) {
        painter->setPen(Qt::NoPen);
        painter->setBrush(mark.colour);
        painter->drawRect(at(QRect(rule - 1, top + 2, 2, y - top - 6)));
    }
    return y - top;
}

void TimelineDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const guard::RunEvent* event = model_->eventAt(index.row());
    if (event == nullptr) {
        return;
    }
    const Tokens& t = tokensOf(option.palette);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setClipRect(option.rect);
    const int height = closedHeight(option.font);
    const QRect row(option.rect.left(), option.rect.top(), option.rect.width(), height);
    const bool open = index.data(models::TimelineModel::ExpandedRole).toBool();
    const bool selected = (option.state & QStyle::State_Selected) != 0;
    if (isBand(*event)) {
        painter->fillRect(option.rect, mix(t.surface, t.blocked, 0.10));
        painter->fillRect(row, t.blocked);
    } else if (event->kind == RunEventKind::Breaker) {
        painter->fillRect(option.rect, mix(t.surface, t.blocked, 0.10));
    }
    if (selected && !isBand(*event)) {
        painter->fillRect(option.rect, t.selection);
    }
    header(*painter, row, *event, index, option);
    if (open) {
        detail(painter, row, row.bottom() + 1, *event, option, nullptr);
    }
    if ((option.state & QStyle::State_HasFocus) != 0) {
        painter->setBrush(Qt::NoBrush);
        painter->setPen(QPen(isBand(*event) ? t.surface : t.accent, 2));
        painter->drawRoundedRect(QRectF(option.rect).adjusted(1, 1, -1, -1), 4, 4);
    }
    painter->restore();
}

QSize TimelineDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const int width = view_->viewport()->width();
    int height = closedHeight(option.font);
    const guard::RunEvent* event = model_->eventAt(index.row());
    if (event != nullptr && index.data(models::TimelineModel::ExpandedRole).toBool()) {
        QStyleOptionViewItem sized = option;
        sized.rect = QRect(0, 0, width, height);
        height += detail(nullptr, sized.rect, height, *event, sized, nullptr);
    }
    return {width, height};
}

bool TimelineDelegate::helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
                                 const QModelIndex& index) {
    const guard::RunEvent* shown = model_->eventAt(index.row());
    if (event->type() != QEvent::ToolTip || shown == nullptr) {
        return QStyledItemDelegate::helpEvent(event, view, option, index);
    }
    QString text = tr("%1\n%2, step %3")
                       .arg(shownTitle(shown->title), models::fullTimeText(shown->at), models::stepWord(shown->step));
    if (shown->duration.count() > 0) {
        text += QLatin1Char('\n') + tr("took %1").arg(models::durationText(shown->duration));
    }
    QToolTip::showText(event->globalPos(), plainTip(text), view);
    return true;
}

bool TimelineDelegate::editorEvent(QEvent* event, QAbstractItemModel*, const QStyleOptionViewItem& option,
                                   const QModelIndex& index) {
    if (event->type() != QEvent::MouseButtonRelease) {
        return false;
    }
    const auto* mouse = static_cast<QMouseEvent*>(event);
    const guard::RunEvent* shown = model_->eventAt(index.row());
    if (shown == nullptr || mouse->button() != Qt::LeftButton) {
        return false;
    }
    const int height = closedHeight(option.font);
    if (mouse->pos().y() < option.rect.top() + height) {
        if (index.data(models::TimelineModel::ExpandableRole).toBool()) {
            Q_EMIT toggled(index);
        }
        return true;
    }
    std::vector<Chip> chips;
    detail(nullptr, QRect(option.rect.left(), option.rect.top(), option.rect.width(), height),
           option.rect.top() + height, *shown, option, &chips);
    for (const Chip& chip : chips) {
        if (chip.where.contains(mouse->pos())) {
            Q_EMIT openReference(shown->refs[chip.ref], mouse->modifiers().testFlag(Qt::ControlModifier));
            return true;
        }
    }
    return false;
}

} // namespace alidade::ui
