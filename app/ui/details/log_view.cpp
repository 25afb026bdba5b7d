// SPDX-License-Identifier: GPL-3.0-or-later
#include "details/log_view.hpp"

#include <algorithm>

#include <QApplication>
#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QLocale>
#include <QPainter>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextDocument>
#include <QVBoxLayout>

#include "alidade/models/text.hpp"
#include "parts/words.hpp"
#include "theme/icons.hpp"
#include "theme/tokens.hpp"

namespace alidade::ui {
namespace {

/// "2024-05-01T12:00:00.123456789Z text" -> its stamp's length, 0 when there is none.
std::size_t stampLength(std::string_view line) {
    const auto blank = line.substr(0, 40).find(' ');
    if (blank == std::string_view::npos || blank < 20 || line[4] != '-' || line[10] != 'T') {
        return 0;
    }
    return blank;
}

} // namespace

/// The text with its stamps in a margin that can be hidden without touching the document.
class LogText final : public QPlainTextEdit {
public:
    explicit LogText(const std::deque<std::string>& stamps, QWidget* parent) : QPlainTextEdit(parent), stamps_(stamps) {
        margin_ = new Margin(this);
        setReadOnly(true);
        setUndoRedoEnabled(false);
        setFont(monoFont());
        setFrameShape(NoFrame);
        setLineWrapMode(NoWrap);
        setMaximumBlockCount(LogView::maxLines);
        setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        setAccessibleName(LogView::tr("Log"));
        connect(this, &QPlainTextEdit::updateRequest, this, [this](const QRect& rect, int dy) {
            if (dy != 0) {
                margin_->scroll(0, dy);
            } else {
                margin_->update(0, rect.y(), margin_->width(), rect.height());
            }
        });
        ground();
    }
    void showStamps(bool on) {
        const int width = on ? fontMetrics().horizontalAdvance(QStringLiteral("00:00:00.000")) + 2 * grid::s : 0;
        width_ = width;
        setViewportMargins(width, 0, 0, 0);
        margin_->setVisible(on);
        place();
    }

protected:
    void resizeEvent(QResizeEvent* event) override {
        QPlainTextEdit::resizeEvent(event);
        place();
    }
    void changeEvent(QEvent* event) override {
        QPlainTextEdit::changeEvent(event);
        if (event->type() == QEvent::PaletteChange) {
            ground();
        }
    }

private:
    class Margin final : public QWidget {
    public:
        explicit Margin(LogText* owner) : QWidget(owner), owner_(owner) {
            setAccessibleName(LogView::tr("Time stamps"));
        }

    protected:
        void paintEvent(QPaintEvent* event) override { owner_->paintMargin(event->rect()); }

    private:
        LogText* owner_;
    };

    void ground() {
        QPalette sunken; // the other roles follow
        sunken.setColor(QPalette::Base, tokensOf(QApplication::palette()).sunken);
        setPalette(sunken);
    }
    void place() {
        const QRect area = contentsRect();
        margin_->setGeometry(area.left(), area.top(), width_, area.height());
    }
    void paintMargin(const QRect& dirty) {
        const Tokens& t = tokensOf(QApplication::palette());
        QPainter painter(margin_);
        painter.fillRect(dirty, t.sunken);
        painter.setFont(font());
        painter.setPen(t.muted);
        QTextBlock block = firstVisibleBlock();
        double y = blockBoundingGeometry(block).translated(contentOffset()).top();
        while (block.isValid() && y <= dirty.bottom()) {
            const auto number = static_cast<std::size_t>(block.blockNumber());
            if (block.isVisible() && number < stamps_.size() && stamps_[number].size() >= 19) {
                const std::string& stamp = stamps_[number];
                std::string clock = stamp.substr(11, 12);
                if (clock.size() > 8 && clock[8] != '.') {
                    clock.resize(8);
                }
                painter.drawText(QRectF(grid::s, y, width_ - grid::s, fontMetrics().height()), Qt::AlignLeft,
                                 QString::fromStdString(clock));
            }
            y += blockBoundingRect(block).height();
            block = block.next();
        }
    }

    const std::deque<std::string>& stamps_;
    Margin* margin_;
    int width_ = 0;
};

LogView::LogView(QWidget* parent)
    : QWidget(parent), container_(new QComboBox(this)), find_(new QLineEdit(this)),
      status_(new ElidedLabel(Qt::ElideRight, this)), excerpt_(textLabel({}, this)), text_(new LogText(stamps_, this)) {
    const auto toggle = [this](const char* name, const QString& text, bool on) {
        QToolButton* button = iconButton(QString::fromLatin1(name), text, this);
        button->setCheckable(true);
        button->setChecked(on);
        return button;
    };
    previous_ = toggle("history", tr("Log of the previous run of the container"), false);
    follow_ = toggle("follow", tr("Follow the newest line"), true);
    wrap_ = toggle("wrap", tr("Wrap long lines"), false);
    stampsShown_ = toggle("state-waiting", tr("Show time stamps"), true);
    container_->setAccessibleName(tr("Container"));
    container_->setMinimumWidth(110);
    find_->setPlaceholderText(tr("Search the log"));
    find_->setAccessibleName(tr("Search the log"));
    find_->setClearButtonEnabled(true);
    status_->setTone(QStringLiteral("muted"));
    excerpt_->hide();
    excerpt_->setFont(monoFont());
    excerpt_->setMargin(grid::s);

    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(grid::s, grid::xs, grid::s, grid::xs);
    bar->setSpacing(grid::xs);
    bar->addWidget(container_);
    bar->addWidget(previous_);
    bar->addWidget(follow_);
    bar->addWidget(wrap_);
    bar->addWidget(stampsShown_);
    bar->addWidget(status_, 1);
    auto* up = iconButton(QStringLiteral("arrow-up"), tr("Previous match"), this);
    auto* down = iconButton(QStringLiteral("arrow-down"), tr("Next match"), this);
    find_->setMinimumWidth(110);
    find_->setMaximumWidth(220);
    bar->addWidget(find_, 1);
    bar->addWidget(up);
    bar->addWidget(down);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(bar);
    column->addWidget(excerpt_);
    column->addWidget(text_, 1);
    text_->showStamps(true);

    inbox_ = std::make_unique<models::Inbox<cluster::LogChunk>>(
        [this](std::vector<cluster::LogChunk> chunks) { take(std::move(chunks)); });
    connect(container_, &QComboBox::activated, this, [this] { start(); });
    connect(previous_, &QToolButton::toggled, this, [this] { start(); });
    connect(follow_, &QToolButton::toggled, this, [this](bool on) {
        if (on) {
            text_->verticalScrollBar()->setValue(text_->verticalScrollBar()->maximum());
        }
    });
    connect(wrap_, &QToolButton::toggled, this,
            [this](bool on) { text_->setLineWrapMode(on ? QPlainTextEdit::WidgetWidth : QPlainTextEdit::NoWrap); });
    connect(stampsShown_, &QToolButton::toggled, this, [this](bool on) { text_->showStamps(on); });
    connect(find_, &QLineEdit::returnPressed, this, [this] { search(false); });
    connect(up, &QToolButton::clicked, this, [this] { search(true); });
    connect(down, &QToolButton::clicked, this, [this] { search(false); });
    connect(text_->verticalScrollBar(), &QScrollBar::sliderMoved, this,
            [this](int value) { follow_->setChecked(value >= text_->verticalScrollBar()->maximum()); });
    find_->installEventFilter(this);
    text_->installEventFilter(this);
    text_->viewport()->installEventFilter(this);
    wantedTimer_.setSingleShot(true);
    wantedTimer_.setInterval(2500);
    connect(&wantedTimer_, &QTimer::timeout, this, [this] { lookForWanted(true); });
}

LogView::~LogView() = default;

void LogView::setPod(std::shared_ptr<cluster::ClusterSession> session, const guard::ObjectKey& pod,
                     const std::vector<std::string>& containers) {
    stop();
    session_ = std::move(session);
    pod_ = pod;
    container_->clear();
    {
        const QSignalBlocker quiet(previous_);
        previous_->setChecked(false);
    }
    excerpt_->hide();
    wanted_.reset();
    setContainers(containers);
}

void LogView::setContainers(const std::vector<std::string>& containers) {
    if (static_cast<int>(containers.size()) == container_->count()) {
        return;
    }
    const QString current = container_->currentText();
    container_->clear();
    for (const auto& name : containers) {
        container_->addItem(models::shown(name));
    }
    // The last is the first ordinary container's neighbour at worst; init containers come first.
    const int at = current.isEmpty() ? container_->count() - 1 : container_->findText(current);
    container_->setCurrentIndex(std::max(0, at));
    if (isVisible() && !running_) {
        start();
    }
}

void LogView::clear() {
    stop();
    session_.reset();
    container_->clear();
    say({}, {});
}

void LogView::stop() {
    stream_.reset();
    ++generation_;
    running_ = false;
    partial_.clear();
    stamps_.clear();
    dropped_ = 0;
    marked_.reset();
    text_->clear();
    text_->setExtraSelections({});
}

void LogView::start() {
    if (!session_ || container_->count() == 0) {
        return;
    }
    stop();
    running_ = true;
    say(tr("Reading"), QStringLiteral("muted"));
    cluster::LogOptions options;
    options.container = container_->currentText().toStdString();
    options.previous = previous_->isChecked();
    options.tailLines = 5000;
    options.maxBytes = 16UL * 1024 * 1024;
    const std::uint64_t generation = generation_;
    if (options.previous) {
        // A finished run does not grow: read once.
        session_->reader()->logs(
            pod_, options, [post = inbox_->poster(), generation](guard::Result<guard::Raw<guard::LogText>> answer) {
                cluster::LogChunk chunk;
                chunk.stream = generation;
                if (answer) {
                    chunk.bytes = std::move(*answer).value().text;
                    chunk.ended = guard::Result<void>();
                } else {
                    chunk.ended = tl::unexpected<guard::Error>(answer.error());
                }
                post(std::move(chunk));
            });
    } else {
        stream_ = session_->followLogs(pod_, options, inbox_->mailbox(), generation);
    }
    if (wanted_) {
        wantedTimer_.start();
    }
}

void LogView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (!running_) {
        start();
    }
}

QString LogView::lineText(int line) const { return text_->document()->findBlockByNumber(line).text(); }

void LogView::take(std::vector<cluster::LogChunk> chunks) {
    bool any = false;
    std::optional<guard::Result<void>> ended;
    QScrollBar* bar = text_->verticalScrollBar();
    for (auto& chunk : chunks) {
        if (chunk.stream != generation_) {
            continue;
        }
        any = true;
        if (chunk.reconnected) {
            appendLines(tr("— connection renewed —").toStdString() + "\n", true);
        }
        if (chunk.restarted) {
            appendLines(tr("— the container was started again —").toStdString() + "\n", true);
        }
        appendLines(chunk.bytes, chunk.ended.has_value());
        if (chunk.ended) {
            ended = std::move(chunk.ended);
        }
    }
    if (!any) {
        return;
    }
    if (follow_->isChecked() && !wanted_ && !marked_) {
        bar->setValue(bar->maximum());
    }
    const QString count = tr("%n line(s)", nullptr, lineCount());
    if (ended && !*ended) {
        say(errorTitle(ended->error().code) + QStringLiteral(": ") + errorDetail(ended->error()),
            QStringLiteral("bad"));
    } else if (dropped_ > 0) {
        say(tr("%1; %2 older ones dropped").arg(count, QLocale().toString(dropped_)), QStringLiteral("warn"));
    } else if (ended) {
        say(lineCount() == 0 ? tr("The log is empty") : tr("%1, ended").arg(count), QStringLiteral("muted"));
    } else {
        say(tr("%1, following").arg(count), QStringLiteral("muted"));
    }
    lookForWanted(ended.has_value());
}

void LogView::appendLines(std::string_view bytes, bool flush) {
    std::string joined;
    if (!partial_.empty()) {
        joined = std::move(partial_);
        joined += bytes;
        bytes = joined;
        partial_.clear();
    }
    QStringList lines;
    std::vector<std::string> stamps;
    while (!bytes.empty()) {
        const auto end = bytes.find('\n');
        if (end == std::string_view::npos && !flush) {
            partial_ = bytes;
            break;
        }
        std::string_view line = bytes.substr(0, end);
        bytes = end == std::string_view::npos ? std::string_view() : bytes.substr(end + 1);
        const std::size_t stamp = stampLength(line);
        stamps.emplace_back(line.substr(0, stamp));
        lines << models::shownLogLine(stamp > 0 ? line.substr(stamp + 1) : line);
    }
    if (lines.isEmpty()) {
        return;
    }
    QTextCursor cursor(text_->document());
    cursor.beginEditBlock();
    cursor.movePosition(QTextCursor::End);
    cursor.insertText((stamps_.empty() ? QString() : QStringLiteral("\n")) + lines.join(u'\n'));
    cursor.endEditBlock();
    for (auto& stamp : stamps) {
        stamps_.push_back(std::move(stamp));
    }
    while (static_cast<int>(stamps_.size()) > maxLines) { // the document has dropped as many by itself
        stamps_.pop_front();
        ++dropped_;
        if (marked_ && --*marked_ < 0) {
            marked_.reset();
        }
    }
}

void LogView::say(const QString& text, const QString& tone) {
    status_->setText(text);
    status_->setTone(tone);
}

void LogView::showLine(const guard::anchor::LogLine& line, const QString& storedText) {
    wanted_ = Wanted{line, storedText};
    excerpt_->hide();
    const QString name = models::shown(line.container);
    if (container_->findText(name) < 0) {
        container_->addItem(name);
    }
    const bool same = running_ && container_->currentText() == name && previous_->isChecked() == line.previous;
    container_->setCurrentText(name);
    {
        const QSignalBlocker quiet(previous_);
        previous_->setChecked(line.previous);
    }
    if (!same) {
        start();
    } else {
        wantedTimer_.start();
        lookForWanted(false);
    }
}

void LogView::lookForWanted(bool last) {
    if (!wanted_) {
        return;
    }
    int ordinal = wanted_->line.ordinal;
    for (std::size_t i = 0; i < stamps_.size(); ++i) {
        if (!stamps_[i].empty() && stamps_[i] == wanted_->line.stamp && ordinal-- == 0) {
            mark(static_cast<int>(i));
            wanted_.reset();
            wantedTimer_.stop();
            return;
        }
    }
    if (last) {
        wantedTimer_.stop();
        excerpt_->setText(tr("No longer on the server. As it was read: %1").arg(wanted_->storedText));
        excerpt_->show();
        wanted_.reset();
        Q_EMIT lineMissing();
    }
}

void LogView::mark(int line) {
    marked_ = line;
    const QTextBlock block = text_->document()->findBlockByNumber(line);
    QTextCursor cursor(block);
    text_->setTextCursor(cursor);
    text_->centerCursor();
    QTextEdit::ExtraSelection selection;
    selection.format.setBackground(tokensOf(QApplication::palette()).changed);
    selection.format.setProperty(QTextFormat::FullWidthSelection, true);
    selection.cursor = cursor;
    text_->setExtraSelections({selection});
    const QSignalBlocker quiet(follow_);
    follow_->setChecked(false);
}

void LogView::search(bool backwards) {
    const QString wanted = find_->text();
    if (wanted.isEmpty()) {
        return;
    }
    const QTextDocument::FindFlags flags = backwards ? QTextDocument::FindBackward : QTextDocument::FindFlags();
    if (text_->find(wanted, flags)) {
        follow_->setChecked(false);
        return;
    }
    QTextCursor from(text_->document());
    from.movePosition(backwards ? QTextCursor::End : QTextCursor::Start);
    const QTextCursor found = text_->document()->find(wanted, from, flags);
    if (found.isNull()) {
        say(tr("“%1” is not in these lines").arg(wanted), QStringLiteral("warn"));
    } else {
        text_->setTextCursor(found);
        follow_->setChecked(false);
    }
}

namespace {

bool movesTheView(int key) {
    switch (key) {
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_PageUp:
    case Qt::Key_PageDown:
    case Qt::Key_Home:
    case Qt::Key_End: return true;
    default: return false;
    }
}

} // namespace

bool LogView::eventFilter(QObject* watched, QEvent* event) {
    // Whoever reads further up is not pulled away; at the end the newest line is followed again.
    if ((watched == text_->viewport() && event->type() == QEvent::Wheel) ||
        (watched == text_ && event->type() == QEvent::KeyPress &&
         movesTheView(static_cast<QKeyEvent*>(event)->key()))) {
        QTimer::singleShot(0, this, [this] {
            const QScrollBar* bar = text_->verticalScrollBar();
            follow_->setChecked(bar->value() >= bar->maximum());
        });
    }
    if (watched == find_ && event->type() == QEvent::KeyPress &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape && !find_->text().isEmpty()) {
        find_->clear();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace alidade::ui
