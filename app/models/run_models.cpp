// SPDX-License-Identifier: GPL-3.0-or-later
#include "alidade/models/run_models.hpp"

#include <algorithm>

#include <QCoreApplication>

#include "alidade/models/text.hpp"

namespace alidade::models {

QString stepWord(guard::Step step) {
    using guard::Step;
    const char* word = "";
    switch (step) {
    case Step::Trigger: word = QT_TRANSLATE_NOOP("Run", "Trigger"); break;
    case Step::Gather: word = QT_TRANSLATE_NOOP("Run", "Gather"); break;
    case Step::Redact: word = QT_TRANSLATE_NOOP("Run", "Redact"); break;
    case Step::Diagnose: word = QT_TRANSLATE_NOOP("Run", "Diagnose"); break;
    case Step::QualityGate: word = QT_TRANSLATE_NOOP("Run", "Quality gate"); break;
    case Step::Plan: word = QT_TRANSLATE_NOOP("Run", "Plan"); break;
    case Step::ActionGate: word = QT_TRANSLATE_NOOP("Run", "Action gate"); break;
    case Step::Approve: word = QT_TRANSLATE_NOOP("Run", "Approve"); break;
    case Step::Execute: word = QT_TRANSLATE_NOOP("Run", "Execute"); break;
    case Step::Verify: word = QT_TRANSLATE_NOOP("Run", "Verify"); break;
    case Step::Notify: word = QT_TRANSLATE_NOOP("Run", "Notify"); break;
    }
    return QCoreApplication::translate("Run", word);
}

QString eventWord(guard::RunEventKind kind) {
    using guard::RunEventKind;
    const char* word = "";
    switch (kind) {
    case RunEventKind::Step: word = QT_TRANSLATE_NOOP("Run", "step"); break;
    case RunEventKind::Gate: word = QT_TRANSLATE_NOOP("Run", "gate"); break;
    case RunEventKind::Fallback: word = QT_TRANSLATE_NOOP("Run", "fallback"); break;
    case RunEventKind::Action: word = QT_TRANSLATE_NOOP("Run", "action"); break;
    case RunEventKind::Blocked: word = QT_TRANSLATE_NOOP("Run", "blocked"); break;
    case RunEventKind::Breaker: word = QT_TRANSLATE_NOOP("Run", "breaker"); break;
    case RunEventKind::Done: word = QT_TRANSLATE_NOOP("Run", "done"); break;
    }
    return QCoreApplication::translate("Run", word);
}

QString outcomeWord(guard::RunOutcome outcome) {
    using guard::RunOutcome;
    const char* word = "";
    switch (outcome) {
    case RunOutcome::Resolved: word = QT_TRANSLATE_NOOP("Run", "Resolved"); break;
    case RunOutcome::NoFault: word = QT_TRANSLATE_NOOP("Run", "No fault found"); break;
    case RunOutcome::AwaitingApproval: word = QT_TRANSLATE_NOOP("Run", "Awaiting approval"); break;
    case RunOutcome::Escalated: word = QT_TRANSLATE_NOOP("Run", "Escalated"); break;
    case RunOutcome::Blocked: word = QT_TRANSLATE_NOOP("Run", "Blocked"); break;
    case RunOutcome::Declined: word = QT_TRANSLATE_NOOP("Run", "Declined"); break;
    case RunOutcome::Undetermined: word = QT_TRANSLATE_NOOP("Run", "Undetermined"); break;
    case RunOutcome::ExecutedNotVerified: word = QT_TRANSLATE_NOOP("Run", "Executed, not verified"); break;
    case RunOutcome::Cancelled: word = QT_TRANSLATE_NOOP("Run", "Cancelled"); break;
    case RunOutcome::Failed: word = QT_TRANSLATE_NOOP("Run", "Failed"); break;
    }
    return QCoreApplication::translate("Run", word);
}

bool TimelineModel::expandable(const guard::RunEvent& event) {
    return !event.detail.empty() || (event.verdict && !event.verdict->checks.empty());
}

void TimelineModel::setState(RunStatePtr state) {
    const int have = rowCount();
    const bool same =
        state_ && state && state_->incident.id == state->incident.id && state->events.size() >= state_->events.size();
    if (!same) {
        beginResetModel();
        state_ = std::move(state);
        expanded_.clear();
        endResetModel();
        return;
    }
    const int now = static_cast<int>(state->events.size());
    if (now > have) {
        beginInsertRows({}, have, now - 1);
        state_ = std::move(state);
        endInsertRows();
    } else {
        state_ = std::move(state);
    }
    if (have > 0) { // its duration may have become known, and it may have been the last
        Q_EMIT dataChanged(index(have - 1), index(have - 1));
    }
}

const guard::RunEvent* TimelineModel::eventAt(int row) const {
    return state_ && row >= 0 && row < static_cast<int>(state_->events.size())
               ? &state_->events[static_cast<std::size_t>(row)]
               : nullptr;
}

bool TimelineModel::isRunning() const { return state_ && !state_->outcome; }

int TimelineModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !state_ ? 0 : static_cast<int>(state_->events.size());
}

QVariant TimelineModel::data(const QModelIndex& index, int role) const {
    const auto* event = index.isValid() ? eventAt(index.row()) : nullptr;
    if (event == nullptr) {
        return {};
    }
    switch (role) {
    case Qt::DisplayRole: return shown(event->title);
    case Qt::AccessibleTextRole: {
        QString text =
            QStringLiteral("%1 %2: %3").arg(clockText(event->at), eventWord(event->kind), shown(event->title));
        if (event->verdict) {
            text += QCoreApplication::translate("Run", event->verdict->passed ? QT_TRANSLATE_NOOP("Run", ", passed")
                                                                              : QT_TRANSLATE_NOOP("Run", ", failed"));
        }
        return text;
    }
    case Qt::ToolTipRole: return fullTimeText(event->at);
    case ExpandedRole: return expanded_.contains(event->sequence);
    case ExpandableRole: return expandable(*event);
    case KindRole: return static_cast<int>(event->kind);
    default: return {};
    }
}

bool TimelineModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    const auto* event = index.isValid() ? eventAt(index.row()) : nullptr;
    if (event == nullptr || role != ExpandedRole) {
        return false;
    }
    if (value.toBool()) {
        expanded_.insert(event->sequence);
    } else {
        expanded_.erase(event->sequence);
    }
    Q_EMIT dataChanged(index, index, {ExpandedRole, Qt::SizeHintRole});
    return true;
}

void EvidenceModel::setState(const RunStatePtr& state) {
    const std::string incident = state ? state->incident.id : std::string();
    const auto& now = state ? state->evidence : std::vector<std::shared_ptr<const guard::Evidence>>{};
    if (incident != incident_ || now.size() < evidence_.size()) {
        beginResetModel();
        incident_ = incident;
        evidence_ = now;
        endResetModel();
    } else if (now.size() > evidence_.size()) {
        beginInsertRows({}, rowCount(), static_cast<int>(now.size()) - 1);
        evidence_ = now;
        endInsertRows();
    }
}

std::shared_ptr<const guard::Evidence> EvidenceModel::at(int row) const {
    return row >= 0 && row < static_cast<int>(evidence_.size()) ? evidence_[static_cast<std::size_t>(row)] : nullptr;
}

std::shared_ptr<const guard::Evidence> EvidenceModel::find(guard::EvidenceRef ref) const {
    const auto it = std::find_if(evidence_.begin(), evidence_.end(), [&](const auto& e) { return e && e->ref == ref; });
    return it == evidence_.end() ? nullptr : *it;
}

int EvidenceModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(evidence_.size());
}

QVariant EvidenceModel::data(const QModelIndex& index, int role) const {
    const auto evidence = index.isValid() ? at(index.row()) : nullptr;
    if (!evidence) {
        return {};
    }
    const QString ref = QString::fromStdString(evidence->ref.text());
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole: return QStringLiteral("%1  %2").arg(ref, shown(evidence->title));
    case Qt::ToolTipRole: return plainTip(shownLines(evidence->excerpt));
    default: return {};
    }
}

std::array<StepState, guard::allSteps.size()> stepStates(const agent::RunState& state) {
    std::array<StepState, guard::allSteps.size()> out{};
    int last = -1;
    for (const auto& event : state.events) {
        if (event.kind == guard::RunEventKind::Done) {
            continue;
        }
        const auto at = static_cast<std::size_t>(event.step);
        last = std::max(last, static_cast<int>(at));
        const bool failed = event.kind == guard::RunEventKind::Blocked ||
                            (event.kind == guard::RunEventKind::Gate && event.verdict && !event.verdict->passed);
        if (failed) {
            out[at] = StepState::Failed;
        } else if (out[at] != StepState::Failed || event.kind == guard::RunEventKind::Gate) {
            out[at] = StepState::Done;
        }
    }
    if (!state.outcome) { // a step is under way before its first event
        last = std::max(last, static_cast<int>(state.step));
    }
    for (int i = 0; i < last; ++i) {
        auto& each = out[static_cast<std::size_t>(i)];
        each = each == StepState::Future ? StepState::Skipped : each;
    }
    if (!state.outcome) {
        auto& current = out[static_cast<std::size_t>(last)];
        current = current == StepState::Failed ? current : StepState::Current;
    }
    if (state.outcome) { // what was never reached will not be
        for (auto& each : out) {
            each = each == StepState::Future ? StepState::Skipped : each;
        }
        if (*state.outcome == guard::RunOutcome::ExecutedNotVerified) {
            out[static_cast<std::size_t>(guard::Step::Verify)] = StepState::Failed;
        }
    }
    return out;
}

} // namespace alidade::models
