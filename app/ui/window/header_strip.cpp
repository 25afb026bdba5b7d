// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/header_strip.hpp"

#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPainter>

#include "alidade/models/text.hpp"
#include "parts/words.hpp"
#include "theme/icons.hpp"
#include "theme/tokens.hpp"

namespace alidade::ui {
namespace {
constexpr int band = 3;

QString iconOfTone(const QString& tone) {
    return tone == u"good"   ? QStringLiteral("state-ok")
           : tone == u"warn" ? QStringLiteral("state-warning")
           : tone == u"bad"  ? QStringLiteral("state-bad")
                             : QStringLiteral("state-waiting");
}
} // namespace

HeaderStrip::HeaderStrip(QWidget* parent)
    : QWidget(parent), contexts_(new QComboBox(this)), namespaces_(new QComboBox(this)), filter_(new QLineEdit(this)),
      palette_(iconButton(QStringLiteral("command"), tr("Commands (Ctrl+K)"), this)),
      tls_(new ElidedLabel(Qt::ElideRight, this)), readOnly_(new ElidedLabel(Qt::ElideRight, this)),
      protected_(new ElidedLabel(Qt::ElideRight, this)), freshness_(new ElidedLabel(Qt::ElideRight, this)),
      brake_(new QPushButton(this)) {
    setAccessibleName(tr("Header"));
    const auto chooser = [](QComboBox* box, const QString& name) {
        box->setAccessibleName(name);
        box->setToolTip(models::plainTip(name));
        box->setMinimumWidth(130);
        box->setMaximumWidth(220);
        box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
        box->setMaxVisibleItems(24);
    };
    chooser(contexts_, tr("Context"));
    chooser(namespaces_, tr("Namespace"));
    filter_->setPlaceholderText(tr("Filter:  text   !not   /regex/   ~fuzzy   -l app=web"));
    filter_->setAccessibleName(tr("Filter"));
    filter_->setClearButtonEnabled(true);
    filter_->addAction(icon(QStringLiteral("search")), QLineEdit::LeadingPosition);
    filter_->installEventFilter(this);
    palette_->setText(QStringLiteral("Ctrl+K"));
    palette_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    palette_->setFont(smallFont());
    const auto mark = [](ElidedLabel* label, const QString& text, const char* shape, const char* tone,
                         const QString& tip) {
        label->setText(text);
        label->setMark(QString::fromLatin1(shape));
        label->setTone(QString::fromLatin1(tone));
        if (!tip.isEmpty()) {
            label->setToolTip(models::plainTip(tip));
        }
        label->setMinimumWidth(label->sizeHint().width());
        label->hide();
    };
    mark(tls_, tr("TLS OFF"), "tls-off", "bad",
         tr("The server's certificate is not checked: anyone on the way can read and change what you see."));
    mark(readOnly_, tr("READ-ONLY"), "lock", "muted", {});
    mark(protected_, tr("PROTECTED"), "lock", "bad", tr("A protected context: every change asks for its name."));
    freshness_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    freshness_->setMinimumWidth(120);
    brake_->setIcon(icon(QStringLiteral("brake")));
    brake_->setCheckable(true);
    brake_->setProperty("alarm", QStringLiteral("brake")); // while it is on: loud, with this shape
    brake_->setToolTip(tr("Refuses every write while it is on"));
    brake_->setAutoDefault(false);
    setBrake(false, false);

    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(grid::m, grid::s, grid::m, grid::s + band);
    row->setSpacing(grid::s);
    row->addWidget(contexts_);
    row->addWidget(namespaces_);
    row->addWidget(filter_, 3);
    row->addWidget(palette_);
    row->addWidget(protected_);
    row->addWidget(tls_);
    row->addWidget(readOnly_);
    row->addWidget(freshness_, 2);
    row->addWidget(brake_);

    connect(contexts_, &QComboBox::activated, this,
            [this](int index) { Q_EMIT contextChosen(contexts_->itemData(index).toString()); });
    connect(namespaces_, &QComboBox::activated, this, [this](int index) {
        const QVariant chosen = namespaces_->itemData(index);
        if (chosen.isValid()) {
            Q_EMIT namespaceChosen(chosen.toString());
        } else {
            Q_EMIT otherNamespaceAsked();
        }
    });
    connect(filter_, &QLineEdit::textChanged, this, &HeaderStrip::filterChanged);
    connect(palette_, &QToolButton::clicked, this, &HeaderStrip::paletteAsked);
    connect(brake_, &QPushButton::toggled, this, [this](bool on) {
        setBrake(on, brake_->isEnabled());
        Q_EMIT brakeToggled(on);
    });
}

void HeaderStrip::setContexts(const std::vector<cluster::ContextEntry>& entries, const QString& current) {
    const QSignalBlocker quiet(contexts_);
    contexts_->clear();
    for (const auto& entry : entries) {
        contexts_->addItem(icon(entry.problem ? QStringLiteral("state-bad") : QStringLiteral("context")),
                           models::shown(entry.name), QString::fromStdString(entry.name));
        contexts_->setItemData(contexts_->count() - 1,
                               models::plainTip(entry.problem ? errorDetail(*entry.problem)
                                                              : models::shown(entry.server) + QLatin1Char('\n') +
                                                                    models::shown(entry.user)),
                               Qt::ToolTipRole);
    }
    int at = contexts_->findData(current);
    if (at < 0 && !current.isEmpty()) {
        contexts_->addItem(icon(QStringLiteral("context")), models::shown(current.toStdString()), current);
        at = contexts_->count() - 1;
    }
    contexts_->setCurrentIndex(at);
}

void HeaderStrip::setNamespaces(const QStringList& names, const QString& current, bool complete) {
    const QSignalBlocker quiet(namespaces_);
    namespaces_->clear();
    const QIcon picture = icon(QStringLiteral("namespace"));
    namespaces_->addItem(picture, tr("All namespaces"), QString());
    for (const QString& name : names) {
        namespaces_->addItem(picture, name, name);
    }
    int at = current.isEmpty() ? 0 : static_cast<int>(names.indexOf(current)) + 1;
    if (at == 0 && !current.isEmpty()) {
        namespaces_->addItem(picture, current, current);
        at = namespaces_->count() - 1;
    }
    if (!complete) {
        namespaces_->addItem(tr("Other namespace…"));
    }
    namespaces_->setCurrentIndex(at);
}

void HeaderStrip::setMarks(bool tlsOff, bool readOnly, const QString& readOnlyWhy) {
    tls_->setVisible(tlsOff);
    readOnly_->setVisible(readOnly);
    readOnly_->setToolTip(models::plainTip(readOnlyWhy));
}

void HeaderStrip::setBrake(bool on, bool possible) {
    const QSignalBlocker quiet(brake_);
    brake_->setEnabled(possible);
    brake_->setChecked(on);
    brake_->setText(on ? tr("BRAKE ON") : tr("Brake"));
    brake_->setAccessibleName(on ? tr("Brake, on: all writes are refused") : tr("Brake, off"));
}

void HeaderStrip::setFreshness(const QString& text, const QString& tone) {
    freshness_->setText(text);
    freshness_->setTone(tone == u"good" ? QStringLiteral("muted") : tone);
    freshness_->setMark(text.isEmpty() ? QString() : iconOfTone(tone), tone);
}

void HeaderStrip::setHue(const QColor& hue, bool isProtected) {
    hue_ = hue;
    protected_->setVisible(isProtected);
    update();
}

void HeaderStrip::setFilter(const QString& text) { filter_->setText(text); }
QString HeaderStrip::filter() const { return filter_->text(); }
void HeaderStrip::focusFilter() {
    filter_->setFocus(Qt::ShortcutFocusReason);
    filter_->selectAll();
}

void HeaderStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), tokensOf(palette()).raised);
    if (hue_.isValid()) {
        painter.fillRect(0, height() - band, width(), band, hue_);
    }
}

bool HeaderStrip::eventFilter(QObject* watched, QEvent* event) {
    if (watched == filter_ && event->type() == QEvent::KeyPress &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape && !filter_->text().isEmpty()) {
        filter_->clear();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace alidade::ui
