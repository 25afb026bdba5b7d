// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: the log of one container: follow, previous run, search, wrap, time stamps; citations land here.
// What it must not know: incidents.
// Thread: GUI. At most `maxLines` lines are kept; dropping older ones is announced.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <QPlainTextEdit>
#include <QTimer>
#include <QWidget>

#include "alidade/cluster_model/session.hpp"
#include "alidade/guard/evidence.hpp"
#include "alidade/models/inbox.hpp"
#include "parts/parts.hpp"

class QComboBox;
class QLineEdit;

namespace alidade::ui {

class LogText;

class LogView : public QWidget {
    Q_OBJECT

public:
    static constexpr int maxLines = 100'000;
    explicit LogView(QWidget* parent = nullptr);
    ~LogView() override;

    /// Another pod, or none. Nothing is read before the view is shown or a line is asked for.
    void setPod(std::shared_ptr<cluster::ClusterSession> session, const guard::ObjectKey& pod,
                const std::vector<std::string>& containers);
    void setContainers(const std::vector<std::string>& containers);
    void clear();
    /// Scrolls to the line and marks it; where the server no longer has it, shows the stored excerpt and says so.
    void showLine(const guard::anchor::LogLine& line, const QString& storedText);
    /// Line number (from 0) that is marked, if any.
    [[nodiscard]] std::optional<int> markedLine() const { return marked_; }
    [[nodiscard]] int lineCount() const { return static_cast<int>(stamps_.size()); }
    [[nodiscard]] QString lineText(int line) const;

Q_SIGNALS:
    /// The line asked for is not there (any more).
    void lineMissing();

protected:
    void showEvent(QShowEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void start();
    void stop();
    void take(std::vector<cluster::LogChunk> chunks);
    void appendLines(std::string_view bytes, bool flush);
    void say(const QString& text, const QString& tone);
    void lookForWanted(bool last);
    void search(bool backwards);
    void mark(int line);

    std::shared_ptr<cluster::ClusterSession> session_;
    guard::ObjectKey pod_;
    QComboBox* container_;
    QToolButton* previous_;
    QToolButton* follow_;
    QToolButton* wrap_;
    QToolButton* stampsShown_;
    QLineEdit* find_;
    ElidedLabel* status_;
    QLabel* excerpt_;
    LogText* text_;
    std::unique_ptr<models::Inbox<cluster::LogChunk>> inbox_;
    std::shared_ptr<void> stream_;
    std::uint64_t generation_ = 0;
    bool running_ = false;
    std::string partial_;
    std::deque<std::string> stamps_; ///< one per line shown
    qint64 dropped_ = 0;
    struct Wanted {
        guard::anchor::LogLine line;
        QString storedText;
    };
    std::optional<Wanted> wanted_;
    std::optional<int> marked_;
    QTimer wantedTimer_;
};

} // namespace alidade::ui
