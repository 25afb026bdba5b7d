// SPDX-License-Identifier: GPL-3.0-or-later
// What it is for: an object as YAML: folding, search, and a marked field for citations. Read-only.
// What it must not know: the session.
// Thread: GUI.
#pragma once

#include <optional>
#include <string>

#include <QWidget>

#include "alidade/models/object_text.hpp"

class QLineEdit;
class QsciScintilla;

namespace alidade::ui {

class YamlView : public QWidget {
    Q_OBJECT

public:
    explicit YamlView(QWidget* parent = nullptr);

    void setDocument(models::YamlDocument document);
    void clear();
    /// Marks the field (or its nearest ancestor); kept over later versions. False when the document has none of it.
    bool showField(const std::string& pointer);
    [[nodiscard]] std::optional<int> markedLine() const { return marked_; }
    [[nodiscard]] QString text() const { return document_.text; }

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void colour();
    void mark();
    void search(bool forward);

    QsciScintilla* editor_;
    QLineEdit* find_;
    models::YamlDocument document_;
    std::string pointer_;
    std::optional<int> marked_;
};

} // namespace alidade::ui
