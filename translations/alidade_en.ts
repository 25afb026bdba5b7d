<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en_US" sourcelanguage="en_US">
<context>
    <name>Navigator</name>
    <message numerus="yes">
        <source>, %n object(s)</source>
        <translation>
            <numerusform>, %n object</numerusform>
            <numerusform>, %n objects</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>, %n in trouble</source>
        <translation>
            <numerusform>, %n in trouble</numerusform>
            <numerusform>, %n in trouble</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>alidade::ui::DecisionView</name>
    <message numerus="yes">
        <source>Verified when the object is gone, within %n second(s).</source>
        <translation>
            <numerusform>Verified when the object is gone, within %n second.</numerusform>
            <numerusform>Verified when the object is gone, within %n seconds.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Scale %1 to %n replica(s)</source>
        <translation>
            <numerusform>Scale %1 to %n replica</numerusform>
            <numerusform>Scale %1 to %n replicas</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more line(s): scroll to read them</source>
        <translation>
            <numerusform>%n more line: scroll to read them</numerusform>
            <numerusform>%n more lines: scroll to read them</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1, and %n more</source>
        <translation>
            <numerusform>%1, and %n more</numerusform>
            <numerusform>%1, and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>alidade::ui::DiagnosisCard</name>
    <message numerus="yes">
        <source>and %n more claim(s)</source>
        <translation>
            <numerusform>and %n more claim</numerusform>
            <numerusform>and %n more claims</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n alternative(s) considered</source>
        <translation>
            <numerusform>%n alternative considered</numerusform>
            <numerusform>%n alternatives considered</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more source(s) not read</source>
        <translation>
            <numerusform>and %n more source not read</numerusform>
            <numerusform>and %n more sources not read</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>alidade::ui::LogView</name>
    <message numerus="yes">
        <source>%n line(s)</source>
        <translation>
            <numerusform>%n line</numerusform>
            <numerusform>%n lines</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>alidade::ui::MainWindow</name>
    <message numerus="yes">
        <source>%n object(s) in trouble in %1</source>
        <translation>
            <numerusform>%n object in trouble in %1</numerusform>
            <numerusform>%n objects in trouble in %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>alidade::ui::OverviewView</name>
    <message numerus="yes">
        <source>%n restart(s)</source>
        <translation>
            <numerusform>%n restart</numerusform>
            <numerusform>%n restarts</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n character(s); see the YAML</source>
        <translation>
            <numerusform>%n character; see the YAML</numerusform>
            <numerusform>%n characters; see the YAML</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>alidade::ui::PlanPanel</name>
    <message numerus="yes">
        <source>%1, and %n more</source>
        <translation>
            <numerusform>%1, and %n more</numerusform>
            <numerusform>%1, and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>alidade::ui::ScaleDialog</name>
    <message numerus="yes">
        <source>%n replica(s) are asked for now.</source>
        <translation>
            <numerusform>%n replica is asked for now.</numerusform>
            <numerusform>%n replicas are asked for now.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>alidade::ui::SignalStrip</name>
    <message numerus="yes">
        <source>%n restart(s)</source>
        <translation>
            <numerusform>%n restart</numerusform>
            <numerusform>%n restarts</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>alidade::ui::TablePane</name>
    <message numerus="yes">
        <source>%n object(s)</source>
        <translation>
            <numerusform>%n object</numerusform>
            <numerusform>%n objects</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n object(s) are hidden by it.</source>
        <translation>
            <numerusform>%n object is hidden by it.</numerusform>
            <numerusform>%n objects are hidden by it.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>alidade::ui::TimelineView</name>
    <message numerus="yes">
        <source>%n event(s)</source>
        <translation>
            <numerusform>%n event</numerusform>
            <numerusform>%n events</numerusform>
        </translation>
    </message>
</context>
</TS>
