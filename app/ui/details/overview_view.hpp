// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: an object's facts, conditions, containers, owners, labels at a glance.
// What it must not know: the session.
// Thread: GUI.
#pragma once

#include <QScrollArea>

#include "alidade/models/object_text.hpp"

class QGridLayout;
class QVBoxLayout;

namespace alidade::ui {

class OverviewView : public QScrollArea {
    Q_OBJECT

public:
    explicit OverviewView(QWidget* parent = nullptr);
    void setFacts(const models::OverviewFacts& facts);
    void clear();

Q_SIGNALS:
    void ownerAsked(const alidade::models::OwnerFact& owner);
    void logAsked(const QString& container);

private:
    void rebuild(const models::OverviewFacts& facts);
    void addConditions(const models::OverviewFacts& facts, QVBoxLayout* column);
    void addContainers(const models::OverviewFacts& facts, QVBoxLayout* column);
    void addPairs(const QString& title, const std::vector<std::pair<QString, QString>>& pairs, QVBoxLayout* column);

    QWidget* page_ = nullptr;
    QString shownDigest_;
};

} // namespace alidade::ui
