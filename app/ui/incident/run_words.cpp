// SPDX-License-Identifier: GPL-3.0-or-later
#include "incident/run_words.hpp"

#include <algorithm>
#include <cmath>

#include <QCoreApplication>
#include <QLocale>
#include <QTextDocument>

#include "alidade/models/text.hpp"

namespace alidade::ui {
namespace {

/// Not named tr: lupdate reads no mark inside a call of that name.
QString said(const char* text) { return QCoreApplication::translate("Incident", text); }

QString cut(QString text, qsizetype most) {
    if (text.size() > most) {
        text.truncate(most);
        if (text.back().isHighSurrogate()) {
            text.chop(1);
        }
        text += QStringLiteral("…");
    }
    return text;
}

QString failedReasons(const guard::RunEvent& event) {
    QStringList lines;
    if (event.verdict) {
        for (const std::string& reason : event.verdict->reasons) {
            lines << shownTitle(reason);
        }
        if (lines.isEmpty()) {
            for (const guard::Check& check : event.verdict->checks) {
                if (!check.passed) {
                    lines << shownTitle(check.reason.empty() ? check.id : check.reason);
                }
            }
        }
    }
    if (lines.isEmpty() && !event.detail.empty()) {
        lines << shownTitle(event.detail);
    }
    return lines.isEmpty() ? shownTitle(event.title) : lines.join(QStringLiteral("; "));
}

} // namespace

QString shownTitle(std::string_view text) { return cut(models::shown(text.substr(0, 1600)), 400); }
QString shownDetail(std::string_view text) { return cut(models::shownLines(text.substr(0, 16'000)), 4000); }

Mark markOfEvent(const guard::RunEvent& event, const Tokens& t) {
    Mark mark = markOf(event.kind, t);
    if (event.kind == guard::RunEventKind::Gate && event.verdict && !event.verdict->passed) {
        mark.colour = t.bad;
    } else if (event.kind == guard::RunEventKind::Done && event.outcome) {
        mark.colour = markOf(*event.outcome, t).colour;
    }
    return mark;
}

QString checkName(const guard::Check& check) {
    QString name = shownTitle(check.id);
    name.replace(QLatin1Char('_'), QLatin1Char(' '));
    return name;
}

QString eventText(const guard::RunEvent& event) {
    QString text = QStringLiteral("%1  %2  %3")
                       .arg(models::clockText(event.at), models::eventWord(event.kind), models::shown(event.title));
    if (!event.detail.empty()) {
        text += QLatin1Char('\n') + models::shownLines(event.detail);
    }
    if (event.verdict) {
        for (const guard::Check& check : event.verdict->checks) {
            text += QStringLiteral("\n  %1  %2")
                        .arg(check.passed ? said(QT_TRANSLATE_NOOP("Incident", "passed"))
                                          : said(QT_TRANSLATE_NOOP("Incident", "failed")),
                             checkName(check));
            if (!check.reason.empty()) {
                text += QStringLiteral(": ") + models::shown(check.reason);
            }
        }
    }
    return text;
}

QString outcomeText(guard::DiagnosisOutcome outcome) {
    switch (outcome) {
    case guard::DiagnosisOutcome::Fault: return said(QT_TRANSLATE_NOOP("Incident", "Fault"));
    case guard::DiagnosisOutcome::NoFault: return said(QT_TRANSLATE_NOOP("Incident", "No fault"));
    case guard::DiagnosisOutcome::Undetermined: return said(QT_TRANSLATE_NOOP("Incident", "Undetermined"));
    }
    return {};
}

Mark markOf(guard::DiagnosisOutcome outcome, const Tokens& t) {
    switch (outcome) {
    case guard::DiagnosisOutcome::Fault: return {"state-bad", t.bad};
    case guard::DiagnosisOutcome::NoFault: return {"state-done", t.good};
    case guard::DiagnosisOutcome::Undetermined: return {"state-unknown", t.warn};
    }
    return {"state-unknown", t.muted};
}

QString confidenceText(double confidence) {
    const double sure = std::isfinite(confidence) ? std::clamp(confidence, 0.0, 1.0) : 0.0;
    const QString words = sure >= 0.85  ? said(QT_TRANSLATE_NOOP("Incident", "High confidence, %1 %"))
                          : sure >= 0.5 ? said(QT_TRANSLATE_NOOP("Incident", "Medium confidence, %1 %"))
                                        : said(QT_TRANSLATE_NOOP("Incident", "Low confidence, %1 %"));
    return words.arg(QLocale().toString(static_cast<int>(std::lround(sure * 100))));
}

QString riskWord(guard::Risk risk) {
    switch (risk) {
    case guard::Risk::Low: return said(QT_TRANSLATE_NOOP("Incident", "Low risk"));
    case guard::Risk::Medium: return said(QT_TRANSLATE_NOOP("Incident", "Medium risk"));
    case guard::Risk::High: return said(QT_TRANSLATE_NOOP("Incident", "High risk"));
    case guard::Risk::Critical: return said(QT_TRANSLATE_NOOP("Incident", "Critical risk"));
    }
    return {};
}

QString coverageWord(guard::Coverage coverage) {
    switch (coverage) {
    case guard::Coverage::Complete: return said(QT_TRANSLATE_NOOP("Incident", "complete"));
    case guard::Coverage::Partial: return said(QT_TRANSLATE_NOOP("Incident", "only in part"));
    case guard::Coverage::Forbidden: return said(QT_TRANSLATE_NOOP("Incident", "forbidden"));
    case guard::Coverage::Unavailable: return said(QT_TRANSLATE_NOOP("Incident", "not available"));
    case guard::Coverage::Failed: return said(QT_TRANSLATE_NOOP("Incident", "failed"));
    case guard::Coverage::Capped: return said(QT_TRANSLATE_NOOP("Incident", "cut off"));
    }
    return {};
}

std::optional<guard::WallTime> sentAt(const agent::RunState& state) {
    std::optional<guard::WallTime> at;
    bool verifying = false;
    for (const guard::RunEvent& event : state.events) {
        if (event.kind == guard::RunEventKind::Action && event.step == guard::Step::Execute) {
            at = event.at;
        }
        verifying = verifying || event.step == guard::Step::Verify;
    }
    return verifying ? at : std::nullopt;
}

PlanStand planStand(const agent::RunState& state, bool proposalWaits) {
    using Kind = PlanStand::Kind;
    using guard::RunEventKind;
    using guard::RunOutcome;
    using guard::Step;
    PlanStand stand;
    if (state.plan && !state.plan->actions.empty()) {
        stand.action = &state.plan->actions.front();
        stand.more = static_cast<int>(state.plan->actions.size()) - 1;
    }
    const guard::RunEvent* blocked = nullptr;
    bool checking = false;
    int decisions = 0; // "proposed", then what a person said to it
    const bool executed = sentAt(state).has_value();
    for (const guard::RunEvent& event : state.events) {
        if (event.kind == RunEventKind::Blocked) {
            blocked = &event;
        }
        checking = checking || event.step == Step::Approve || event.step == Step::Execute;
        decisions += event.kind == RunEventKind::Action && event.step == Step::Approve ? 1 : 0;
        if (stand.action == nullptr && event.action) {
            stand.action = &*event.action;
        }
    }
    const auto set = [&](Kind kind, const char* words) {
        stand.kind = kind;
        stand.words = said(words);
    };
    if (blocked != nullptr) {
        set(Kind::Blocked, QT_TRANSLATE_NOOP("Incident", "Blocked: this change does not exist as a request"));
        stand.why = failedReasons(*blocked);
        if (blocked->action) {
            stand.action = &*blocked->action;
            stand.more = 0;
        }
        return stand;
    }
    if (state.outcome) {
        switch (*state.outcome) {
        case RunOutcome::Resolved: set(Kind::Verified, QT_TRANSLATE_NOOP("Incident", "Executed and verified")); break;
        case RunOutcome::ExecutedNotVerified:
            set(Kind::NotVerified,
                QT_TRANSLATE_NOOP("Incident", "Executed, and not seen to heal: look at it yourself"));
            break;
        case RunOutcome::Declined:
            set(Kind::Declined, QT_TRANSLATE_NOOP("Incident", "Declined: nothing was changed"));
            break;
        case RunOutcome::Escalated:
            set(Kind::Escalated, executed
                                     ? QT_TRANSLATE_NOOP("Incident", "Escalated to a person after it was sent")
                                     : QT_TRANSLATE_NOOP("Incident", "Escalated to a person: nothing was changed"));
            break;
        case RunOutcome::Cancelled:
            set(Kind::Cancelled, executed ? QT_TRANSLATE_NOOP("Incident", "Cancelled after it was sent")
                                          : QT_TRANSLATE_NOOP("Incident", "Cancelled: nothing was changed"));
            break;
        case RunOutcome::Blocked:
            set(Kind::Blocked, QT_TRANSLATE_NOOP("Incident", "Blocked: nothing was changed"));
            break;
        case RunOutcome::Failed:
            set(Kind::Failed, executed ? QT_TRANSLATE_NOOP("Incident", "The run failed after it was sent")
                                       : QT_TRANSLATE_NOOP("Incident", "The run failed: nothing was changed"));
            break;
        case RunOutcome::AwaitingApproval:
            set(proposalWaits ? Kind::Awaiting : Kind::Proposed,
                proposalWaits ? QT_TRANSLATE_NOOP("Incident", "Waits for your approval")
                              : QT_TRANSLATE_NOOP("Incident", "Proposed; nobody has approved it"));
            break;
        case RunOutcome::NoFault:
        case RunOutcome::Undetermined: stand.action = nullptr; return stand;
        }
        if (stand.action == nullptr) {
            stand.kind = Kind::None;
        }
        return stand;
    }
    if (stand.action == nullptr) {
        return stand;
    }
    if (executed) {
        set(Kind::Executed, QT_TRANSLATE_NOOP("Incident", "Executed, being verified"));
    } else if (proposalWaits) {
        set(Kind::Awaiting, QT_TRANSLATE_NOOP("Incident", "Waits for your approval"));
    } else if (decisions > 1) {
        set(Kind::Sending, QT_TRANSLATE_NOOP("Incident", "Decided, being carried out"));
    } else if (checking) {
        set(Kind::Checking, QT_TRANSLATE_NOOP("Incident", "Being checked: permission, dry run, impact"));
    } else {
        set(Kind::Proposed, QT_TRANSLATE_NOOP("Incident", "Proposed, not checked yet"));
    }
    return stand;
}

Mark markOf(PlanStand::Kind kind, const Tokens& t) {
    using Kind = PlanStand::Kind;
    switch (kind) {
    case Kind::None: return {"state-unknown", t.muted};
    case Kind::Proposed: return {"state-info", t.info};
    case Kind::Checking: return {"event-gate", t.info};
    case Kind::Awaiting: return {"state-waiting", t.warn};
    case Kind::Sending: return {"event-action", t.info};
    case Kind::Executed: return {"event-action", t.info};
    case Kind::Verified: return {"state-done", t.good};
    case Kind::NotVerified: return {"state-warning", t.warn};
    case Kind::Blocked: return {"state-blocked", t.blocked};
    case Kind::Declined: return {"cross", t.muted};
    case Kind::Escalated: return {"state-warning", t.warn};
    case Kind::Cancelled: return {"stop", t.muted};
    case Kind::Failed: return {"state-bad", t.bad};
    }
    return {"state-unknown", t.muted};
}

} // namespace alidade::ui
