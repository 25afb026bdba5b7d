// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/action_dialogs.hpp"

#include <nlohmann/json.hpp>

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

using nlohmann::literals::operator""_json_pointer;

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

ScaleDialog::ScaleDialog(const std::shared_ptr<cluster::ClusterSession>& session, const guard::ObjectRef& target,
                         QWidget* parent)
    : QDialog(parent), replicas_(new QSpinBox(this)),
      notice_(textLabel(tr("Reading the object"), this, QStringLiteral("muted"))), accept_(nullptr) {
    setWindowTitle(tr("Scale"));
    setAttribute(Qt::WA_DeleteOnClose);
    setMinimumWidth(320);
    replicas_->setRange(0, 10'000);
    replicas_->setAccessibleName(tr("Replicas"));
    replicas_->setEnabled(false);
    auto* label = new QLabel(tr("&Replicas"), this);
    label->setBuddy(replicas_);
    auto* row = new QHBoxLayout;
    row->addWidget(label);
    row->addWidget(replicas_, 1);
    const auto [accept, bottom] = buttons(this, tr("Review…"));
    accept_ = accept;
    accept_->setEnabled(false);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(grid::l, grid::l, grid::l, grid::l);
    column->setSpacing(grid::m);
    column->addWidget(heading(tr("Scale %1").arg(objectText(target.key)), this));
    column->addWidget(notice_);
    column->addLayout(row);
    column->addLayout(bottom);
    inbox_ = std::make_unique<models::Inbox<Object>>([this](const std::vector<Object>& all) { take(all.back()); });
    session->reader()->get(target.key, [post = inbox_->poster()](guard::Result<guard::Raw<nlohmann::json>> answer) {
        post(std::make_shared<guard::Result<guard::Raw<nlohmann::json>>>(std::move(answer)));
    });
    connect(accept_, &QPushButton::clicked, this, [this] {
        const int count = replicas_->value();
        close();
        Q_EMIT chosen(count);
    });
}

void ScaleDialog::take(const Object& answer) {
    if (!*answer) {
        notice_->setText(errorTitle(answer->error().code) + QStringLiteral(": ") + errorDetail(answer->error()));
        return;
    }
    const auto& object = (*answer)->value();
    const auto count = object.contains("/spec/replicas"_json_pointer) ? object.at("/spec/replicas"_json_pointer)
                                                                      : nlohmann::json(1); // the API's default
    if (!count.is_number_integer()) {
        notice_->setText(tr("The object does not say how many replicas it asks for."));
        return;
    }
    const int now = count.get<int>();
    replicas_->setValue(now);
    replicas_->setEnabled(true);
    replicas_->setFocus();
    replicas_->selectAll();
    accept_->setEnabled(true);
    notice_->setText(tr("%n replica(s) are asked for now.", nullptr, now));
}

RollbackDialog::RollbackDialog(const std::shared_ptr<cluster::ClusterSession>& session, const guard::ObjectRef& target,
                               QWidget* parent)
    : QDialog(parent), notice_(textLabel(tr("Reading the revisions"), this, QStringLiteral("muted"))),
      list_(new QListWidget(this)), accept_(nullptr) {
    setWindowTitle(tr("Roll back"));
    setAttribute(Qt::WA_DeleteOnClose);
    resize(600, 320);
    list_->setAccessibleName(tr("Revisions"));
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff); // the whole is in the tool tip
    list_->setTextElideMode(Qt::ElideRight);
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
        item->setSizeHint({0, grid::row});
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
