// SPDX-License-Identifier: GPL-3.0-or-later
#include "approval/approval_dialog.hpp"

#include <algorithm>
#include <chrono>

#include <QApplication>
#include <QCheckBox>
#include <QContextMenuEvent>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPainter>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTextBlock>
#include <QTimer>
#include <QVBoxLayout>
#include <QWindow>

#include "alidade/guard/input_gate.hpp"
#include "alidade/guard/text.hpp"
#include "approval/approve_button.hpp"
#include "approval/decision_view.hpp"
#include "approval/input_calibration.hpp"
#include "theme/tokens.hpp"

namespace alidade::ui {

namespace {

QString harmless(const std::string& text) { return QString::fromStdString(guard::visibleText(text, true)); }

/// The band that carries the context's colour, and the word when it is protected.
class Band final : public QWidget {
public:
    Band(QColor hue, QWidget* parent) : QWidget(parent), hue_(std::move(hue)) { setFixedHeight(4); }

protected:
    void paintEvent(QPaintEvent*) override { QPainter(this).fillRect(rect(), hue_); }

private:
    QColor hue_;
};

bool isPressOrKey(QEvent::Type type) {
    return type == QEvent::MouseButtonPress || type == QEvent::MouseButtonRelease ||
           type == QEvent::MouseButtonDblClick || type == QEvent::KeyPress || type == QEvent::KeyRelease ||
           type == QEvent::TouchBegin || type == QEvent::TouchEnd;
}

} // namespace

struct ApprovalDialog::Impl {
    enum class Phase : std::uint8_t { Reading, Deciding, Sending, Over };

    explicit Impl(Subject given) : subject(std::move(given)) {}

    Subject subject;
    guard::InputGate gate;
    guard::StampCalibration ownStamps; ///< only without an application-wide calibration
    std::shared_ptr<const guard::ProposalContent> content;
    Phase phase = Phase::Reading;
    bool painted = false;

    DecisionView* view = nullptr;
    QLabel* state = nullptr;
    QWidget* confirmRow = nullptr;
    QLabel* confirmLabel = nullptr;
    QLineEdit* typed = nullptr;
    QCheckBox* byName = nullptr;
    QWidget* evidencePane = nullptr;
    QLabel* evidenceTitle = nullptr;
    QPlainTextEdit* evidenceText = nullptr;
    QLabel* countdown = nullptr;
    QPushButton* decline = nullptr;
    QPushButton* later = nullptr;
    ApproveButton* approve = nullptr;
    QTimer* tick = nullptr;

    [[nodiscard]] guard::MonoTime now() const { return subject.clock->now(); }
    [[nodiscard]] guard::StampCalibration& stamps() {
        InputCalibration* installed = InputCalibration::installed();
        return installed != nullptr ? installed->stamps() : ownStamps;
    }
    [[nodiscard]] bool confirmed() const {
        return content &&
               (content->typedConfirmation.empty() || typed->text().toStdString() == content->typedConfirmation) &&
               (!content->namedOnly || byName->isChecked());
    }
};

ApprovalDialog::ApprovalDialog(Subject subject, QWidget* parent)
    : QDialog(parent), impl_(std::make_unique<Impl>(std::move(subject))) {
    Impl& d = *impl_;
    setWindowTitle(tr("Approve a change"));
    setWindowModality(Qt::WindowModal);
    setObjectName(QStringLiteral("approvalDialog"));
    setAttribute(Qt::WA_DeleteOnClose);
    setMinimumWidth(640);
    resize(760, 600);

    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(0);
    outer->addWidget(new Band(d.subject.contextHue, this));
    auto* layout = new QVBoxLayout;
    layout->setContentsMargins(16, 16, 16, 16);
    layout->setSpacing(8);
    outer->addLayout(layout, 1);

    d.view = new DecisionView(this);
    layout->addWidget(d.view, 3);

    d.evidencePane = new QWidget(this);
    auto* evidence = new QVBoxLayout(d.evidencePane);
    evidence->setContentsMargins(0, 0, 0, 0);
    evidence->setSpacing(4);
    d.evidenceTitle = new QLabel(d.evidencePane);
    d.evidenceTitle->setTextFormat(Qt::PlainText);
    d.evidenceText = new QPlainTextEdit(d.evidencePane);
    d.evidenceText->setReadOnly(true);
    d.evidenceText->setLineWrapMode(QPlainTextEdit::NoWrap);
    d.evidenceText->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    d.evidenceText->setAccessibleName(tr("Stored evidence"));
    d.evidenceText->setMinimumHeight(90);
    evidence->addWidget(d.evidenceTitle);
    evidence->addWidget(d.evidenceText);
    d.evidencePane->hide();
    layout->addWidget(d.evidencePane, 2);

    d.state = new QLabel(this);
    d.state->setTextFormat(Qt::PlainText);
    d.state->setWordWrap(true);
    d.state->setTextInteractionFlags(Qt::TextSelectableByMouse);
    d.state->hide();
    layout->addWidget(d.state);

    d.confirmRow = new QWidget(this);
    auto* confirm = new QHBoxLayout(d.confirmRow);
    confirm->setContentsMargins(0, 0, 0, 0);
    confirm->setSpacing(8);
    d.confirmLabel = new QLabel(d.confirmRow);
    d.confirmLabel->setTextFormat(Qt::PlainText);
    d.typed = new QLineEdit(d.confirmRow);
    d.typed->setContextMenuPolicy(Qt::NoContextMenu);
    d.typed->setAcceptDrops(false);
    d.typed->setAccessibleName(tr("Typed confirmation"));
    d.typed->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    d.confirmLabel->setBuddy(d.typed);
    confirm->addWidget(d.confirmLabel);
    confirm->addWidget(d.typed, 1);
    d.confirmRow->hide();
    layout->addWidget(d.confirmRow);
    d.byName = new QCheckBox(tr("Change whatever has this name now, although its identity is not known"), this);
    d.byName->hide();
    layout->addWidget(d.byName);

    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    d.decline = new QPushButton(tr("Decline"), this);
    d.later = new QPushButton(tr("Look first"), this);
    d.countdown = new QLabel(this);
    d.approve = new ApproveButton(this);
    d.approve->setText(tr("Approve"));
    for (QPushButton* button : {d.decline, d.later}) {
        button->setDefault(false);
        button->setAutoDefault(false);
    }
    d.later->setToolTip(tr("Closes this window; the proposal stays until it expires"));
    buttons->addWidget(d.decline);
    buttons->addWidget(d.later);
    buttons->addStretch(1);
    buttons->addWidget(d.countdown);
    buttons->addWidget(d.approve);
    layout->addSpacing(8);
    layout->addLayout(buttons);
    QWidget* const order[] = {d.view, d.typed, d.byName, d.decline, d.later, d.approve};
    for (std::size_t i = 1; i < std::size(order); ++i)
        setTabOrder(order[i - 1], order[i]);

    const Tokens& tokens = tokensOf(QApplication::palette());
    d.approve->setColours(tokens.accent, tokens.onAccent, tokens.raised, tokens.muted, tokens.accent);

    connect(d.decline, &QPushButton::clicked, this, [this] {
        if (impl_->content && impl_->phase == Impl::Phase::Deciding)
            impl_->subject.desk->decline(impl_->content->id);
        impl_->phase = Impl::Phase::Over;
        done(QDialog::Rejected);
    });
    connect(d.later, &QPushButton::clicked, this, &ApprovalDialog::reject);
    connect(d.typed, &QLineEdit::textChanged, this,
            [this](const QString& text) { impl_->gate.setTyped(text.toStdString()); });
    connect(d.byName, &QCheckBox::toggled, this, [this](bool on) { impl_->gate.setOverride(on); });

    d.view->summaryPainted = [this] {
        if (impl_->painted || impl_->phase != Impl::Phase::Deciding)
            return;
        impl_->painted = true;
        impl_->gate.painted(impl_->now());
        QTimer::singleShot(0, this, [this] { impl_->gate.turnOfLoop(impl_->now()); });
    };
    d.view->openEvidence = [this](guard::EvidenceRef ref) {
        Impl& own = *impl_;
        const auto found = own.subject.evidence ? own.subject.evidence(ref) : nullptr;
        own.evidenceTitle->setText(
            found ? QString::fromStdString(ref.text()) + QStringLiteral("  ") + harmless(found->title)
                  : tr("%1 is not in this run's evidence").arg(QString::fromStdString(ref.text())));
        QStringList lines;
        int mark = -1;
        std::string quote;
        if (own.content && own.content->provenance.diagnosis)
            for (const guard::Claim& claim : own.content->provenance.diagnosis->claims)
                if (std::find(claim.refs.begin(), claim.refs.end(), ref) != claim.refs.end() && !claim.quote.empty())
                    quote = claim.quote;
        if (found)
            for (const guard::EvidenceLine& line : found->lines) {
                if (mark < 0 && !quote.empty() && line.text.find(quote) != std::string::npos)
                    mark = static_cast<int>(lines.size());
                lines << harmless(line.text);
            }
        own.evidenceText->setPlainText(lines.join(QLatin1Char('\n')));
        if (mark >= 0) {
            QTextCursor cursor(own.evidenceText->document()->findBlockByNumber(mark));
            QTextEdit::ExtraSelection selection;
            selection.format.setBackground(tokensOf(QApplication::palette()).changed);
            selection.format.setProperty(QTextFormat::FullWidthSelection, true);
            selection.cursor = cursor;
            own.evidenceText->setExtraSelections({selection});
            own.evidenceText->setTextCursor(cursor);
            own.evidenceText->centerCursor();
        }
        own.evidencePane->show();
    };
    d.approve->accessiblePress = [this] {
        if (auto act = impl_->gate.accessiblePress(impl_->now()))
            approveWith(std::move(*act));
    };

    for (QWidget* watched :
         {static_cast<QWidget*>(d.approve), static_cast<QWidget*>(d.typed), static_cast<QWidget*>(d.decline),
          static_cast<QWidget*>(d.later), static_cast<QWidget*>(d.byName)})
        watched->installEventFilter(this);

    d.tick = new QTimer(this);
    d.tick->setInterval(40);
    connect(d.tick, &QTimer::timeout, this, &ApprovalDialog::showProgress);
    d.tick->start();
    if (InputCalibration* calibration = InputCalibration::installed())
        calibration->dialogOpened();
}

ApprovalDialog::~ApprovalDialog() {
    if (InputCalibration* calibration = InputCalibration::installed())
        calibration->dialogClosed();
}

double ApprovalDialog::armingProgress() const { return impl_->gate.progress(impl_->now()); }

void ApprovalDialog::showProgress() {
    Impl& d = *impl_;
    const guard::MonoTime now = d.now();
    if (d.phase != Impl::Phase::Deciding) {
        d.approve->setProgress(d.phase == Impl::Phase::Reading ? 0 : 1, false);
        return;
    }
    d.approve->setProgress(d.gate.progress(now), d.gate.armed(now) && d.confirmed());
    const auto left = std::chrono::duration_cast<std::chrono::seconds>(d.content->expiresAt - now).count();
    d.countdown->setText(left > 0 ? tr("Expires in %1:%2").arg(left / 60).arg(left % 60, 2, 10, QLatin1Char('0'))
                                  : tr("Expired"));
}

void ApprovalDialog::showState(const QString& text, StateTone tone) {
    const Tokens& tokens = tokensOf(QApplication::palette());
    QPalette palette = impl_->state->palette();
    palette.setColor(QPalette::WindowText, tone == StateTone::Good   ? tokens.good
                                           : tone == StateTone::Warn ? tokens.warn
                                           : tone == StateTone::Bad  ? tokens.bad
                                                                     : tokens.text);
    impl_->state->setPalette(palette);
    impl_->state->setText(text);
    impl_->state->show();
}

void ApprovalDialog::over() {
    Impl& d = *impl_;
    d.phase = Impl::Phase::Over;
    d.gate.clearContent();
    d.approve->hide();
    d.decline->hide();
    d.confirmRow->hide();
    d.byName->hide();
    d.countdown->clear();
    d.later->setText(tr("Close"));
    d.later->setToolTip({});
}

void ApprovalDialog::approveWith(guard::HumanAct act) {
    Impl& d = *impl_;
    d.phase = Impl::Phase::Sending;
    d.decline->setEnabled(false);
    showState(tr("Approved. Recording the intent, then sending it once…"), StateTone::Plain);
    d.subject.desk->approve(d.content->id, std::move(act));
}

void ApprovalDialog::deskEvent(const guard::DeskEvent& event) {
    if (event.ticket != impl_->subject.ticket)
        return;
    std::visit([this](const auto& what) { take(what); }, event.what);
}

void ApprovalDialog::take(const guard::desk::Drafted& drafted) {
    impl_->view->showDraft(drafted);
    if (!drafted.plan.actions.empty()) {
        const QString verb = actionVerb(drafted.plan.actions.front());
        impl_->approve->setText(tr("Approve: %1").arg(verb));
    }
}

void ApprovalDialog::take(const guard::desk::Proposed& proposed) {
    Impl& d = *impl_;
    d.content = proposed.content;
    d.phase = Impl::Phase::Deciding;
    d.painted = false;
    d.view->showProposal(*d.content);
    if (!d.content->typedConfirmation.empty()) {
        d.confirmLabel->setText(tr("Type %1 to confirm").arg(harmless(d.content->typedConfirmation)));
        d.confirmRow->show();
    }
    d.byName->setVisible(d.content->namedOnly);
    if (!d.content->items.empty())
        d.approve->setText(tr("Approve: %1").arg(actionVerb(d.content->items.front().action)));
    d.gate.setContent(d.content->digest, d.content->typedConfirmation, d.content->namedOnly, d.now());
    if (isActiveWindow())
        d.gate.focusGained(d.now());
}

void ApprovalDialog::take(const guard::desk::Refused& refused) {
    impl_->view->showRefusal(refused.refusal);
    over();
}

void ApprovalDialog::take(const guard::desk::ApprovalRejected& rejected) {
    impl_->phase = Impl::Phase::Deciding;
    impl_->decline->setEnabled(true);
    showState(tr("Not approved: %1").arg(harmless(rejected.error.text())), StateTone::Bad);
}

void ApprovalDialog::take(const guard::desk::Approved&) { impl_->phase = Impl::Phase::Sending; }

void ApprovalDialog::take(const guard::desk::Executed& executed) {
    using Kind = guard::WriteOutcome::Kind;
    const guard::WriteOutcome& outcome = executed.outcome;
    QString detail = harmless(outcome.error ? outcome.error->text() : outcome.detail);
    for (const std::string& warning : outcome.warnings)
        detail += QLatin1Char('\n') + tr("The server warns: %1").arg(harmless(warning));
    switch (outcome.kind) {
    case Kind::Done:
        showState(detail.isEmpty() ? tr("Done. The heal is being verified.") : tr("Done. %1").arg(detail),
                  StateTone::Good);
        break;
    case Kind::Refused:
        showState(tr("The server refused it; nothing was changed. %1").arg(detail), StateTone::Bad);
        break;
    case Kind::NotSent: showState(tr("Not sent; nothing was changed. %1").arg(detail), StateTone::Bad); break;
    case Kind::Failed: showState(tr("Failed. %1").arg(detail), StateTone::Bad); break;
    case Kind::Unknown:
        showState(tr("What became of it is unknown; it was not sent again. %1").arg(detail), StateTone::Warn);
        break;
    }
}

void ApprovalDialog::take(const guard::desk::Finished& finished) {
    over();
    if (finished.allDone)
        done(QDialog::Accepted);
}

void ApprovalDialog::take(const guard::desk::Declined&) {
    over();
    done(QDialog::Rejected);
}

void ApprovalDialog::take(const guard::desk::Dismissed&) {}

void ApprovalDialog::take(const guard::desk::Expired&) {
    showState(tr("The proposal has expired; nothing was changed. Ask for a fresh one."), StateTone::Warn);
    over();
}

void ApprovalDialog::reject() {
    if (impl_->content && impl_->phase == Impl::Phase::Deciding)
        impl_->subject.desk->dismiss(impl_->content->id);
    impl_->phase = Impl::Phase::Over;
    QDialog::reject();
}

void ApprovalDialog::showEvent(QShowEvent* event) {
    QDialog::showEvent(event);
    if (QWindow* window = windowHandle())
        window->installEventFilter(this);
    impl_->view->setFocus(Qt::OtherFocusReason); // a key pressed too early falls on text, not on a button
}

bool ApprovalDialog::event(QEvent* event) {
    if (event->type() == QEvent::WindowActivate)
        impl_->gate.focusGained(impl_->now());
    else if (event->type() == QEvent::WindowDeactivate)
        impl_->gate.focusLost();
    return QDialog::event(event);
}

bool ApprovalDialog::eventFilter(QObject* watched, QEvent* event) {
    Impl& d = *impl_;
    if (watched == windowHandle()) {
        if (event->type() == QEvent::Expose && windowHandle()->isExposed())
            d.gate.exposed(d.now());
        return QDialog::eventFilter(watched, event);
    }
    const auto stamped = InputCalibration::stamped(*event);
    if (!stamped || !isPressOrKey(event->type()))
        return QDialog::eventFilter(watched, event);
    if (watched == d.approve)
        return feedApprove(event, stamped->device, stamped->stamp);
    if (watched == d.typed && (event->type() == QEvent::KeyPress) &&
        dropsKey(static_cast<QKeyEvent*>(event), stamped->stamp))
        return true;
    if (watched == d.typed && event->type() == QEvent::MouseButtonRelease &&
        static_cast<QMouseEvent*>(event)->button() == Qt::MiddleButton)
        return true; // pastes the selection on X11
    if (event->spontaneous())
        d.stamps().observe(stamped->device, stamped->stamp, d.now());
    return QDialog::eventFilter(watched, event);
}

bool ApprovalDialog::dropsKey(QKeyEvent* key, std::uint32_t stamp) {
    Impl& d = *impl_;
    if (key->matches(QKeySequence::Paste) ||
        (key->key() == Qt::Key_Insert && key->modifiers().testFlag(Qt::ShiftModifier))) {
        showState(tr("Please type it: pasting is refused here."), StateTone::Warn);
        return true;
    }
    if (key->key() == Qt::Key_Tab || key->key() == Qt::Key_Backtab || key->key() == Qt::Key_Escape)
        return false;
    const auto since = d.gate.armedSince();
    const auto made = d.stamps().madeAt(guard::DeviceClass::Key, stamp, d.now());
    return !since || (made && *made < *since);
}

bool ApprovalDialog::feedApprove(QEvent* event, guard::DeviceClass device, std::uint32_t stamp) {
    Impl& d = *impl_;
    if (d.phase != Impl::Phase::Deciding)
        return true;
    guard::InputGate::Input input;
    input.device = device;
    input.stamp = stamp;
    input.arrival = d.now();
    input.onApprove = true;
    switch (event->type()) {
    case QEvent::MouseButtonPress:
    case QEvent::MouseButtonRelease: {
        auto* mouse = static_cast<QMouseEvent*>(event);
        input.event = event->type() == QEvent::MouseButtonPress ? guard::InputGate::Event::Press
                                                                : guard::InputGate::Event::Release;
        input.button = static_cast<int>(mouse->button());
        input.onApprove = mouse->button() == Qt::LeftButton && d.approve->rect().contains(mouse->position().toPoint());
        break;
    }
    case QEvent::KeyPress:
    case QEvent::KeyRelease: {
        auto* key = static_cast<QKeyEvent*>(event);
        const bool presses = key->key() == Qt::Key_Space || key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
        if (!presses || key->modifiers().testFlag(Qt::ControlModifier) || key->modifiers().testFlag(Qt::AltModifier))
            return false;
        input.event =
            event->type() == QEvent::KeyPress ? guard::InputGate::Event::Press : guard::InputGate::Event::Release;
        input.button = key->key();
        input.autoRepeat = key->isAutoRepeat();
        break;
    }
    default: return true; // double clicks and touches never approve by themselves
    }
    if (auto act = d.gate.feed(input, d.stamps()))
        approveWith(std::move(*act));
    return true;
}

} // namespace alidade::ui
