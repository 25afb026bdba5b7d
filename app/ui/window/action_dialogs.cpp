// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/action_dialogs.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include "alidade/models/text.hpp"
#include "parts/parts.hpp"
#include "parts/words.hpp"
#include "theme/tokens.hpp"

namespace alidade::ui {
namespace {

QLabel* heading(const QString& text, QWidget* parent) {
    auto* label = textLabel(text, parent);
    label->setFont(headingFont(2));
    return label;
}

/// Cancel left, the verb right; neither is a default.
std::pair<QPushButton*, QHBoxLayout*> buttons(QDialog* dialog, const QString& verb) {
    auto* cancel = new QPushButton(QDialog::tr("Cancel"), dialog);
    auto* accept = new QPushButton(verb, dialog);
    for (auto* button : {cancel, accept}) {
        button->setAutoDefault(false);
    }
    auto* row = new QHBoxLayout;
    row->addWidget(cancel);
    row->addStretch(1);
    row->addWidget(accept);
    QObject::connect(cancel, &QPushButton::clicked, dialog, &QDialog::reject);
    return {accept, row};
}

} // namespace

ScaleDialog::ScaleDialog(const guard::ObjectRef& target, QWidget* parent) : QDialog(parent) {
    setWindowTitle(tr("Scale"));
    setAttribute(Qt::WA_DeleteOnClose);
    auto* replicas = new QSpinBox(this);
    replicas->setRange(0, 10'000);
    replicas->setValue(1);
    replicas->setAccessibleName(tr("Replicas"));
    auto* label = new QLabel(tr("&Replicas"), this);
    label->setBuddy(replicas);
    auto* row = new QHBoxLayout;
    row->addWidget(label);
    row->addWidget(replicas, 1);
    const auto [accept, bottom] = buttons(this, tr("Review…"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(grid::l, grid::l, grid::l, grid::l);
    column->setSpacing(grid::m);
    column->addWidget(heading(tr("Scale %1").arg(objectText(target.key)), this));
    column->addLayout(row);
    column->addLayout(bottom);
    connect(accept, &QPushButton::clicked, this, [this, replicas] {
        const int count = replicas->value();
        close();
        Q_EMIT chosen(count);
    });
}

RollbackDialog::RollbackDialog(const std::shared_ptr<cluster::ClusterSession>& session, const guard::ObjectRef& target,
                               QWidget* parent)
    : QDialog(parent), notice_(textLabel(tr("Reading the revisions"), this, QStringLiteral("muted"))),
      list_(new QListWidget(this)), accept_(nullptr) {
    setWindowTitle(tr("Roll back"));
    setAttribute(Qt::WA_DeleteOnClose);
    resize(520, 320);
    list_->setAccessibleName(tr("Revisions"));
    const auto [accept, bottom] = buttons(this, tr("Review…"));
    accept_ = accept;
    accept_->setEnabled(false);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(grid::l, grid::l, grid::l, grid::l);
    column->setSpacing(grid::m);
    column->addWidget(heading(tr("Roll back %1").arg(objectText(target.key)), this));
    column->addWidget(notice_);
    column->addWidget(list_, 1);
    column->addLayout(bottom);
    inbox_ =
        std::make_unique<models::Inbox<Revisions>>([this](const std::vector<Revisions>& all) { take(all.back()); });
    session->reader()->revisions(
        target, [post = inbox_->poster()](guard::Result<guard::Answer<std::vector<cluster::Revision>>> answer) {
            post(std::make_shared<guard::Result<guard::Answer<std::vector<cluster::Revision>>>>(std::move(answer)));
        });
    connect(list_, &QListWidget::currentRowChanged, this,
            [this](int row) { accept_->setEnabled(row >= 0 && (list_->item(row)->flags() & Qt::ItemIsEnabled) != 0); });
    connect(accept_, &QPushButton::clicked, this, [this] {
        const int revision = list_->currentItem()->data(Qt::UserRole).toInt();
        close();
        Q_EMIT chosen(revision);
    });
}

void RollbackDialog::take(const Revisions& answer) {
    if (!*answer) {
        notice_->setText(errorTitle(answer->error().code) + QStringLiteral(": ") + errorDetail(answer->error()));
        return;
    }
    const auto& revisions = (*answer)->partial();
    for (const auto& revision : revisions) {
        QStringList images;
        for (const auto& image : revision.images) {
            images << models::shown(image);
        }
        QString text = tr("Revision %1  ·  %2").arg(revision.number).arg(images.join(QStringLiteral(", ")));
        if (revision.current) {
            text += QStringLiteral("  ·  ") + tr("current");
        }
        if (!revision.changeCause.empty()) {
            text += QStringLiteral("  ·  ") + models::shown(revision.changeCause);
        }
        auto* item = new QListWidgetItem(text, list_);
        item->setData(Qt::UserRole, revision.number);
        item->setToolTip(models::plainTip(text));
        if (revision.current) {
            item->setFlags(Qt::NoItemFlags);
        }
    }
    const bool any = revisions.size() > 1;
    notice_->setText(!any                    ? tr("There is no earlier revision to go back to.")
                     : (*answer)->complete() ? tr("Its pod template is restored exactly.")
                                             : tr("There may be more: not everything could be read."));
}

} // namespace alidade::ui
