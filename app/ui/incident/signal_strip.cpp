// SPDX-License-Identifier: GPL-3.0-or-later
#include "incident/signal_strip.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <QChart>
#include <QChartView>
#include <QEvent>
#include <QGraphicsLayout>
#include <QLegend>
#include <QLineSeries>
#include <QLocale>
#include <QPainter>
#include <QScrollBar>
#include <QVBoxLayout>
#include <QValueAxis>

#include "alidade/models/text.hpp"
#include "incident/run_words.hpp"
#include "parts/words.hpp"
#include "theme/tokens.hpp"

namespace alidade::ui {
namespace {

constexpr int mostPoints = 400;

double secondsBetween(guard::WallTime from, guard::WallTime to) {
    return std::chrono::duration<double>(to - from).count();
}

double ratioOf(const agent::SignalPoint& point) {
    return std::isfinite(point.readyRatio) ? std::clamp(point.readyRatio, 0.0, 1.0) : 0.0;
}

} // namespace

QList<QPointF> thinned(const QList<QPointF>& points, int most, bool lowest) {
    if (points.size() <= most || most < 3) {
        return points;
    }
    QList<QPointF> out;
    out.reserve(most);
    out << points.front();
    const qsizetype inner = points.size() - 2;
    const int buckets = most - 2;
    for (int b = 0; b < buckets; ++b) {
        const auto from = 1 + inner * b / buckets;
        const auto to = 1 + inner * (b + 1) / buckets;
        const auto by = [lowest](const QPointF& x, const QPointF& y) { return lowest ? x.y() < y.y() : x.y() > y.y(); };
        out << *std::min_element(points.begin() + from, points.begin() + to, by);
    }
    out << points.back();
    return out;
}

/// The lines' names with the newest values; each with a sample of its line.
class SignalStrip::Legend final : public QWidget {
public:
    explicit Legend(QWidget* parent) : QWidget(parent) {
        setFont(smallFont());
        setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    }
    void set(const QString& ready, const QString& restarts, const QString& executed) {
        texts_ = {ready, restarts, executed};
        update();
    }
    [[nodiscard]] QSize sizeHint() const override { return {300, fontMetrics().height() + 4}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {100, fontMetrics().height() + 4}; }

protected:
    void paintEvent(QPaintEvent*) override {
        const Tokens& t = tokensOf(palette());
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const QPen pens[] = {QPen(t.accent, 2), QPen(t.warn, 2, Qt::DashLine), QPen(t.text, 1.5, Qt::DotLine)};
        int x = 0;
        const int middle = height() / 2;
        for (int i = 0; i < texts_.size(); ++i) {
            if (texts_[i].isEmpty()) {
                continue;
            }
            const int width = fontMetrics().horizontalAdvance(texts_[i]);
            const auto at = [&](const QRect& box) { return QStyle::visualRect(layoutDirection(), rect(), box); };
            const QRect sample = at(QRect(x, 0, 18, height()));
            painter.setPen(pens[i]);
            painter.drawLine(sample.left(), middle, sample.right(), middle);
            painter.setPen(t.text);
            painter.drawText(at(QRect(x + 23, 0, width + 2, height())), Qt::AlignVCenter | Qt::TextSingleLine,
                             texts_[i]);
            x += 23 + width + 14;
        }
    }

private:
    QStringList texts_;
};

SignalStrip::SignalStrip(QWidget* parent)
    : QWidget(parent), legend_(new Legend(this)), ready_(new QLineSeries(this)), restarts_(new QLineSeries(this)),
      executed_(new QLineSeries(this)), time_(new QValueAxis(this)), ratio_(new QValueAxis(this)),
      count_(new QValueAxis(this)) {
    setObjectName(QStringLiteral("signal"));
    auto* chart = new QChart;
    chart->setAnimationOptions(QChart::NoAnimation);
    chart->legend()->hide();
    chart->setMargins({0, 0, 0, 0});
    chart->layout()->setContentsMargins(0, 0, 0, 0);
    chart->setBackgroundVisible(false);
    chart->setPlotAreaBackgroundVisible(true);
    ratio_->setRange(0, 104); // a full line is not cut by the edge
    ratio_->setTickType(QValueAxis::TicksDynamic);
    ratio_->setTickAnchor(0);
    ratio_->setTickInterval(50);
    ratio_->setLabelFormat(QStringLiteral("%.0f %%"));
    count_->setLabelFormat(QStringLiteral("%.0f"));
    count_->setGridLineVisible(false);
    time_->setTickCount(4);
    for (QLineSeries* series : {ready_, restarts_, executed_}) {
        chart->addSeries(series);
    }
    chart->addAxis(time_, Qt::AlignBottom);
    chart->addAxis(ratio_, Qt::AlignLeft);
    chart->addAxis(count_, Qt::AlignRight);
    for (QLineSeries* series : {ready_, restarts_, executed_}) {
        series->attachAxis(time_);
    }
    ready_->attachAxis(ratio_);
    executed_->attachAxis(ratio_);
    restarts_->attachAxis(count_);
    QFont labels = smallFont();
    labels.setPointSizeF(labels.pointSizeF() * 0.92);
    for (QValueAxis* axis : {time_, ratio_, count_}) {
        axis->setLabelsFont(labels);
    }

    view_ = new QChartView(chart, this);
    view_->setRenderHint(QPainter::Antialiasing);
    view_->setFrameShape(QFrame::NoFrame);
    view_->setBackgroundBrush(Qt::NoBrush);
    view_->setFocusPolicy(Qt::NoFocus);
    view_->setInteractive(false);
    view_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    view_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    view_->setFixedHeight(112);
    view_->viewport()->setAutoFillBackground(false);
    view_->viewport()->setFocusPolicy(Qt::NoFocus);
    view_->viewport()->setAccessibleName(tr("Chart"));
    setFocusPolicy(Qt::TabFocus); // its value can be read

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(legend_);
    column->addWidget(view_);

    pace_.setSingleShot(true);
    pace_.setInterval(250);
    connect(&pace_, &QTimer::timeout, this, [this] {
        if (pending_) {
            redraw();
        }
    });
    recolour();
    hide();
}

void SignalStrip::setState(const models::RunStatePtr& state) {
    const bool other = !state || !state_ || state->incident.id != state_->incident.id;
    const bool grown =
        other || state->signal.size() != state_->signal.size() || state->events.size() != state_->events.size();
    state_ = state;
    setVisible(state_ && state_->signal.size() >= 2);
    if (isHidden() || !grown) {
        return;
    }
    if (pace_.isActive() && !other) {
        pending_ = true;
    } else {
        redraw();
    }
}

void SignalStrip::redraw() {
    pending_ = false;
    pace_.start();
    if (!state_ || state_->signal.size() < 2) {
        return;
    }
    ++redraws_;
    const auto& signal = state_->signal;
    const guard::WallTime zero = signal.front().at;
    QList<QPointF> ready;
    QList<QPointF> restarts;
    ready.reserve(static_cast<qsizetype>(signal.size()));
    restarts.reserve(static_cast<qsizetype>(signal.size()));
    int most = 0;
    double end = 0;
    for (const agent::SignalPoint& point : signal) {
        const double x = std::max(end, secondsBetween(zero, point.at)); // a clock set back does not fold the line
        end = x;
        ready << QPointF(x, ratioOf(point) * 100);
        restarts << QPointF(x, std::max(0, point.restarts));
        most = std::max(most, point.restarts);
    }
    std::optional<double> executed;
    if (const auto at = sentAt(*state_)) {
        executed = std::max(0.0, secondsBetween(zero, *at));
    }
    end = std::max({end, executed.value_or(0), 1.0});
    const bool minutes = end > 600;
    const double unit = minutes ? 60 : 1;
    for (QList<QPointF>* list : {&ready, &restarts}) {
        for (QPointF& point : *list) {
            point.setX(point.x() / unit);
        }
    }
    ready_->replace(thinned(ready, mostPoints, true));
    restarts_->replace(thinned(restarts, mostPoints, false));
    executed_->replace(executed ? QList<QPointF>{{*executed / unit, 0}, {*executed / unit, 104}} : QList<QPointF>{});
    time_->setRange(0, end / unit);
    time_->setLabelFormat(minutes ? tr("%.0f min") : tr("%.0f s"));
    const int top = std::max(4, (most + 1) / 2 * 2 + (most > 3 ? 2 : 0));
    count_->setRange(0, top);
    count_->setTickCount(3);
    describe(signal.back(), executed.has_value());
}

void SignalStrip::describe(const agent::SignalPoint& last, bool executed) {
    const QString ready = tr("ready %1 %").arg(QLocale().toString(static_cast<int>(std::lround(ratioOf(last) * 100))));
    const QString restarts = tr("%n restart(s)", nullptr, std::max(0, last.restarts));
    legend_->set(ready, restarts, executed ? tr("change executed") : QString());
    const QString words = tr("Signal: %1, %2").arg(ready, restarts);
    setAccessibleName(words);
    view_->setAccessibleName(words);
    legend_->setAccessibleName(words);
    setToolTip(models::plainTip(tr("%1, read at %2. Ready counts pods of the current revision only.").arg(words, models::clockText(last.at))));
}

void SignalStrip::recolour() {
    const Tokens& t = tokensOf(palette());
    ready_->setPen(QPen(t.accent, 2));
    restarts_->setPen(QPen(t.warn, 1.5, Qt::DashLine));
    executed_->setPen(QPen(t.text, 1.5, Qt::DotLine));
    view_->chart()->setPlotAreaBackgroundBrush(t.surface);
    view_->chart()->setPlotAreaBackgroundPen(QPen(t.hairline));
    for (QValueAxis* axis : {time_, ratio_, count_}) {
        axis->setLabelsColor(t.muted);
        axis->setGridLineColor(t.hairline);
        axis->setLinePen(QPen(t.hairline));
    }
    time_->setGridLineVisible(false);
}

void SignalStrip::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) {
        recolour();
    }
}

} // namespace alidade::ui
