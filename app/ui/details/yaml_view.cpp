// SPDX-License-Identifier: GPL-3.0-or-later
#include "details/yaml_view.hpp"

// QScintilla's headers write Qt's keywords, which are off in this program.
#define signals Q_SIGNALS
#define slots Q_SLOTS
#include <Qsci/qscilexeryaml.h>
#include <Qsci/qsciscintilla.h>
#undef signals
#undef slots

#include <QApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QVBoxLayout>

#include "parts/parts.hpp"
#include "parts/words.hpp"
#include "theme/tokens.hpp"

namespace alidade::ui {
namespace {
constexpr int fieldMarker = 8;
} // namespace

YamlView::YamlView(QWidget* parent) : QWidget(parent), editor_(new QsciScintilla(this)), find_(new QLineEdit(this)) {
    editor_->setReadOnly(true);
    editor_->setUtf8(true);
    editor_->setFrameShape(QFrame::NoFrame);
    editor_->setFolding(QsciScintilla::PlainFoldStyle, 2);
    editor_->setMarginType(0, QsciScintilla::NumberMargin);
    editor_->setMarginWidth(1, 0);
    editor_->setCaretLineVisible(false);
    editor_->setAccessibleName(tr("YAML"));
    editor_->setScrollWidth(1);
    editor_->setScrollWidthTracking(true);
    editor_->setIndentationGuides(false);
    editor_->markerDefine(QsciScintilla::Background, fieldMarker);
    editor_->setLexer(new QsciLexerYAML(editor_));
    find_->setPlaceholderText(tr("Search the YAML"));
    find_->setAccessibleName(tr("Search the YAML"));
    find_->setClearButtonEnabled(true);
    find_->setMaximumWidth(260);
    auto* up = iconButton(QStringLiteral("arrow-up"), tr("Previous match"), this);
    auto* down = iconButton(QStringLiteral("arrow-down"), tr("Next match"), this);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(grid::s, grid::xs, grid::s, grid::xs);
    bar->setSpacing(grid::xs);
    bar->addStretch(1);
    bar->addWidget(find_, 1);
    bar->addWidget(up);
    bar->addWidget(down);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(bar);
    column->addWidget(editor_, 1);
    connect(find_, &QLineEdit::returnPressed, this, [this] { search(true); });
    connect(up, &QToolButton::clicked, this, [this] { search(false); });
    connect(down, &QToolButton::clicked, this, [this] { search(true); });
    find_->installEventFilter(this);
    colour();
}

void YamlView::colour() {
    const Tokens& t = tokensOf(QApplication::palette());
    QsciLexer* lexer = editor_->lexer();
    const QFont font = monoFont();
    lexer->setDefaultFont(font);
    lexer->setDefaultPaper(t.sunken);
    lexer->setDefaultColor(t.text);
    for (int style = 0; style < 10; ++style) {
        lexer->setFont(font, style);
        lexer->setPaper(t.sunken, style);
        lexer->setColor(t.text, style);
    }
    lexer->setColor(t.accent, QsciLexerYAML::Identifier);
    lexer->setColor(t.good, QsciLexerYAML::Keyword);
    lexer->setColor(t.warn, QsciLexerYAML::Number);
    lexer->setColor(t.muted, QsciLexerYAML::Comment);
    lexer->setColor(t.muted, QsciLexerYAML::Operator);
    editor_->setPaper(t.sunken);
    editor_->setColor(t.text);
    editor_->setMarginsFont(font);
    editor_->setMarginsBackgroundColor(t.sunken);
    editor_->setMarginsForegroundColor(t.muted);
    editor_->setFoldMarginColors(t.sunken, t.sunken);
    editor_->setSelectionBackgroundColor(t.selection);
    editor_->setSelectionForegroundColor(t.text);
    editor_->setCaretForegroundColor(t.text);
    editor_->setMarkerBackgroundColor(t.changed, fieldMarker);
    for (const int marker : {QsciScintilla::SC_MARKNUM_FOLDER, QsciScintilla::SC_MARKNUM_FOLDEROPEN,
                             QsciScintilla::SC_MARKNUM_FOLDEREND, QsciScintilla::SC_MARKNUM_FOLDEROPENMID}) {
        editor_->setMarkerForegroundColor(t.sunken, marker);
        editor_->setMarkerBackgroundColor(t.muted, marker);
    }
}

void YamlView::setDocument(models::YamlDocument document) {
    if (document.text == document_.text) {
        return;
    }
    const int top = editor_->firstVisibleLine();
    int line = 0;
    int column = 0;
    editor_->getCursorPosition(&line, &column);
    document_ = std::move(document);
    editor_->setText(document_.text);
    editor_->setMarginWidth(0, QString::number(editor_->lines() * 10));
    editor_->setCursorPosition(line, column);
    editor_->setFirstVisibleLine(top);
    mark();
}

void YamlView::clear() {
    document_ = {};
    pointer_.clear();
    marked_.reset();
    editor_->markerDeleteAll(fieldMarker);
    editor_->clear();
}

bool YamlView::showField(const std::string& pointer) {
    pointer_ = pointer;
    mark();
    if (marked_) {
        editor_->setCursorPosition(*marked_, 0);
        const int visible = static_cast<int>(editor_->SendScintilla(QsciScintillaBase::SCI_LINESONSCREEN));
        editor_->ensureLineVisible(*marked_);
        editor_->setFirstVisibleLine(qMax(0, *marked_ - visible / 2));
    }
    return marked_.has_value();
}

void YamlView::mark() {
    editor_->markerDeleteAll(fieldMarker);
    marked_.reset();
    if (pointer_.empty()) {
        return;
    }
    const int line = document_.lineOf(pointer_);
    if (line >= 0) {
        marked_ = line;
        editor_->markerAdd(line, fieldMarker);
    }
}

void YamlView::search(bool forward) {
    const QString wanted = find_->text();
    if (wanted.isEmpty()) {
        return;
    }
    int line = -1;
    int index = -1;
    if (!forward && editor_->hasSelectedText()) {
        int endLine = 0;
        int endIndex = 0;
        editor_->getSelection(&line, &index, &endLine, &endIndex);
    }
    editor_->findFirst(wanted, false, false, false, true, forward, line, index);
}

void YamlView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) {
        colour();
    }
}

bool YamlView::eventFilter(QObject* watched, QEvent* event) {
    if (watched == find_ && event->type() == QEvent::KeyPress &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape && !find_->text().isEmpty()) {
        find_->clear();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace alidade::ui
