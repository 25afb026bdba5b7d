// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: the first row of the window: context, namespace, filter, marks, freshness, brake; and the hue band.
// What it must not know: sessions.
// Thread: GUI.
#pragma once

#include <vector>

#include <QWidget>

#include "alidade/cluster_model/session.hpp"
#include "parts/parts.hpp"

class QComboBox;
class QLineEdit;

namespace alidade::ui {

class HeaderStrip : public QWidget {
    Q_OBJECT

public:
    explicit HeaderStrip(QWidget* parent = nullptr);

    void setContexts(const std::vector<cluster::ContextEntry>& entries, const QString& current);
    /// `complete` is false where namespaces may not be listed: another name can then be typed.
    void setNamespaces(const QStringList& names, const QString& current, bool complete);
    void setMarks(bool tlsOff, bool readOnly, const QString& readOnlyWhy);
    void setBrake(bool on, bool possible);
    void setFreshness(const QString& text, const QString& tone);
    void setHue(const QColor& hue, bool isProtected);
    void setFilter(const QString& text);
    [[nodiscard]] QString filter() const;
    [[nodiscard]] QString freshness() const { return freshness_->text(); }
    void focusFilter();

Q_SIGNALS:
    void contextChosen(const QString& name);
    void namespaceChosen(const QString& ns); ///< empty: all
    void otherNamespaceAsked();
    void filterChanged(const QString& text);
    void paletteAsked();
    void brakeToggled(bool on);

protected:
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QComboBox* contexts_;
    QComboBox* namespaces_;
    QLineEdit* filter_;
    QToolButton* palette_;
    ElidedLabel* tls_;
    ElidedLabel* readOnly_;
    ElidedLabel* protected_;
    ElidedLabel* freshness_;
    QPushButton* brake_;
    QColor hue_;
};

} // namespace alidade::ui
