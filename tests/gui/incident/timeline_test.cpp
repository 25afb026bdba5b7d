// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QAccessible>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alidade/models/run_models.hpp"
#include "alidade/ui/appearance.hpp"
#include "incident/timeline_view.hpp"
#include "made_run.hpp"
#include "theme/tokens.hpp"

namespace alidade::ui {
namespace {

using guard::RunEventKind;
using guard::Step;
using test::MadeRun;
using ::testing::HasSubstr;

class TimelineTest : public ::testing::Test {
protected:
    TimelineTest() : tester(view.model(), QAbstractItemModelTester::FailureReportingMode::Fatal) {
        applyAppearance(*qApp, ThemeChoice::Light);
        view.resize(364, 240);
        view.show();
    }
    void show(MadeRun& run) {
        view.setState(run.snapshot());
        settle();
    }
    void settle() {
        view.list()->doItemsLayout();
        QCoreApplication::sendPostedEvents();
    }
    QScrollBar* bar() { return view.list()->verticalScrollBar(); }
    QModelIndex row(int at) { return view.model()->index(at); }

    TimelineView view;
    QAbstractItemModelTester tester;
};

TEST_F(TimelineTest, SaysEachKindInWords) {
    MadeRun run;
    for (int kind = 0; kind <= static_cast<int>(RunEventKind::Done); ++kind) {
        run.event(static_cast<RunEventKind>(kind), Step::Diagnose, "something");
    }
    show(run);
    for (int kind = 0; kind <= static_cast<int>(RunEventKind::Done); ++kind) {
        const QString text = row(kind).data(Qt::AccessibleTextRole).toString();
        EXPECT_TRUE(text.contains(models::eventWord(static_cast<RunEventKind>(kind)))) << text.toStdString();
    }
}

TEST_F(TimelineTest, FollowsTheNewestUnlessScrolledAway) {
    MadeRun run;
    for (int i = 0; i < 30; ++i) {
        run.event(RunEventKind::Step, Step::Gather, "event " + std::to_string(i));
    }
    show(run);
    ASSERT_GT(bar()->maximum(), 0);
    EXPECT_EQ(bar()->value(), bar()->maximum());
    auto* newest = view.list()->findChild<QPushButton*>(QStringLiteral("newest"));
    ASSERT_NE(newest, nullptr);
    EXPECT_FALSE(newest->isVisible());

    bar()->setValue(40);
    EXPECT_TRUE(newest->isVisible());
    run.event(RunEventKind::Step, Step::Gather, "one more");
    show(run);
    EXPECT_EQ(bar()->value(), 40) << "the reader is left where they read";

    newest->click();
    EXPECT_FALSE(newest->isVisible());
    EXPECT_EQ(bar()->value(), bar()->maximum());
    run.event(RunEventKind::Step, Step::Gather, "and another");
    show(run);
    EXPECT_EQ(bar()->value(), bar()->maximum());
}

TEST_F(TimelineTest, ABlockedActionIsAFullWidthBandAndOpen) {
    MadeRun run;
    run.blocked();
    show(run);
    const Tokens& t = lightTokens();
    for (int i = 0; i < view.model()->rowCount(); ++i) {
        const bool blocked = view.model()->eventAt(i)->kind == RunEventKind::Blocked;
        if (blocked) {
            EXPECT_TRUE(row(i).data(models::TimelineModel::ExpandedRole).toBool());
            view.list()->scrollTo(row(i), QAbstractItemView::PositionAtTop);
            settle();
            const QRect at = view.list()->visualRect(row(i));
            EXPECT_EQ(at.width(), view.list()->viewport()->width());
            const QImage image = view.list()->viewport()->grab().toImage();
            EXPECT_EQ(image.pixelColor(at.left() + 2, at.top() + 4), t.blocked);
            EXPECT_EQ(image.pixelColor(at.right() - 2, at.top() + 4), t.blocked);
        }
    }
    EXPECT_GE(contrast(t.blocked, t.surface), 4.5);
    EXPECT_GE(contrast(darkTokens().blocked, darkTokens().surface), 4.5);
}

TEST_F(TimelineTest, OpensByKeyAndByPressAndGrows) {
    MadeRun run;
    run.proposed();
    show(run);
    int gate = -1;
    for (int i = 0; i < view.model()->rowCount(); ++i) {
        gate = view.model()->eventAt(i)->step == Step::ActionGate ? i : gate;
    }
    ASSERT_GE(gate, 0);
    view.list()->setCurrentIndex(row(gate));
    const int closed = view.list()->visualRect(row(gate)).height();
    QTest::keyClick(view.list(), Qt::Key_Return);
    const int open = view.list()->visualRect(row(gate)).height();
    EXPECT_GT(open, closed + 6 * 12) << "a line for each of six checks";
    QTest::keyClick(view.list(), Qt::Key_Return);
    EXPECT_EQ(view.list()->visualRect(row(gate)).height(), closed);

    view.list()->scrollTo(row(gate));
    const QRect at = view.list()->visualRect(row(gate));
    QTest::mouseClick(view.list()->viewport(), Qt::LeftButton, {}, QPoint(at.center().x(), at.top() + 8));
    EXPECT_TRUE(row(gate).data(models::TimelineModel::ExpandedRole).toBool());
}

TEST_F(TimelineTest, AReferenceOfAnOpenedEventOpensItsEvidence) {
    MadeRun run;
    run.diagnosed();
    show(run);
    const int last = view.model()->rowCount() - 1;
    view.list()->toggle(row(last));
    settle();
    std::vector<int> opened;
    QObject::connect(&view, &TimelineView::openReference, &view,
                     [&](const guard::EvidenceRef& ref, bool) { opened.push_back(ref.number()); });
    view.list()->scrollTo(row(last), QAbstractItemView::PositionAtBottom);
    const QRect at = view.list()->visualRect(row(last));
    for (int y = at.top() + 30; y < at.bottom() && opened.empty(); y += 4) {
        for (int x = at.left(); x < at.right() && opened.empty(); x += 6) {
            QTest::mouseClick(view.list()->viewport(), Qt::LeftButton, {}, QPoint(x, y));
        }
    }
    ASSERT_FALSE(opened.empty());
    EXPECT_EQ(opened.front(), 1) << "the first chip of the row";
}

TEST_F(TimelineTest, FiltersByKindAndSaysWhenNothingIsLeft) {
    MadeRun run;
    run.proposed();
    show(run);
    auto* kinds = view.findChild<QComboBox*>(QStringLiteral("kinds"));
    kinds->setCurrentIndex(kinds->findData(static_cast<int>(RunEventKind::Gate)));
    int shown = 0;
    for (int i = 0; i < view.model()->rowCount(); ++i) {
        shown += view.list()->isRowHidden(i) ? 0 : 1;
    }
    EXPECT_EQ(shown, 2);
    run.event(RunEventKind::Step, Step::Verify, "later");
    run.gate(Step::Verify, "third", {{"x", true, ""}});
    show(run);
    EXPECT_TRUE(view.list()->isRowHidden(view.model()->rowCount() - 2));
    EXPECT_FALSE(view.list()->isRowHidden(view.model()->rowCount() - 1));
    kinds->setCurrentIndex(kinds->findData(static_cast<int>(RunEventKind::Breaker)));
    EXPECT_THAT(view.list()->nothing().toStdString(), HasSubstr("No event of this kind"));
    kinds->setCurrentIndex(0);
    EXPECT_TRUE(view.list()->nothing().isEmpty());
}

TEST_F(TimelineTest, CopiesAnEventWithItsChecks) {
    MadeRun run;
    run.blocked();
    show(run);
    for (int i = 0; i < view.model()->rowCount(); ++i) {
        if (view.model()->eventAt(i)->kind == RunEventKind::Blocked) {
            view.list()->setCurrentIndex(row(i));
        }
    }
    QTest::keyClick(view.list(), Qt::Key_C, Qt::ControlModifier);
    const std::string text = QApplication::clipboard()->text().toStdString();
    EXPECT_THAT(text, HasSubstr("blocked"));
    EXPECT_THAT(text, HasSubstr("failed  protected: deployment shop/payments is protected by its annotation"));
}

TEST_F(TimelineTest, AnotherRunStartsAtItsOwnNewest) {
    MadeRun run;
    for (int i = 0; i < 30; ++i) {
        run.event(RunEventKind::Step, Step::Gather, "event " + std::to_string(i));
    }
    show(run);
    bar()->setValue(0);
    MadeRun other("inc-2");
    other.proposed();
    show(other);
    EXPECT_TRUE(view.list()->following());
    EXPECT_EQ(bar()->value(), bar()->maximum());
}

} // namespace
} // namespace alidade::ui
