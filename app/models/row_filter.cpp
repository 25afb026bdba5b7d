// SPDX-License-Identifier: GPL-3.0-or-later
#include "alidade/models/row_filter.hpp"

#include <algorithm>

#include <QCoreApplication>

#include "alidade/models/text.hpp"

namespace alidade::models {
namespace {

struct Word {
    QString text;
    bool quoted = false;
};

/// Blanks part words; "..." and /.../ keep theirs.
std::vector<Word> split(const QString& text) {
    std::vector<Word> words;
    qsizetype i = 0;
    while (i < text.size()) {
        if (text[i].isSpace()) {
            ++i;
            continue;
        }
        QString word;
        qsizetype start = i;
        if (text[i] == u'!' && i + 1 < text.size()) {
            word += text[i++];
            start = i;
        }
        if (text[i] == u'"' || text[i] == u'/') {
            const QChar mark = text[i];
            const qsizetype end = text.indexOf(mark, i + 1);
            if (end > i) {
                const QString inner = text.mid(i + 1, end - i - 1);
                words.push_back({mark == u'/' ? word + mark + inner + mark : word + inner, mark == u'"'});
                i = end + 1;
                continue;
            }
        }
        while (i < text.size() && !text[i].isSpace()) {
            ++i;
        }
        words.push_back({word + text.mid(start, i - start), false});
    }
    return words;
}

bool isSubsequence(std::string_view needle, std::string_view text) {
    std::size_t at = 0;
    for (const char c : text) {
        if (at < needle.size() && needle[at] == c) {
            ++at;
        }
    }
    return at == needle.size();
}

} // namespace

RowFilter RowFilter::parse(const QString& text) {
    RowFilter filter;
    const auto words = split(text);
    for (std::size_t i = 0; i < words.size(); ++i) {
        const auto& [word, quoted] = words[i];
        if (!quoted && word == QStringLiteral("-l")) {
            if (i + 1 < words.size()) {
                filter.addLabel(words[++i].text);
            }
        } else if (!quoted && word == QStringLiteral("-s")) {
            filter.terms_.push_back({Kind::NotDone, false, {}, {}, {}});
        } else {
            filter.add(word, quoted);
        }
    }
    return filter;
}

void RowFilter::add(const QString& word, bool quoted) {
    Term term;
    QString text = word;
    if (text.startsWith(u'!') && text.size() > 1) {
        term.negated = true;
        text.remove(0, 1);
    }
    if (!quoted && text.size() > 2 && text.startsWith(u'/') && text.endsWith(u'/')) {
        term.kind = Kind::Regex;
        term.expression.setPattern(text.mid(1, text.size() - 2));
        term.expression.setPatternOptions(QRegularExpression::CaseInsensitiveOption);
        if (!term.expression.isValid()) {
            error_ = QCoreApplication::translate("RowFilter", "Not a regular expression: %1 (at character %2)")
                         .arg(term.expression.errorString())
                         .arg(term.expression.patternErrorOffset() + 1);
            return;
        }
        term.expression.optimize();
    } else if (!quoted && text.size() > 1 && text.startsWith(u'~')) {
        term.kind = Kind::Fuzzy;
        term.text = folded(text.mid(1).toStdString());
    } else if (text == u"!" || text == u"/" || text == u"~") {
        return; // a term being typed
    } else {
        term.text = folded(text.toStdString());
    }
    terms_.push_back(std::move(term));
}

void RowFilter::addLabel(const QString& requirement) {
    for (const QString& part : requirement.split(u',', Qt::SkipEmptyParts)) {
        Term term;
        qsizetype at = part.indexOf(QStringLiteral("!="));
        if (at > 0) {
            term.negated = true;
            term.kind = Kind::LabelEquals;
            term.text = part.left(at).toStdString();
            term.value = part.mid(at + 2).toStdString();
        } else if ((at = part.indexOf(u'=')) > 0) {
            term.kind = Kind::LabelEquals;
            term.text = part.left(at).toStdString();
            term.value = part.mid(part.indexOf(QStringLiteral("==")) == at ? at + 2 : at + 1).toStdString();
        } else {
            term.kind = Kind::LabelExists;
            term.negated = part.startsWith(u'!');
            term.text = part.mid(term.negated ? 1 : 0).toStdString();
        }
        if (term.text.empty()) {
            error_ = QCoreApplication::translate("RowFilter", "Not a label requirement: %1").arg(part);
            continue;
        }
        terms_.push_back(std::move(term));
    }
}

bool RowFilter::holds(const Term& term, const cluster::Row& row, std::string_view haystack) {
    switch (term.kind) {
    case Kind::Contains: return haystack.find(term.text) != std::string_view::npos;
    case Kind::Regex:
        return term.expression.match(QString::fromUtf8(haystack.data(), static_cast<qsizetype>(haystack.size())))
            .hasMatch();
    case Kind::Fuzzy: return isSubsequence(term.text, folded(row.name));
    case Kind::LabelEquals:
        return std::any_of(row.labels.begin(), row.labels.end(),
                           [&](const auto& label) { return label.first == term.text && label.second == term.value; });
    case Kind::LabelExists:
        return std::any_of(row.labels.begin(), row.labels.end(),
                           [&](const auto& label) { return label.first == term.text; });
    case Kind::NotDone: return row.health != cluster::Health::Done;
    }
    return true;
}

bool RowFilter::matches(const cluster::Row& row, std::string_view haystack) const {
    return std::all_of(terms_.begin(), terms_.end(),
                       [&](const Term& term) { return holds(term, row, haystack) != term.negated; });
}

} // namespace alidade::models
