// SPDX-License-Identifier: GPL-3.0-or-later
#include <map>

#include <QAccessible>
#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alidade/models/run_models.hpp"
#include "alidade/ui/appearance.hpp"
#include "incident/cited_line.hpp"
#include "incident/diagnosis_card.hpp"
#include "incident/incident_dock.hpp"
#include "incident/plan_panel.hpp"
#include "incident/run_words.hpp"
#include "incident/signal_strip.hpp"
#include "incident/stage_rail.hpp"
#include "made_run.hpp"
#include "parts/parts.hpp"

namespace alidade::ui {
namespace {

using test::MadeRun;
using ::testing::Contains;
using ::testing::HasSubstr;

class IncidentDockTest : public ::testing::Test {
protected:
    IncidentDockTest() {
        applyAppearance(*qApp, ThemeChoice::Light);
        setReducedMotion(true);
        dock.resize(380, 640);
        dock.show();
    }
    void show(MadeRun& run) {
        dock.setState(run.snapshot());
        QCoreApplication::sendPostedEvents();
    }
    template<class T>
    T* named(const char* name) {
        T* found = dock.findChild<T*>(QString::fromLatin1(name));
        EXPECT_NE(found, nullptr) << name;
        return found;
    }
    /// All text that can be read on the dock.
    QString allText() {
        QString text;
        for (const QWidget* widget : dock.findChildren<QWidget*>()) {
            if (!widget->isVisible()) {
                continue;
            }
            if (const auto* label = qobject_cast<const QLabel*>(widget)) {
                text += label->text() + QLatin1Char('\n');
            } else if (const auto* button = qobject_cast<const QAbstractButton*>(widget)) {
                text += button->text() + QLatin1Char('\n');
            } else if (const auto* elided = qobject_cast<const ElidedLabel*>(widget)) {
                text += elided->text() + QLatin1Char('\n');
            } else if (const auto* line = qobject_cast<const CitedLine*>(widget)) {
                text += line->text() + QLatin1Char('\n');
            } else if (const auto* banner = qobject_cast<const OutcomeBanner*>(widget)) {
                text += banner->word() + QLatin1Char('\n') + banner->reason() + QLatin1Char('\n');
            }
        }
        return text;
    }
    QList<Chip*> chips() { return dock.findChild<DiagnosisCard*>()->findChildren<Chip*>(); }

    IncidentDock dock;
};

TEST_F(IncidentDockTest, SaysWhatToDoWhenThereIsNoIncident) {
    QSignalSpy started(&dock, &IncidentDock::startRequested);
    EXPECT_THAT(allText().toStdString(), HasSubstr("No incident is open"));
    auto* button = dock.findChild<EmptyState*>()->findChild<QPushButton*>();
    ASSERT_NE(button, nullptr);
    EXPECT_EQ(button->text(), QStringLiteral("Start triage"));
    button->click();
    EXPECT_EQ(started.size(), 1);

    dock.setStartable(false, QStringLiteral("No cluster is connected."));
    EXPECT_THAT(allText().toStdString(), HasSubstr("No cluster is connected."));
    EXPECT_FALSE(button->isVisible());
}

TEST_F(IncidentDockTest, ChipsOpenTheClaimsOwnPlace) {
    MadeRun run;
    run.diagnosed();
    show(run);
    std::vector<std::pair<int, std::optional<guard::Anchor>>> opened;
    std::vector<bool> beside;
    QObject::connect(&dock, &IncidentDock::openCitation, &dock, [&](const Citation& citation, bool next) {
        opened.emplace_back(citation.ref.number(), citation.anchor);
        beside.push_back(next);
    });
    const auto all = chips();
    ASSERT_EQ(all.size(), 5);
    EXPECT_EQ(all[1]->text(), QStringLiteral("E2"));
    QTest::mouseClick(all[1], Qt::LeftButton);
    QTest::mouseClick(all[3], Qt::LeftButton);
    QTest::keyClick(all[0], Qt::Key_Space);
    ASSERT_EQ(opened.size(), 3U);
    EXPECT_EQ(opened[0].first, 2);
    EXPECT_EQ(opened[0].second, guard::Anchor(guard::anchor::Event{"ev-1", 7}));
    EXPECT_EQ(opened[1].first, 3);
    EXPECT_FALSE(opened[1].second) << "no quote: the evidence's first line is meant";
    EXPECT_EQ(opened[2].first, 1);
    EXPECT_THAT(all[1]->toolTip().toStdString(), HasSubstr("Failed to pull image"));
    EXPECT_THAT(all[1]->accessibleName().toStdString(), HasSubstr("events of pod"));
    EXPECT_THAT(beside, ::testing::Each(false));
}

TEST_F(IncidentDockTest, ShowsTheDiagnosisWithItsDoubts) {
    MadeRun run;
    run.proposed();
    show(run);
    const std::string text = allText().toStdString();
    EXPECT_THAT(text, HasSubstr("Revision 5 of checkout names an image that is not in the registry"));
    EXPECT_THAT(text, HasSubstr("High confidence, 93 %"));
    EXPECT_THAT(text, HasSubstr("The rollout was started by a pipeline"));
    EXPECT_THAT(text, HasSubstr("no evidence"));
    EXPECT_THAT(text, HasSubstr("Not read: nodes (forbidden: you may not list nodes)"));
    EXPECT_THAT(text, HasSubstr("Not independently reviewed"));
    EXPECT_THAT(text, ::testing::Not(HasSubstr("credentials have expired"))) << "alternatives are closed at first";
    named<QToolButton>("alternatives")->click();
    EXPECT_THAT(allText().toStdString(), HasSubstr("credentials have expired"));

    QSignalSpy opened(&dock, &IncidentDock::openObject);
    named<LinkLabel>("suspect")->click();
    named<LinkLabel>("deploy")->click();
    ASSERT_EQ(opened.size(), 2);
    EXPECT_EQ(opened[0][0].value<guard::ObjectRef>().key.name, "checkout");
}

TEST_F(IncidentDockTest, KeepsItsChipsWhileOnlyTheSignalChanges) {
    MadeRun run;
    run.proposed();
    show(run);
    const auto before = chips();
    before.front()->setFocus();
    for (int i = 0; i < 5; ++i) {
        run.point(0.6, 0);
        show(run);
    }
    EXPECT_EQ(chips(), before);
}

TEST_F(IncidentDockTest, AsksForReviewOnlyWhileAProposalWaits) {
    MadeRun run;
    run.proposed();
    show(run);
    auto* review = named<QPushButton>("review");
    QSignalSpy asked(&dock, &IncidentDock::reviewRequested);
    EXPECT_FALSE(review->isEnabled());
    EXPECT_THAT(allText().toStdString(), HasSubstr("Being checked"));
    dock.setProposal(test::madeProposal(guard::Risk::High));
    EXPECT_TRUE(review->isEnabled());
    EXPECT_TRUE(review->isVisible());
    EXPECT_THAT(allText().toStdString(), HasSubstr("Waits for your approval"));
    EXPECT_THAT(allText().toStdString(), HasSubstr("High risk"));
    EXPECT_THAT(allText().toStdString(), HasSubstr("Roll back Deployment checkout to revision 4"));
    EXPECT_THAT(named<StageRail>("rail")->stepText(7).toStdString(), HasSubstr("waits for you"));
    review->click();
    EXPECT_EQ(asked.size(), 1);

    dock.clearProposal();
    run.executed();
    show(run);
    EXPECT_FALSE(review->isVisible());
    EXPECT_THAT(allText().toStdString(), HasSubstr("Executed, being verified"));
    run.resolved();
    show(run);
    EXPECT_THAT(allText().toStdString(), HasSubstr("Executed and verified"));
}

TEST_F(IncidentDockTest, AProposalOfAnotherIncidentIsNotOffered) {
    MadeRun run;
    run.proposed();
    show(run);
    dock.setProposal(test::madeProposal());
    MadeRun other("inc-2");
    other.proposed();
    show(other);
    EXPECT_FALSE(named<QPushButton>("review")->isEnabled());
}

TEST_F(IncidentDockTest, ABlockedActionIsUnmistakable) {
    MadeRun run;
    run.blocked();
    show(run);
    const std::string text = allText().toStdString();
    EXPECT_THAT(text, HasSubstr("Blocked: this change does not exist as a request"));
    EXPECT_THAT(text, HasSubstr("deployment shop/payments is protected by its annotation"));
    EXPECT_THAT(text, HasSubstr("Blocked by the action gate; a person has to decide"));
    EXPECT_FALSE(named<QPushButton>("review")->isVisible());
    EXPECT_THAT(named<StageRail>("rail")->stepText(6).toStdString(), HasSubstr("blocked"));
}

TEST_F(IncidentDockTest, AChangeThatWasNotSentIsNotCalledExecuted) {
    MadeRun run;
    run.proposed();
    run.event(guard::RunEventKind::Action, guard::Step::Approve, "Approved: roll back");
    run.event(guard::RunEventKind::Action, guard::Step::Execute, "Not executed (refused): roll back");
    run.event(guard::RunEventKind::Step, guard::Step::Notify, "Told the log");
    run.done(guard::RunOutcome::Escalated, "The change did not go through; over to a person");
    show(run);
    EXPECT_THAT(allText().toStdString(), HasSubstr("nothing was changed"));
    EXPECT_FALSE(sentAt(*run.snapshot()));
}

TEST_F(IncidentDockTest, EveryOutcomeHasAShapeAndItsWord) {
    std::map<std::string, int> words;
    for (int i = 0; i <= static_cast<int>(guard::RunOutcome::Failed); ++i) {
        const auto outcome = static_cast<guard::RunOutcome>(i);
        MadeRun run("inc-" + std::to_string(i));
        run.proposed();
        run.done(outcome, "the reason " + std::to_string(i));
        show(run);
        const auto* banner = named<OutcomeBanner>("outcome");
        EXPECT_TRUE(banner->isVisible());
        EXPECT_EQ(banner->word(), models::outcomeWord(outcome));
        EXPECT_EQ(banner->reason(), QStringLiteral("the reason %1").arg(i));
        EXPECT_THAT(banner->accessibleName().toStdString(), HasSubstr(banner->word().toStdString()));
        EXPECT_FALSE(QString::fromLatin1(markOf(outcome, lightTokens()).shape).isEmpty());
        ++words[banner->word().toStdString()];
        EXPECT_TRUE(named<QPushButton>("start")->isVisible());
        EXPECT_FALSE(named<QPushButton>("cancel")->isVisible());
    }
    EXPECT_EQ(words.size(), 10U) << "each its own";
}

TEST_F(IncidentDockTest, TheRunCanBeCancelledWhileItGoes) {
    MadeRun run;
    run.gathered();
    show(run);
    QSignalSpy cancelled(&dock, &IncidentDock::cancelRequested);
    named<QPushButton>("cancel")->click();
    EXPECT_EQ(cancelled.size(), 1);
    EXPECT_FALSE(named<QPushButton>("start")->isVisible());
}

TEST_F(IncidentDockTest, TheRailShowsEveryStepAtEveryWidth) {
    MadeRun run;
    run.proposed();
    show(run);
    const auto* rail = named<StageRail>("rail");
    for (const int width : {340, 380, 520}) {
        dock.resize(width, 620);
        QCoreApplication::sendPostedEvents();
        int last = -1;
        for (int i = 0; i < 11; ++i) {
            const QRect at = rail->stepRect(i);
            EXPECT_TRUE(rail->rect().contains(at)) << width << " step " << i;
            EXPECT_GT(at.left(), last) << "steps do not overlap";
            last = at.right();
        }
    }
    EXPECT_EQ(rail->caption(), QStringLiteral("Approve"));
    EXPECT_THAT(rail->stepText(1).toStdString(), HasSubstr("Gather: done, 1.2 s"));
    EXPECT_THAT(rail->stepText(9).toStdString(), HasSubstr("Verify: not yet"));
    EXPECT_THAT(rail->accessibleDescription().toStdString(), HasSubstr("Quality gate: done"));
    run.done(guard::RunOutcome::Declined, "Declined by a person");
    show(run);
    EXPECT_THAT(rail->stepText(9).toStdString(), HasSubstr("Verify: skipped"));
}

TEST_F(IncidentDockTest, NothingIsCutInTheDocksWidths) {
    MadeRun run;
    run.proposed();
    for (int i = 0; i < 12; ++i) {
        run.point(0.66, 1);
    }
    show(run);
    dock.setProposal(test::madeProposal());
    for (const int width : {340, 380, 520}) {
        dock.resize(width, 620);
        QCoreApplication::sendPostedEvents();
        EXPECT_LE(dock.minimumSizeHint().width(), 340);
        EXPECT_EQ(dock.width(), width);
        for (const QWidget* widget : dock.findChildren<QWidget*>()) {
            if (!widget->isVisible() || widget->window() != &dock) {
                continue;
            }
            const QWidget* parent = widget->parentWidget();
            const bool button = qobject_cast<const QAbstractButton*>(widget) != nullptr;
            if (button && qobject_cast<const LinkLabel*>(widget) == nullptr) {
                EXPECT_GE(widget->width(), widget->sizeHint().width())
                    << widget->metaObject()->className() << ' ' << widget->accessibleName().toStdString();
                EXPECT_TRUE(parent->rect().contains(widget->geometry()))
                    << widget->accessibleName().toStdString() << " at " << width;
            }
        }
    }
}

TEST_F(IncidentDockTest, HostileTextIsShownAsText) {
    const std::string hostile = std::string("<b onclick=\"x\">bold</b><img src=x>\x1b[31mred\x07\xe2\x80\xae") +
                                "gpj.exe &file " + std::string(50'000, 'A') + "\xff\xfe";
    MadeRun run;
    run.diagnosed();
    run.state().incident.title = hostile;
    run.state().context = hostile;
    run.state().diagnosis->hypothesis = hostile;
    run.state().diagnosis->source = hostile;
    run.state().diagnosis->suspect->key.name = hostile;
    run.state().diagnosis->claims[0].text = hostile;
    run.state().diagnosis->claims[0].quote = hostile;
    run.state().diagnosis->alternatives[0] = hostile;
    run.state().diagnosis->confidence = std::numeric_limits<double>::quiet_NaN();
    run.state().gaps.push_back({hostile, guard::Coverage::Failed, hostile});
    run.event(guard::RunEventKind::Fallback, guard::Step::Diagnose, hostile, 5, hostile);
    run.done(guard::RunOutcome::Failed, hostile);
    show(run);
    named<QToolButton>("alternatives")->click();
    const QString text = allText();
    EXPECT_TRUE(text.contains(QStringLiteral("<b onclick"))) << "as its characters";
    EXPECT_FALSE(text.contains(QChar(0x1b)));
    EXPECT_FALSE(text.contains(QChar(0x202e)));
    for (const QWidget* widget : dock.findChildren<QWidget*>()) {
        if (const auto* label = qobject_cast<const QLabel*>(widget)) {
            EXPECT_TRUE(label->textFormat() == Qt::PlainText || !Qt::mightBeRichText(label->text()))
                << label->text().left(80).toStdString();
        }
        EXPECT_FALSE(widget->toolTip().contains(QStringLiteral("<b onclick")) && Qt::mightBeRichText(widget->toolTip()))
            << widget->metaObject()->className() << ' ' << widget->objectName().toStdString();
        if (const auto* button = qobject_cast<const QAbstractButton*>(widget)) {
            EXPECT_FALSE(button->text().contains(QLatin1Char('&')) && !button->shortcut().isEmpty());
        }
    }
    dock.resize(340, 620);
    dock.grab();
    EXPECT_EQ(dock.width(), 340);
}

TEST_F(IncidentDockTest, TheSignalIsDrawnFromTwoPointsOnAndAtAPace) {
    MadeRun run;
    run.proposed();
    run.point(0.66, 0);
    show(run);
    auto* strip = named<SignalStrip>("signal");
    EXPECT_FALSE(strip->isVisible());
    run.point(0.66, 2);
    show(run);
    EXPECT_TRUE(strip->isVisible());
    EXPECT_THAT(strip->accessibleName().toStdString(), HasSubstr("ready 66 %"));
    EXPECT_THAT(strip->accessibleName().toStdString(), HasSubstr("2 restart"));
    const int drawn = strip->redraws();
    for (int i = 0; i < 50; ++i) {
        run.point(1.0, 2);
        show(run);
    }
    EXPECT_LE(strip->redraws(), drawn + 1) << "at most four times a second";
    EXPECT_TRUE(QTest::qWaitFor([&] { return strip->accessibleName().contains(QStringLiteral("ready 100 %")); }, 2000));
}

TEST_F(IncidentDockTest, TheCurrentStepMovesUnlessMotionIsReducedOrAPersonIsWaitedFor) {
    MadeRun run;
    run.proposed();
    const auto picture = [&] { return named<StageRail>("rail")->grab().toImage(); };
    const auto moves = [&] {
        const QImage before = picture();
        return QTest::qWaitFor([&] { return picture() != before; }, 500);
    };
    setReducedMotion(false);
    show(run);
    EXPECT_TRUE(moves());
    dock.setProposal(test::madeProposal());
    EXPECT_FALSE(moves()) << "a person is waited for";
    setReducedMotion(true);
    dock.clearProposal();
    EXPECT_FALSE(moves());
    setReducedMotion(false);
    run.done(guard::RunOutcome::Declined, "Declined by a person");
    show(run);
    EXPECT_FALSE(moves());
}

TEST_F(IncidentDockTest, ADipSurvivesThinning) {
    QList<QPointF> points;
    for (int i = 0; i < 10'000; ++i) {
        points << QPointF(i, i == 5432 ? 0 : 100);
    }
    const auto thin = thinned(points, 400, true);
    EXPECT_LE(thin.size(), 400);
    EXPECT_THAT(thin, Contains(QPointF(5432, 0)));
    EXPECT_EQ(thin.front(), points.front());
    EXPECT_EQ(thin.back(), points.back());
}

TEST_F(IncidentDockTest, EveryPartHasAName) {
    MadeRun run;
    run.proposed();
    for (int i = 0; i < 5; ++i) {
        run.point(0.66, 1);
    }
    const auto check = [&] {
        for (QWidget* widget : dock.findChildren<QWidget*>()) {
            const bool speaks =
                widget->focusPolicy() != Qt::NoFocus || qobject_cast<QAbstractButton*>(widget) != nullptr ||
                qobject_cast<QComboBox*>(widget) != nullptr || qobject_cast<CitedLine*>(widget) != nullptr ||
                qobject_cast<StageRail*>(widget) != nullptr;
            if (!speaks || !widget->isVisible() || widget->objectName().startsWith(QStringLiteral("qt_"))) {
                continue;
            }
            QAccessibleInterface* face = QAccessible::queryAccessibleInterface(widget);
            ASSERT_NE(face, nullptr);
            EXPECT_FALSE(face->text(QAccessible::Name).isEmpty())
                << widget->metaObject()->className() << ' ' << widget->objectName().toStdString() << " in "
                << widget->parentWidget()->metaObject()->className();
        }
    };
    check();
    show(run);
    dock.setProposal(test::madeProposal());
    check();
    run.executed();
    run.resolved();
    show(run);
    check();
}

} // namespace
} // namespace alidade::ui
