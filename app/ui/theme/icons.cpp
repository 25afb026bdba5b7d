// SPDX-License-Identifier: GPL-3.0-or-later
#include "theme/icons.hpp"

#include <QApplication>
#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>

#include "theme/tokens.hpp"

namespace alidade::ui {
namespace {

class ThemedEngine final : public QIconEngine {
public:
    explicit ThemedEngine(QString name) : name_(std::move(name)) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override {
        const QPalette palette = QApplication::palette();
        const Tokens& t = tokensOf(palette);
        const QColor colour = mode == QIcon::Disabled ? palette.color(QPalette::Disabled, QPalette::Text)
                              : state == QIcon::On    ? t.accent
                                                      : t.text;
        paintIcon(*painter, rect, name_, colour, t.surface);
    }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        QPixmap out(size);
        out.fill(Qt::transparent);
        QPainter painter(&out);
        paint(&painter, QRect(QPoint(0, 0), size), mode, state);
        return out;
    }
    [[nodiscard]] QIconEngine* clone() const override { return new ThemedEngine(name_); }

private:
    QString name_;
};

} // namespace

QIcon icon(const QString& name) { return QIcon(new ThemedEngine(name)); }

QPixmap iconPixmap(const QString& name, int size, const QColor& colour, const QColor& hole, double ratio) {
    const QString key =
        QStringLiteral("alidade/%1/%2/%3/%4/%5").arg(name).arg(size).arg(colour.name(), hole.name()).arg(ratio);
    QPixmap out;
    if (QPixmapCache::find(key, &out)) {
        return out;
    }
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly)) {
        return out;
    }
    QByteArray svg = file.readAll();
    svg.replace("currentColor", colour.name().toLatin1());
    svg.replace("#hole", hole.name().toLatin1());
    QSvgRenderer renderer(svg);
    const int side = qMax(1, qRound(size * ratio));
    out = QPixmap(side, side);
    out.fill(Qt::transparent);
    QPainter painter(&out);
    renderer.render(&painter);
    painter.end();
    out.setDevicePixelRatio(ratio);
    QPixmapCache::insert(key, out);
    return out;
}

void paintIcon(QPainter& painter, const QRectF& where, const QString& name, const QColor& colour, const QColor& hole) {
    const double ratio = painter.device()->devicePixelRatioF();
    const int size = qRound(qMin(where.width(), where.height()));
    const QPixmap pixmap = iconPixmap(name, size, colour, hole, ratio);
    painter.drawPixmap(QPointF(where.center().x() - size / 2.0, where.center().y() - size / 2.0), pixmap);
}

} // namespace alidade::ui
