// SPDX-License-Identifier: GPL-3.0-or-later
// The composition root of the desktop program: settings, clusters, the window, and what runs without anyone looking.
#include <iostream>

#include <QApplication>
#include <QCommandLineParser>
#include <QElapsedTimer>
#include <QLocale>
#include <QTimer>
#include <QTranslator>

#include "alidade/guard/text.hpp"
#include "alidade/ui/appearance.hpp"
#include "alidade/ui/main_window.hpp"
#include "alidade/wiring/workbench.hpp"
#include "services.hpp"

namespace alidade::desktop {

namespace {

QString text(const char* source) { return QCoreApplication::translate("main", source); }

ui::ThemeChoice themeOf(wiring::Theme theme) {
    switch (theme) {
    case wiring::Theme::System: return ui::ThemeChoice::System;
    case wiring::Theme::Light: return ui::ThemeChoice::Light;
    case wiring::Theme::Dark: return ui::ThemeChoice::Dark;
    case wiring::Theme::HighContrast: return ui::ThemeChoice::HighContrast;
    }
    return ui::ThemeChoice::System;
}

int complain(const guard::Error& error) {
    std::cerr << "alidade: " << guard::visibleText(error.text()) << "\n";
    return 1;
}

} // namespace

int run(QApplication& app) {
    QElapsedTimer sinceStart;
    sinceStart.start();

    QCommandLineParser parser;
    parser.setApplicationDescription(text("Incident workbench for Kubernetes"));
    parser.addHelpOption();
    parser.addVersionOption();
    const QCommandLineOption demo(QStringLiteral("demo"),
                                  text("Open the embedded cluster, with an incident unfolding."));
    const QCommandLineOption scenario(QStringLiteral("scenario"), text("Scenario of the embedded cluster."),
                                      QStringLiteral("NAME"));
    const QCommandLineOption context(QStringLiteral("context"), text("Context of the kubeconfig."),
                                     QStringLiteral("NAME"));
    const QCommandLineOption kubeconfig(QStringLiteral("kubeconfig"), text("Kubeconfig file."), QStringLiteral("FILE"));
    const QCommandLineOption ns({QStringLiteral("n"), QStringLiteral("namespace")}, text("Namespace to show first."),
                                QStringLiteral("NS"));
    const QCommandLineOption theme(QStringLiteral("theme"), text("system, light, dark or high-contrast."),
                                   QStringLiteral("NAME"));
    const QCommandLineOption check(QStringLiteral("check"),
                                   text("Wait for the first live table, write a screenshot, exit."),
                                   QStringLiteral("FILE"));
    const QCommandLineOption noMotion(QStringLiteral("reduced-motion"), text("No moving indicators."));
    parser.addOptions({demo, scenario, context, kubeconfig, ns, theme, check, noMotion});
    parser.process(app);

    wiring::WorkbenchOptions options;
    options.environment = wiring::processEnvironment();
    auto settings = wiring::loadSettings(wiring::Paths::of(options.environment).settingsFile());
    if (!settings)
        return complain(settings.error());
    options.demo = parser.isSet(demo) || parser.isSet(scenario);
    if (parser.isSet(scenario))
        options.scenario = parser.value(scenario).toStdString();
    options.context = parser.value(context).toStdString();
    options.ns = parser.value(ns).toStdString();
    if (parser.isSet(kubeconfig))
        options.kubeconfig = {parser.value(kubeconfig).toStdString()};
    if (parser.isSet(theme)) {
        auto named = wiring::parseSettings("theme: " + parser.value(theme).toStdString(), "--theme");
        if (!named)
            return complain(named.error());
        settings->theme = named->theme;
    }

    QTranslator catalogue;
    const QLocale locale = settings->language.empty() ? QLocale() : QLocale(QString::fromStdString(settings->language));
    // English, for its plural forms, where there is no catalogue of the language.
    if (catalogue.load(locale, QStringLiteral("alidade"), QStringLiteral("_"), QStringLiteral(":/i18n")) ||
        catalogue.load(QStringLiteral(":/i18n/alidade_en.qm")))
        QCoreApplication::installTranslator(&catalogue);
    ui::applyAppearance(app, themeOf(settings->theme));
    ui::setReducedMotion(parser.isSet(noMotion) || settings->reducedMotion);

    const std::string wantedNamespace = options.ns;
    const std::string wantedContext = options.context;
    auto bench = wiring::Workbench::create(std::move(options), std::move(*settings));
    if (!bench)
        return complain(bench.error());
    if (!(*bench)->fellBack().empty())
        std::cerr << "alidade: " << guard::visibleText((*bench)->fellBack()) << " Showing the embedded cluster.\n";
    if ((*bench)->configFault()) // the window says it too, and stays open for another try
        std::cerr << "alidade: " << guard::visibleText((*bench)->configFault()->text()) << "\n";
    for (const std::string& warning : (*bench)->configWarnings())
        std::cerr << "alidade: left out of the kubeconfig: " << guard::visibleText(warning) << "\n";

    ui::installInputCalibration((*bench)->clock());
    ui::MainWindow window(servicesOf(**bench),
                          {(*bench)->configFault() ? wantedContext : (*bench)->firstContext(), wantedNamespace});
    window.show();

    if (parser.isSet(check)) {
        const QString file = parser.value(check);
        window.showKind(QStringLiteral("pods"));
        QTimer::singleShot(60'000, &app, [&window, file] {
            const bool saved = window.grab().save(file, "PNG");
            std::cerr << "alidade: no live table within 60 s"
                      << (saved ? "; see the screenshot for what the window shows instead" : "") << "\n";
            QCoreApplication::exit(1);
        });
        QObject::connect(&window, &ui::MainWindow::firstRowsPainted, &app, [&] {
            std::cout << "first live row painted after " << sinceStart.elapsed() << " ms\n";
            QTimer::singleShot(0, &app, [&] { QCoreApplication::exit(window.grab().save(file, "PNG") ? 0 : 1); });
        });
    }
    return QApplication::exec();
}

} // namespace alidade::desktop

int main(int count, char** words) {
    QApplication app(count, words);
    QCoreApplication::setApplicationName(QStringLiteral("alidade"));
    QCoreApplication::setApplicationVersion(QStringLiteral(ALIDADE_VERSION));
    QGuiApplication::setDesktopFileName(QStringLiteral("alidade"));
    return alidade::desktop::run(app);
}
