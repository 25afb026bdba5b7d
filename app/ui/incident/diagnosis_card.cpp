// SPDX-License-Identifier: GPL-3.0-or-later
#include "incident/diagnosis_card.hpp"

#include <algorithm>

#include <QApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>

#include "alidade/models/text.hpp"
#include "incident/cited_line.hpp"
#include "incident/run_words.hpp"
#include "parts/parts.hpp"
#include "parts/words.hpp"
#include "theme/icons.hpp"
#include "theme/tokens.hpp"

namespace alidade::ui {
namespace {

constexpr std::size_t mostClaims = 40;
constexpr std::size_t mostChips = 12;
constexpr std::size_t mostGaps = 20;

/// Everything the card shows, as one text: equal texts need no new widgets.
QString digestOf(const agent::RunState& state) {
    QString text;
    const auto add = [&](std::string_view part) {
        text += QString::fromUtf8(part.data(), static_cast<qsizetype>(part.size()));
        text += QChar(0x1f);
    };
    if (state.diagnosis) {
        const guard::Diagnosis& d = *state.diagnosis;
        add(d.hypothesis);
        add(d.source);
        add(std::to_string(static_cast<int>(d.outcome)) + '/' + std::to_string(d.confidence) + '/' +
            std::to_string(d.suspectedRevision.value_or(0)));
        add(d.suspect ? d.suspect->key.text() + d.suspect->uid : std::string());
        for (const guard::Claim& claim : d.claims) {
            add(claim.text);
            add(claim.supported ? "+" : "-");
            for (const guard::EvidenceRef& ref : claim.refs) {
                add(ref.text());
            }
        }
        for (const std::string& each : d.alternatives) {
            add(each);
        }
    }
    for (const guard::Gap& gap : state.gaps) {
        add(gap.source);
        add(gap.reason);
    }
    for (const guard::RunEvent& event : state.events) {
        if (event.verdict && event.verdict->gate == "quality") {
            add(event.verdict->reviewed ? "reviewed" : "not reviewed");
        }
    }
    text += state.outcome ? QLatin1Char('e') : QLatin1Char('r');
    return text;
}

const guard::Evidence* evidenceOf(const agent::RunState& state, guard::EvidenceRef ref) {
    const auto it =
        std::find_if(state.evidence.begin(), state.evidence.end(), [&](const auto& e) { return e && e->ref == ref; });
    return it == state.evidence.end() ? nullptr : it->get();
}

bool holds(const guard::Evidence* evidence, const guard::Anchor& anchor) {
    return evidence != nullptr && std::any_of(evidence->lines.begin(), evidence->lines.end(),
                                              [&](const auto& line) { return line.anchor == anchor; });
}

bool reviewed(const agent::RunState& state) {
    bool known = true;
    for (const guard::RunEvent& event : state.events) {
        if (event.kind == guard::RunEventKind::Gate && event.verdict && event.verdict->gate == "quality") {
            known = event.verdict->reviewed;
        }
    }
    return known;
}

/// A shape and words, in one colour of the tokens, over palette changes.
ElidedLabel* marked(const char* shape, const QString& text, const QString& tone, QWidget* parent) {
    auto* label = new ElidedLabel(Qt::ElideRight, parent);
    label->setMark(QString::fromLatin1(shape));
    label->setTone(tone);
    label->setText(text);
    return label;
}

} // namespace

Card::Card(QWidget* parent) : QWidget(parent), column_(new QVBoxLayout(this)) {
    column_->setContentsMargins(grid::m, grid::s, grid::m, grid::m);
    column_->setSpacing(grid::s);
}

void Card::paintEvent(QPaintEvent*) {
    const Tokens& t = tokensOf(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(t.hairline);
    painter.setBrush(t.surface);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
}

DiagnosisCard::DiagnosisCard(QWidget* parent) : Card(parent) {
    setObjectName(QStringLiteral("diagnosis"));
    setAccessibleName(tr("Diagnosis"));
}

void DiagnosisCard::setState(const RunStatePtr& state) {
    setVisible(state != nullptr);
    if (!state) {
        shown_.clear();
        alternativesOpen_ = false;
        return;
    }
    const QString now = state->incident.id.empty()
                            ? digestOf(*state)
                            : QString::fromStdString(state->incident.id) + QChar(0x1f) + digestOf(*state);
    if (body_ != nullptr && now == shown_) {
        return;
    }
    shown_ = now;
    build(*state);
}

void DiagnosisCard::build(const agent::RunState& state) {
    if (body_ != nullptr) {
        column()->removeWidget(body_);
        body_->hide();
        body_->deleteLater(); // one of its own chips may be at work
    }
    body_ = new QWidget(this);
    lines_ = new QVBoxLayout(body_);
    lines_->setContentsMargins(0, 0, 0, 0);
    lines_->setSpacing(grid::s);

    auto* top = new QHBoxLayout;
    top->setContentsMargins(0, 0, 0, 0);
    top->addWidget(groupLabel(tr("Diagnosis"), body_));
    top->addStretch(1);
    lines_->addLayout(top);
    if (!state.diagnosis) {
        lines_->addWidget(textLabel(state.outcome ? tr("The run ended before there was a diagnosis.")
                                                  : tr("Comes as soon as the cluster has been read."),
                                    body_, QStringLiteral("muted")));
    } else {
        const guard::Diagnosis& diagnosis = *state.diagnosis;
        if (!diagnosis.source.empty()) {
            auto* by = new ElidedLabel(Qt::ElideRight, body_);
            by->setFont(smallFont());
            by->setTone(QStringLiteral("muted"));
            by->setText(diagnosis.source == "analyst" ? tr("by the built-in analyst")
                                                      : tr("by %1").arg(shownTitle(diagnosis.source)));
            by->setToolTip(plainTip(by->text()));
            top->addWidget(by);
        }
        addHypothesis(shownTitle(diagnosis.hypothesis));

        auto* verdict = new QWidget(body_);
        auto* flow = new FlowLayout(verdict, grid::m);
        const Mark mark = markOf(diagnosis.outcome, lightTokens());
        const QString tone = diagnosis.outcome == guard::DiagnosisOutcome::Fault     ? QStringLiteral("bad")
                             : diagnosis.outcome == guard::DiagnosisOutcome::NoFault ? QStringLiteral("good")
                                                                                     : QStringLiteral("warn");
        flow->addWidget(marked(mark.shape, outcomeText(diagnosis.outcome), tone, verdict));
        auto* sure = new ElidedLabel(Qt::ElideRight, verdict);
        sure->setObjectName(QStringLiteral("confidence"));
        sure->setText(confidenceText(diagnosis.confidence));
        flow->addWidget(sure);
        if (!reviewed(state)) {
            flow->addWidget(marked("state-warning", tr("Not independently reviewed"), QStringLiteral("warn"), verdict));
        }
        lines_->addWidget(verdict);
        addSuspect(diagnosis);
        for (std::size_t i = 0; i < std::min(diagnosis.claims.size(), mostClaims); ++i) {
            addClaim(diagnosis.claims[i], state);
        }
        if (diagnosis.claims.size() > mostClaims) {
            lines_->addWidget(
                textLabel(tr("and %n more claim(s)", nullptr, static_cast<int>(diagnosis.claims.size() - mostClaims)),
                          body_, QStringLiteral("muted")));
        }
        addAlternatives(diagnosis);
    }
    addGaps(state.gaps);
    column()->addWidget(body_);
    body_->show();
}

/// One sentence in heading size; of a long one what follows its first half in the text's own.
void DiagnosisCard::addHypothesis(const QString& text) {
    constexpr int longest = 90;
    const auto half = text.size() > longest ? text.indexOf(QStringLiteral("; ")) : -1;
    auto* hypothesis = textLabel(text.left(half), body_);
    hypothesis->setObjectName(QStringLiteral("hypothesis"));
    QFont font = headingFont(2);
    if (text.left(half).size() > longest) {
        font.setPointSizeF(QApplication::font().pointSizeF() * 1.08);
    }
    hypothesis->setFont(font);
    lines_->addWidget(hypothesis);
    if (half > 0) {
        QString rest = text.mid(half + 2);
        lines_->addWidget(textLabel(rest.replace(0, 1, rest.left(1).toUpper()), body_));
    }
}

void DiagnosisCard::addSuspect(const guard::Diagnosis& diagnosis) {
    if (!diagnosis.suspect) {
        return;
    }
    const guard::ObjectRef suspect = *diagnosis.suspect;
    auto* row = new QWidget(body_);
    auto* line = new FlowLayout(row, grid::s);
    auto* caption = new ElidedLabel(Qt::ElideRight, row);
    caption->setTone(QStringLiteral("muted"));
    caption->setText(tr("Suspect"));
    line->addWidget(caption);
    const auto link = [&](const QString& name, const QString& text, const QString& spoken) {
        auto* label = new LinkLabel(text, row);
        label->setObjectName(name);
        label->setShortcut({}); // a name is not a mnemonic
        label->setAccessibleName(spoken);
        label->setToolTip(plainTip(spoken));
        connect(label, &LinkLabel::clicked, this, [this, suspect] { Q_EMIT openObject(suspect); });
        line->addWidget(label);
    };
    const QString object = shownTitle(suspect.key.text());
    link(QStringLiteral("suspect"), object, tr("Open %1").arg(object));
    if (diagnosis.suspectedRevision) {
        link(QStringLiteral("deploy"), tr("revision %1").arg(*diagnosis.suspectedRevision),
             tr("Open %1, suspected since revision %2").arg(object).arg(*diagnosis.suspectedRevision));
    }
    lines_->addWidget(row);
}

void DiagnosisCard::addClaim(const guard::Claim& claim, const agent::RunState& state) {
    const bool supported = claim.supported && !claim.refs.empty();
    auto* line = new CitedLine(shownTitle(claim.text), !supported, body_);
    for (std::size_t i = 0; i < std::min(claim.refs.size(), mostChips); ++i) {
        const guard::EvidenceRef ref = claim.refs[i];
        const QString number = QString::fromStdString(ref.text());
        auto* chip = new Chip(number, line);
        chip->setProperty("chip", true);
        const guard::Evidence* evidence = evidenceOf(state, ref);
        const QString title = evidence != nullptr ? shownTitle(evidence->title) : QString();
        QString tip = title.isEmpty() ? number : QStringLiteral("%1  %2").arg(number, title);
        if (!claim.quote.empty()) {
            tip += QLatin1Char('\n') + tr("“%1”").arg(shownTitle(claim.quote));
        }
        if (evidence != nullptr && !evidence->excerpt.empty()) {
            tip += QStringLiteral("\n\n") + shownDetail(evidence->excerpt);
        }
        chip->setToolTip(plainTip(tip));
        chip->setAccessibleName(title.isEmpty() ? tr("Open evidence %1").arg(number)
                                                : tr("Open evidence %1: %2").arg(number, title));
        chip->setAccessibleDescription(tip);
        // The gate located the quote in one of the reads: the anchor goes with that one.
        const Citation citation{ref, claim.anchor && holds(evidence, *claim.anchor) ? claim.anchor : std::nullopt};
        connect(chip, &Chip::clicked, this, [this, citation] {
            Q_EMIT openCitation(citation, QApplication::keyboardModifiers().testFlag(Qt::ControlModifier));
        });
        line->addInline(chip);
    }
    if (!supported) {
        line->addInline(marked("state-unknown", tr("no evidence"), QStringLiteral("warn"), line));
    }
    lines_->addWidget(line);
}

void DiagnosisCard::addAlternatives(const guard::Diagnosis& diagnosis) {
    if (diagnosis.alternatives.empty()) {
        return;
    }
    auto* toggle = new QToolButton(body_);
    toggle->setObjectName(QStringLiteral("alternatives"));
    toggle->setCheckable(true);
    toggle->setAutoRaise(true);
    toggle->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    toggle->setText(tr("%n alternative(s) considered", nullptr, static_cast<int>(diagnosis.alternatives.size())));
    auto* list = new QWidget(body_);
    auto* column = new QVBoxLayout(list);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(grid::xs);
    for (std::size_t i = 0; i < std::min(diagnosis.alternatives.size(), mostClaims); ++i) {
        column->addWidget(new CitedLine(shownTitle(diagnosis.alternatives[i]), true, list));
    }
    const auto open = [this, toggle, list](bool on) {
        alternativesOpen_ = on;
        list->setVisible(on);
        toggle->setIcon(icon(on ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right")));
    };
    connect(toggle, &QToolButton::toggled, list, open);
    toggle->setChecked(alternativesOpen_);
    open(alternativesOpen_);
    lines_->addWidget(toggle, 0, Qt::AlignLeft);
    lines_->addWidget(list);
}

void DiagnosisCard::addGaps(const std::vector<guard::Gap>& gaps) {
    for (std::size_t i = 0; i < std::min(gaps.size(), mostGaps); ++i) {
        const guard::Gap& gap = gaps[i];
        const QString why = gap.reason.empty() ? coverageWord(gap.coverage)
                                               : tr("%1: %2").arg(coverageWord(gap.coverage), shownTitle(gap.reason));
        auto* row = new QWidget(body_);
        auto* line = new QHBoxLayout(row);
        line->setContentsMargins(0, 0, 0, 0);
        line->setSpacing(6);
        line->addWidget(marked("state-warning", {}, QStringLiteral("warn"), row), 0, Qt::AlignTop);
        auto* text = textLabel(tr("Not read: %1 (%2)").arg(shownTitle(gap.source), why), row, QStringLiteral("warn"));
        text->setProperty("gap", true);
        line->addWidget(text, 1);
        lines_->addWidget(row);
    }
    if (gaps.size() > mostGaps) {
        lines_->addWidget(
            textLabel(tr("and %n more source(s) not read", nullptr, static_cast<int>(gaps.size() - mostGaps)), body_,
                      QStringLiteral("warn")));
    }
}

} // namespace alidade::ui
