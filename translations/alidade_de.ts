<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de_DE" sourcelanguage="en_US">
<context>
    <name>Health</name>
    <message>
        <source>Healthy</source>
        <translation>Gesund</translation>
    </message>
    <message>
        <source>Progressing</source>
        <translation>Im Gange</translation>
    </message>
    <message>
        <source>Degraded</source>
        <translation>Beeinträchtigt</translation>
    </message>
    <message>
        <source>Failing</source>
        <translation>Fehlerhaft</translation>
    </message>
    <message>
        <source>Unknown</source>
        <translation>Unbekannt</translation>
    </message>
    <message>
        <source>Finished</source>
        <translation>Beendet</translation>
    </message>
</context>
<context>
    <name>Navigator</name>
    <message>
        <source>Workloads</source>
        <translation>Workloads</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>Netzwerk</translation>
    </message>
    <message>
        <source>Config</source>
        <translation>Konfiguration</translation>
    </message>
    <message>
        <source>Storage</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Access</source>
        <translation>Zugriff</translation>
    </message>
    <message>
        <source>Cluster</source>
        <translation>Cluster</translation>
    </message>
    <message>
        <source>Trouble</source>
        <translation>Störungen</translation>
    </message>
    <message>
        <source>Custom</source>
        <translation>Eigene</translation>
    </message>
    <message numerus="yes">
        <source>, %n object(s)</source>
        <translation>
            <numerusform>, %n Objekt</numerusform>
            <numerusform>, %n Objekte</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>, %n in trouble</source>
        <translation>
            <numerusform>, %n gestört</numerusform>
            <numerusform>, %n gestört</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Overview</name>
    <message>
        <source>Replicas</source>
        <translation>Replikate</translation>
    </message>
    <message>
        <source>Strategy</source>
        <translation>Strategie</translation>
    </message>
    <message>
        <source>Revision</source>
        <translation>Revision</translation>
    </message>
    <message>
        <source>Phase</source>
        <translation>Phase</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>Grund</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>Meldung</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>Node</translation>
    </message>
    <message>
        <source>Pod IP</source>
        <translation>Pod-IP</translation>
    </message>
    <message>
        <source>Service account</source>
        <translation>Service-Account</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Typ</translation>
    </message>
    <message>
        <source>Cluster IP</source>
        <translation>Cluster-IP</translation>
    </message>
    <message>
        <source>Kubelet</source>
        <translation>Kubelet</translation>
    </message>
    <message>
        <source>OS image</source>
        <translation>Betriebssystem</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>Schlüssel</translation>
    </message>
    <message>
        <source>Created</source>
        <translation>Angelegt</translation>
    </message>
    <message>
        <source>UID</source>
        <translation>UID</translation>
    </message>
</context>
<context>
    <name>RowFilter</name>
    <message>
        <source>Not a regular expression: %1 (at character %2)</source>
        <translation>Kein regulärer Ausdruck: %1 (bei Zeichen %2)</translation>
    </message>
    <message>
        <source>Not a label requirement: %1</source>
        <translation>Keine Label-Bedingung: %1</translation>
    </message>
</context>
<context>
    <name>RowTableModel</name>
    <message>
        <source>HEALTH</source>
        <translation>ZUSTAND</translation>
    </message>
    <message>
        <source>The state of the object, in the cluster&apos;s words</source>
        <translation>Der Zustand des Objekts in den Worten des Clusters</translation>
    </message>
</context>
<context>
    <name>Run</name>
    <message>
        <source>Trigger</source>
        <translation>Auslöser</translation>
    </message>
    <message>
        <source>Gather</source>
        <translation>Sammeln</translation>
    </message>
    <message>
        <source>Redact</source>
        <translation>Schwärzen</translation>
    </message>
    <message>
        <source>Diagnose</source>
        <translation>Diagnose</translation>
    </message>
    <message>
        <source>Quality gate</source>
        <translation>Qualitätsprüfung</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>Plan</translation>
    </message>
    <message>
        <source>Action gate</source>
        <translation>Aktionsprüfung</translation>
    </message>
    <message>
        <source>Approve</source>
        <translation>Freigeben</translation>
    </message>
    <message>
        <source>Execute</source>
        <translation>Ausführen</translation>
    </message>
    <message>
        <source>Verify</source>
        <translation>Nachprüfen</translation>
    </message>
    <message>
        <source>Notify</source>
        <translation>Benachrichtigen</translation>
    </message>
    <message>
        <source>step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>gate</source>
        <translation>Prüfung</translation>
    </message>
    <message>
        <source>fallback</source>
        <translation>Ausweichen</translation>
    </message>
    <message>
        <source>action</source>
        <translation>Aktion</translation>
    </message>
    <message>
        <source>blocked</source>
        <translation>gesperrt</translation>
    </message>
    <message>
        <source>breaker</source>
        <translation>Sicherung</translation>
    </message>
    <message>
        <source>done</source>
        <translation>fertig</translation>
    </message>
    <message>
        <source>Resolved</source>
        <translation>Behoben</translation>
    </message>
    <message>
        <source>No fault found</source>
        <translation>Kein Fehler gefunden</translation>
    </message>
    <message>
        <source>Awaiting approval</source>
        <translation>Wartet auf Freigabe</translation>
    </message>
    <message>
        <source>Escalated</source>
        <translation>Eskaliert</translation>
    </message>
    <message>
        <source>Blocked</source>
        <translation>Gesperrt</translation>
    </message>
    <message>
        <source>Declined</source>
        <translation>Abgelehnt</translation>
    </message>
    <message>
        <source>Undetermined</source>
        <translation>Ungeklärt</translation>
    </message>
    <message>
        <source>Executed, not verified</source>
        <translation>Ausgeführt, nicht bestätigt</translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation>Abgebrochen</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>Fehlgeschlagen</translation>
    </message>
    <message>
        <source>, passed</source>
        <translation>, bestanden</translation>
    </message>
    <message>
        <source>, failed</source>
        <translation>, nicht bestanden</translation>
    </message>
</context>
<context>
    <name>Text</name>
    <message>
        <source> … %1 KB more</source>
        <translation> … %1 KB mehr</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>%1 min %2 s</source>
        <translation>%1 min %2 s</translation>
    </message>
</context>
<context>
    <name>TroubleModel</name>
    <message>
        <source>The reason, in the cluster&apos;s words</source>
        <translation>Der Grund in den Worten des Clusters</translation>
    </message>
</context>
<context>
    <name>alidade::ui::ApprovalDialog</name>
    <message>
        <source>Approve a change</source>
        <translation>Änderung freigeben</translation>
    </message>
    <message>
        <source>Stored evidence</source>
        <translation>Gespeicherter Beleg</translation>
    </message>
    <message>
        <source>Typed confirmation</source>
        <translation>Getippte Bestätigung</translation>
    </message>
    <message>
        <source>Change whatever has this name now, although its identity is not known</source>
        <translation>Ändern, was jetzt diesen Namen trägt, obwohl seine Identität nicht bekannt ist</translation>
    </message>
    <message>
        <source>Decline</source>
        <translation>Ablehnen</translation>
    </message>
    <message>
        <source>Look first</source>
        <translation>Erst ansehen</translation>
    </message>
    <message>
        <source>Approve</source>
        <translation>Freigeben</translation>
    </message>
    <message>
        <source>Closes this window; the proposal stays until it expires</source>
        <translation>Schließt dieses Fenster; der Vorschlag bleibt, bis er abläuft</translation>
    </message>
    <message>
        <source>%1 is not in this run&apos;s evidence</source>
        <translation>%1 gehört nicht zu den Belegen dieses Laufs</translation>
    </message>
    <message>
        <source>Expires in %1:%2</source>
        <translation>Läuft ab in %1:%2</translation>
    </message>
    <message>
        <source>Expired</source>
        <translation>Abgelaufen</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Approved. Recording the intent, then sending it once…</source>
        <translation>Freigegeben. Die Absicht wird festgehalten, dann wird einmal gesendet…</translation>
    </message>
    <message>
        <source>Approve: %1</source>
        <translation>Freigeben: %1</translation>
    </message>
    <message>
        <source>Type %1 to confirm</source>
        <translation>Zur Bestätigung %1 eintippen</translation>
    </message>
    <message>
        <source>Not approved: %1</source>
        <translation>Nicht freigegeben: %1</translation>
    </message>
    <message>
        <source>The server warns: %1</source>
        <translation>Der Server warnt: %1</translation>
    </message>
    <message>
        <source>Done. The heal is being verified.</source>
        <translation>Erledigt. Die Heilung wird nachgeprüft.</translation>
    </message>
    <message>
        <source>Done. %1</source>
        <translation>Erledigt. %1</translation>
    </message>
    <message>
        <source>The server refused it; nothing was changed. %1</source>
        <translation>Der Server hat es abgelehnt; nichts wurde geändert. %1</translation>
    </message>
    <message>
        <source>Not sent; nothing was changed. %1</source>
        <translation>Nicht gesendet; nichts wurde geändert. %1</translation>
    </message>
    <message>
        <source>Failed. %1</source>
        <translation>Fehlgeschlagen. %1</translation>
    </message>
    <message>
        <source>What became of it is unknown; it was not sent again. %1</source>
        <translation>Was daraus wurde, ist unbekannt; es wurde nicht noch einmal gesendet. %1</translation>
    </message>
    <message>
        <source>The proposal has expired; nothing was changed. Ask for a fresh one.</source>
        <translation>Der Vorschlag ist abgelaufen; nichts wurde geändert. Bitte einen neuen anfordern.</translation>
    </message>
    <message>
        <source>Please type it: pasting is refused here.</source>
        <translation>Bitte eintippen: Einfügen wird hier nicht angenommen.</translation>
    </message>
</context>
<context>
    <name>alidade::ui::DecisionView</name>
    <message>
        <source>Low risk</source>
        <translation>Geringes Risiko</translation>
    </message>
    <message>
        <source>Medium risk</source>
        <translation>Mittleres Risiko</translation>
    </message>
    <message>
        <source>High risk</source>
        <translation>Hohes Risiko</translation>
    </message>
    <message>
        <source>Critical risk</source>
        <translation>Kritisches Risiko</translation>
    </message>
    <message>
        <source>You may %1.</source>
        <translation>Erlaubt: %1.</translation>
    </message>
    <message>
        <source>You may not %1: %2</source>
        <translation>Nicht erlaubt: %1: %2</translation>
    </message>
    <message>
        <source>Whether you may %1 is not known: %2</source>
        <translation>Ob erlaubt ist, ist nicht bekannt: %1: %2</translation>
    </message>
    <message numerus="yes">
        <source>Verified when the object is gone, within %n second(s).</source>
        <translation>
            <numerusform>Bestätigt, wenn das Objekt innerhalb von %n Sekunde verschwunden ist.</numerusform>
            <numerusform>Bestätigt, wenn das Objekt innerhalb von %n Sekunden verschwunden ist.</numerusform>
        </translation>
    </message>
    <message>
        <source>Verified when every replica is ready for %1 s, within %2 s.</source>
        <translation>Bestätigt, wenn jedes Replikat %1 s lang bereit ist, innerhalb von %2 s.</translation>
    </message>
    <message>
        <source>Roll back</source>
        <translation>Zurückrollen</translation>
    </message>
    <message>
        <source>Scale</source>
        <translation>Skalieren</translation>
    </message>
    <message>
        <source>Restart</source>
        <translation>Neu starten</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Roll back %1 to revision %2</source>
        <translation>%1 auf Revision %2 zurückrollen</translation>
    </message>
    <message numerus="yes">
        <source>Scale %1 to %n replica(s)</source>
        <translation>
            <numerusform>%1 auf %n Replikat skalieren</numerusform>
            <numerusform>%1 auf %n Replikate skalieren</numerusform>
        </translation>
    </message>
    <message>
        <source>Restart %1</source>
        <translation>%1 neu starten</translation>
    </message>
    <message>
        <source>Delete %1</source>
        <translation>%1 löschen</translation>
    </message>
    <message>
        <source>Who depends on it could not be read.</source>
        <translation>Was davon abhängt, war nicht lesbar.</translation>
    </message>
    <message>
        <source>Nothing else depends on it.</source>
        <translation>Nichts anderes hängt davon ab.</translation>
    </message>
    <message>
        <source>Dependents: %1</source>
        <translation>Davon abhängig: %1</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>und %n weiteres</numerusform>
            <numerusform>und %n weitere</numerusform>
        </translation>
    </message>
    <message>
        <source>Not read: %1 (%2)</source>
        <translation>Nicht gelesen: %1 (%2)</translation>
    </message>
    <message>
        <source>What is to be approved</source>
        <translation>Was freizugeben ist</translation>
    </message>
    <message>
        <source>Dry-run difference</source>
        <translation>Unterschied laut Probelauf</translation>
    </message>
    <message>
        <source>Impact</source>
        <translation>Auswirkung</translation>
    </message>
    <message numerus="yes">
        <source>%n more line(s): scroll to read them</source>
        <translation>
            <numerusform>%n weitere Zeile: zum Lesen blättern</numerusform>
            <numerusform>%n weitere Zeilen: zum Lesen blättern</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1, and %n more</source>
        <translation>
            <numerusform>%1 und %n weiteres</numerusform>
            <numerusform>%1 und %n weitere</numerusform>
        </translation>
    </message>
    <message>
        <source>Context %1, whole cluster</source>
        <translation>Kontext %1, ganzer Cluster</translation>
    </message>
    <message>
        <source>Context %1, namespace %2</source>
        <translation>Kontext %1, Namespace %2</translation>
    </message>
    <message>
        <source>Asked for by %1 at this desk.</source>
        <translation>Angefordert von %1 an diesem Arbeitsplatz.</translation>
    </message>
    <message>
        <source>Evidence %1</source>
        <translation>Beleg %1</translation>
    </message>
    <message>
        <source>Independently reviewed.</source>
        <translation>Unabhängig geprüft.</translation>
    </message>
    <message>
        <source>Not independently reviewed.</source>
        <translation>Nicht unabhängig geprüft.</translation>
    </message>
    <message>
        <source>Reading permission, object, dry run and dependents…</source>
        <translation>Berechtigung, Objekt, Probelauf und Abhängige werden gelesen…</translation>
    </message>
    <message>
        <source>The server warns: %1</source>
        <translation>Der Server warnt: %1</translation>
    </message>
    <message>
        <source>Not previewed: %1</source>
        <translation>Keine Vorschau: %1</translation>
    </message>
    <message>
        <source>PROTECTED: %1</source>
        <translation>GESCHÜTZT: %1</translation>
    </message>
    <message>
        <source>The object&apos;s UID could not be read: the change would hit whatever has this name.</source>
        <translation>Die UID des Objekts war nicht lesbar: Die Änderung träfe, was gerade diesen Namen trägt.</translation>
    </message>
    <message>
        <source>Only if %1</source>
        <translation>Nur wenn %1</translation>
    </message>
    <message>
        <source>Not previewed by the server</source>
        <translation>Keine Vorschau vom Server</translation>
    </message>
    <message>
        <source>The server&apos;s dry run changes nothing</source>
        <translation>Der Probelauf des Servers ändert nichts</translation>
    </message>
    <message>
        <source>What the server&apos;s dry run changes</source>
        <translation>Was der Probelauf des Servers ändert</translation>
    </message>
    <message>
        <source>Digest %1</source>
        <translation>Digest %1</translation>
    </message>
    <message>
        <source>Refused: nothing was changed</source>
        <translation>Abgelehnt: nichts wurde geändert</translation>
    </message>
</context>
</TS>
