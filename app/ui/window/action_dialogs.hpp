// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: what a person still has to say before an action is a Draft: how many replicas, which revision.
// What it must not know: writing. These dialogs approve nothing; the approval dialog comes after them.
// Thread: GUI. Opened with open(), never exec().
#pragma once

#include <functional>
#include <memory>

#include <QDialog>

#include "alidade/cluster_model/session.hpp"
#include "alidade/models/inbox.hpp"

class QDialogButtonBox;
class QLabel;
class QListWidget;
class QPushButton;
class QSpinBox;

namespace alidade::ui {

class ScaleDialog : public QDialog {
    Q_OBJECT

public:
    /// Begins with the number that is asked for now; nothing can be chosen before that is known.
    ScaleDialog(const std::shared_ptr<cluster::ClusterSession>& session, const guard::ObjectRef& target,
                QWidget* parent);

Q_SIGNALS:
    void chosen(int replicas);

private:
    using Object = std::shared_ptr<guard::Result<guard::Raw<nlohmann::json>>>;
    void take(const Object& answer);

    QSpinBox* replicas_;
    QLabel* notice_;
    QPushButton* accept_;
    std::unique_ptr<models::Inbox<Object>> inbox_;
};

class RollbackDialog : public QDialog {
    Q_OBJECT

public:
    RollbackDialog(const std::shared_ptr<cluster::ClusterSession>& session, const guard::ObjectRef& target,
                   QWidget* parent);

Q_SIGNALS:
    void chosen(int revision);

private:
    using Revisions = std::shared_ptr<guard::Result<guard::Answer<std::vector<cluster::Revision>>>>;
    void take(const Revisions& answer);

    QLabel* notice_;
    QListWidget* list_;
    QPushButton* accept_;
    std::unique_ptr<models::Inbox<Revisions>> inbox_;
};

} // namespace alidade::ui
