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
    <name>Incident</name>
    <message>
        <source>Blocked: this change does not exist as a request</source>
        <translation>Gesperrt: Diese Änderung gibt es nicht als Anfrage</translation>
    </message>
    <message>
        <source>Executed and verified</source>
        <translation>Ausgeführt und bestätigt</translation>
    </message>
    <message>
        <source>Executed, and not seen to heal: look at it yourself</source>
        <translation>Ausgeführt, aber keine Heilung beobachtet: bitte selbst nachsehen</translation>
    </message>
    <message>
        <source>Declined: nothing was changed</source>
        <translation>Abgelehnt: Nichts wurde geändert</translation>
    </message>
    <message>
        <source>Escalated to a person after it was sent</source>
        <translation>Nach dem Senden an einen Menschen eskaliert</translation>
    </message>
    <message>
        <source>Escalated to a person: nothing was changed</source>
        <translation>An einen Menschen eskaliert: Nichts wurde geändert</translation>
    </message>
    <message>
        <source>Cancelled after it was sent</source>
        <translation>Nach dem Senden abgebrochen</translation>
    </message>
    <message>
        <source>Cancelled: nothing was changed</source>
        <translation>Abgebrochen: Nichts wurde geändert</translation>
    </message>
    <message>
        <source>Blocked: nothing was changed</source>
        <translation>Gesperrt: Nichts wurde geändert</translation>
    </message>
    <message>
        <source>The run failed after it was sent</source>
        <translation>Der Lauf ist nach dem Senden fehlgeschlagen</translation>
    </message>
    <message>
        <source>The run failed: nothing was changed</source>
        <translation>Der Lauf ist fehlgeschlagen: Nichts wurde geändert</translation>
    </message>
    <message>
        <source>Waits for your approval</source>
        <translation>Wartet auf Freigabe</translation>
    </message>
    <message>
        <source>Proposed; nobody has approved it</source>
        <translation>Vorgeschlagen; von niemandem freigegeben</translation>
    </message>
    <message>
        <source>Executed, being verified</source>
        <translation>Ausgeführt, wird nachgeprüft</translation>
    </message>
    <message>
        <source>Decided, being carried out</source>
        <translation>Entschieden, wird ausgeführt</translation>
    </message>
    <message>
        <source>Being checked: permission, dry run, impact</source>
        <translation>Wird geprüft: Berechtigung, Probelauf, Auswirkung</translation>
    </message>
    <message>
        <source>Proposed, not checked yet</source>
        <translation>Vorgeschlagen, noch nicht geprüft</translation>
    </message>
    <message>
        <source>passed</source>
        <translation>bestanden</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>gescheitert</translation>
    </message>
    <message>
        <source>Fault</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>No fault</source>
        <translation>Kein Fehler</translation>
    </message>
    <message>
        <source>Undetermined</source>
        <translation>Ungeklärt</translation>
    </message>
    <message>
        <source>High confidence, %1 %</source>
        <translation>Hohe Sicherheit, %1 %</translation>
    </message>
    <message>
        <source>Medium confidence, %1 %</source>
        <translation>Mittlere Sicherheit, %1 %</translation>
    </message>
    <message>
        <source>Low confidence, %1 %</source>
        <translation>Geringe Sicherheit, %1 %</translation>
    </message>
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
        <source>complete</source>
        <translation>vollständig</translation>
    </message>
    <message>
        <source>only in part</source>
        <translation>nur zum Teil</translation>
    </message>
    <message>
        <source>forbidden</source>
        <translation>verboten</translation>
    </message>
    <message>
        <source>not available</source>
        <translation>nicht verfügbar</translation>
    </message>
    <message>
        <source>cut off</source>
        <translation>abgeschnitten</translation>
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
    <message>
        <source>running</source>
        <translation>läuft</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>wartet</translation>
    </message>
    <message>
        <source>waiting: %1</source>
        <translation>wartet: %1</translation>
    </message>
    <message>
        <source>terminated: %1 (exit %2)</source>
        <translation>beendet: %1 (Exit-Code %2)</translation>
    </message>
    <message>
        <source>%1 of %2 ready</source>
        <translation>%1 von %2 bereit</translation>
    </message>
</context>
<context>
    <name>QDialog</name>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
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
    <name>RelationsModel</name>
    <message>
        <source>owned by</source>
        <translation>gehört zu</translation>
    </message>
    <message>
        <source>owns</source>
        <translation>besitzt</translation>
    </message>
    <message>
        <source>selects</source>
        <translation>wählt aus</translation>
    </message>
    <message>
        <source>selected by</source>
        <translation>ausgewählt von</translation>
    </message>
    <message>
        <source>managed by</source>
        <translation>verwaltet von</translation>
    </message>
    <message>
        <source>manages</source>
        <translation>verwaltet</translation>
    </message>
    <message>
        <source>protected by</source>
        <translation>geschützt durch</translation>
    </message>
    <message>
        <source>protects</source>
        <translation>schützt</translation>
    </message>
    <message>
        <source>routes to</source>
        <translation>leitet zu</translation>
    </message>
    <message>
        <source>reached through</source>
        <translation>erreicht über</translation>
    </message>
    <message>
        <source>mounts</source>
        <translation>bindet ein</translation>
    </message>
    <message>
        <source>mounted by</source>
        <translation>eingebunden von</translation>
    </message>
    <message>
        <source>uses</source>
        <translation>benutzt</translation>
    </message>
    <message>
        <source>used by</source>
        <translation>benutzt von</translation>
    </message>
    <message>
        <source>runs on</source>
        <translation>läuft auf</translation>
    </message>
    <message>
        <source>runs</source>
        <translation>führt aus</translation>
    </message>
    <message>
        <source>bound to</source>
        <translation>gebunden an</translation>
    </message>
    <message>
        <source>bound by</source>
        <translation>gebunden durch</translation>
    </message>
    <message>
        <source>scales</source>
        <translation>skaliert</translation>
    </message>
    <message>
        <source>scaled by</source>
        <translation>skaliert durch</translation>
    </message>
    <message>
        <source>binds</source>
        <translation>bindet</translation>
    </message>
    <message>
        <source>bound in</source>
        <translation>gebunden in</translation>
    </message>
    <message>
        <source>may not be read</source>
        <translation>darf nicht gelesen werden</translation>
    </message>
    <message>
        <source>missing</source>
        <translation>fehlt</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>nicht bekannt</translation>
    </message>
    <message>
        <source>there</source>
        <translation>vorhanden</translation>
    </message>
    <message>
        <source>How they are related</source>
        <translation>Wie sie zueinander stehen</translation>
    </message>
    <message>
        <source>The state of the other one</source>
        <translation>Der Zustand des anderen</translation>
    </message>
    <message>
        <source>Where it is said</source>
        <translation>Wo es steht</translation>
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
    <name>Words</name>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation>%1 min</translation>
    </message>
    <message>
        <source>%1 h</source>
        <translation>%1 h</translation>
    </message>
    <message>
        <source>%1 d</source>
        <translation>%1 d</translation>
    </message>
    <message>
        <source>Waiting for the first answer</source>
        <translation>Wartet auf die erste Antwort</translation>
    </message>
    <message>
        <source>Loading, %1 of about %2</source>
        <translation>Lädt, %1 von etwa %2</translation>
    </message>
    <message>
        <source>Loading, %1 so far</source>
        <translation>Lädt, bisher %1</translation>
    </message>
    <message>
        <source>Loading</source>
        <translation>Lädt</translation>
    </message>
    <message>
        <source>Watching</source>
        <translation>Beobachtet</translation>
    </message>
    <message>
        <source>Watching, last change %1 ago</source>
        <translation>Beobachtet, letzte Änderung vor %1</translation>
    </message>
    <message>
        <source>Catching up; rows as of %1</source>
        <translation>Holt auf; Zeilen mit Stand von %1</translation>
    </message>
    <message>
        <source>Catching up</source>
        <translation>Holt auf</translation>
    </message>
    <message>
        <source>Stale since %1: %2</source>
        <translation>Veraltet seit %1: %2</translation>
    </message>
    <message>
        <source>No answer yet: %1</source>
        <translation>Noch keine Antwort: %1</translation>
    </message>
    <message>
        <source>Listed every 30 s, last %1 ago</source>
        <translation>Alle 30 s gelesen, zuletzt vor %1</translation>
    </message>
    <message>
        <source>Forbidden: %1</source>
        <translation>Verboten: %1</translation>
    </message>
    <message>
        <source>Stopped: %1</source>
        <translation>Angehalten: %1</translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation>Abgebrochen</translation>
    </message>
    <message>
        <source>No answer in time</source>
        <translation>Keine Antwort innerhalb der Frist</translation>
    </message>
    <message>
        <source>The server cannot be reached</source>
        <translation>Der Server ist nicht erreichbar</translation>
    </message>
    <message>
        <source>The connection was lost</source>
        <translation>Die Verbindung ist abgerissen</translation>
    </message>
    <message>
        <source>The server&apos;s certificate is not trusted</source>
        <translation>Dem Zertifikat des Servers wird nicht vertraut</translation>
    </message>
    <message>
        <source>The answer is not Kubernetes&apos;</source>
        <translation>Die Antwort stammt nicht von Kubernetes</translation>
    </message>
    <message>
        <source>The answer is too large</source>
        <translation>Die Antwort ist zu groß</translation>
    </message>
    <message>
        <source>The server refuses the request</source>
        <translation>Der Server lehnt die Anfrage ab</translation>
    </message>
    <message>
        <source>The credentials are not accepted</source>
        <translation>Die Anmeldedaten werden nicht angenommen</translation>
    </message>
    <message>
        <source>Forbidden</source>
        <translation>Verboten</translation>
    </message>
    <message>
        <source>Not found</source>
        <translation>Nicht gefunden</translation>
    </message>
    <message>
        <source>Changed in the meantime</source>
        <translation>Inzwischen geändert</translation>
    </message>
    <message>
        <source>The version is too old</source>
        <translation>Die Version ist zu alt</translation>
    </message>
    <message>
        <source>Refused by validation</source>
        <translation>Von der Prüfung abgelehnt</translation>
    </message>
    <message>
        <source>Refused by a policy</source>
        <translation>Von einer Richtlinie abgelehnt</translation>
    </message>
    <message>
        <source>The server asks to slow down</source>
        <translation>Der Server bittet um weniger Anfragen</translation>
    </message>
    <message>
        <source>Not available</source>
        <translation>Nicht verfügbar</translation>
    </message>
    <message>
        <source>The server failed</source>
        <translation>Der Server ist gescheitert</translation>
    </message>
    <message>
        <source>The configuration cannot be used</source>
        <translation>Die Konfiguration ist nicht verwendbar</translation>
    </message>
    <message>
        <source>A file cannot be used</source>
        <translation>Eine Datei ist nicht verwendbar</translation>
    </message>
    <message>
        <source>Not supported</source>
        <translation>Nicht unterstützt</translation>
    </message>
    <message>
        <source>Refused by the guard</source>
        <translation>Von der Schutzschicht abgelehnt</translation>
    </message>
    <message>
        <source>A fault of this program</source>
        <translation>Ein Fehler dieses Programms</translation>
    </message>
    <message>
        <source>It is tried again by itself. Check the server&apos;s address, the network and any proxy.</source>
        <translation>Es wird von selbst erneut versucht. Prüfen Sie die Adresse des Servers, das Netz und einen etwaigen Proxy.</translation>
    </message>
    <message>
        <source>Check certificate-authority in the kubeconfig entry and the server&apos;s certificate.</source>
        <translation>Prüfen Sie certificate-authority im Eintrag der Kubeconfig und das Zertifikat des Servers.</translation>
    </message>
    <message>
        <source>Log in again, or renew the token or certificate of the kubeconfig user.</source>
        <translation>Melden Sie sich neu an, oder erneuern Sie Token oder Zertifikat des Kubeconfig-Benutzers.</translation>
    </message>
    <message>
        <source>Ask for the right, or choose a namespace that you may read.</source>
        <translation>Bitten Sie um das Recht, oder wählen Sie einen Namespace, den Sie lesen dürfen.</translation>
    </message>
    <message>
        <source>Check that the address is a Kubernetes API server and not a proxy or a web page.</source>
        <translation>Prüfen Sie, dass unter der Adresse ein Kubernetes-API-Server antwortet und nicht ein Proxy oder eine Webseite.</translation>
    </message>
    <message>
        <source>Mend the entry named above, then choose the context again.</source>
        <translation>Berichtigen Sie den oben genannten Eintrag und wählen Sie den Kontext dann erneut.</translation>
    </message>
    <message>
        <source>Connecting</source>
        <translation>Verbindet</translation>
    </message>
    <message>
        <source>Connected</source>
        <translation>Verbunden</translation>
    </message>
    <message>
        <source>Connected, Kubernetes %1</source>
        <translation>Verbunden, Kubernetes %1</translation>
    </message>
    <message>
        <source>Not connected</source>
        <translation>Nicht verbunden</translation>
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
    <name>alidade::ui::CommandPalette</name>
    <message>
        <source>Commands</source>
        <translation>Befehle</translation>
    </message>
    <message>
        <source>Go to a kind or namespace, or run a command</source>
        <translation>Zu einer Art oder einem Namespace gehen, oder einen Befehl ausführen</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <source>Matching commands</source>
        <translation>Passende Befehle</translation>
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
<context>
    <name>alidade::ui::DetailsPane</name>
    <message>
        <source>Relations</source>
        <translation>Beziehungen</translation>
    </message>
    <message>
        <source>Events</source>
        <translation>Ereignisse</translation>
    </message>
    <message>
        <source>Overview</source>
        <translation>Überblick</translation>
    </message>
    <message>
        <source>YAML</source>
        <translation>YAML</translation>
    </message>
    <message>
        <source>Logs</source>
        <translation>Logs</translation>
    </message>
    <message>
        <source>Evidence</source>
        <translation>Beleg</translation>
    </message>
    <message>
        <source>Evidence as it was read</source>
        <translation>Der Beleg, wie er gelesen wurde</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>Einzelheiten</translation>
    </message>
    <message>
        <source>Close the details</source>
        <translation>Einzelheiten schließen</translation>
    </message>
    <message>
        <source>No events about this object</source>
        <translation>Keine Ereignisse zu diesem Objekt</translation>
    </message>
    <message>
        <source>Reading events</source>
        <translation>Ereignisse werden gelesen</translation>
    </message>
    <message>
        <source>The server keeps events for about an hour.</source>
        <translation>Der Server behält Ereignisse etwa eine Stunde lang.</translation>
    </message>
    <message>
        <source>Logs belong to pods</source>
        <translation>Logs gehören zu Pods</translation>
    </message>
    <message>
        <source>Deleted. What you see is its last known state.</source>
        <translation>Gelöscht. Zu sehen ist der letzte bekannte Zustand.</translation>
    </message>
    <message>
        <source>This object is not there any more.</source>
        <translation>Dieses Objekt gibt es nicht mehr.</translation>
    </message>
    <message>
        <source>Replaced: the object you asked for is gone; this one has its name and was created later.</source>
        <translation>Ersetzt: Das gesuchte Objekt gibt es nicht mehr; dieses trägt seinen Namen und wurde später angelegt.</translation>
    </message>
    <message>
        <source>Evidence %1</source>
        <translation>Beleg %1</translation>
    </message>
    <message>
        <source>%1, read at %2</source>
        <translation>%1, gelesen um %2</translation>
    </message>
    <message>
        <source>(cut: more was read than is kept)</source>
        <translation>(gekürzt: gelesen wurde mehr, als aufbewahrt wird)</translation>
    </message>
    <message>
        <source>As it was read: %1</source>
        <translation>Wie gelesen: %1</translation>
    </message>
    <message>
        <source>No longer on the server.</source>
        <translation>Nicht mehr auf dem Server.</translation>
    </message>
    <message>
        <source>The field is no longer there.</source>
        <translation>Das Feld gibt es nicht mehr.</translation>
    </message>
    <message>
        <source>The event is no longer on the server.</source>
        <translation>Das Ereignis ist nicht mehr auf dem Server.</translation>
    </message>
</context>
<context>
    <name>alidade::ui::DiagnosisCard</name>
    <message>
        <source>Diagnosis</source>
        <translation>Diagnose</translation>
    </message>
    <message>
        <source>The run ended before there was a diagnosis.</source>
        <translation>Der Lauf endete, bevor es eine Diagnose gab.</translation>
    </message>
    <message>
        <source>by the built-in analyst</source>
        <translation>vom eingebauten Analysten</translation>
    </message>
    <message>
        <source>by %1</source>
        <translation>von %1</translation>
    </message>
    <message>
        <source>Not independently reviewed</source>
        <translation>Nicht unabhängig geprüft</translation>
    </message>
    <message numerus="yes">
        <source>and %n more claim(s)</source>
        <translation>
            <numerusform>und %n weitere Aussage</numerusform>
            <numerusform>und %n weitere Aussagen</numerusform>
        </translation>
    </message>
    <message>
        <source>Suspect</source>
        <translation>Verdächtig</translation>
    </message>
    <message>
        <source>Open %1</source>
        <translation>%1 öffnen</translation>
    </message>
    <message>
        <source>revision %1</source>
        <translation>Revision %1</translation>
    </message>
    <message>
        <source>Open %1, suspected since revision %2</source>
        <translation>%1 öffnen, verdächtig seit Revision %2</translation>
    </message>
    <message>
        <source>“%1”</source>
        <translation>„%1“</translation>
    </message>
    <message>
        <source>Open evidence %1</source>
        <translation>Beleg %1 öffnen</translation>
    </message>
    <message>
        <source>Open evidence %1: %2</source>
        <translation>Beleg %1 öffnen: %2</translation>
    </message>
    <message>
        <source>no evidence</source>
        <translation>kein Beleg</translation>
    </message>
    <message numerus="yes">
        <source>%n alternative(s) considered</source>
        <translation>
            <numerusform>%n Alternative erwogen</numerusform>
            <numerusform>%n Alternativen erwogen</numerusform>
        </translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Not read: %1 (%2)</source>
        <translation>Nicht gelesen: %1 (%2)</translation>
    </message>
    <message numerus="yes">
        <source>and %n more source(s) not read</source>
        <translation>
            <numerusform>und %n weitere Quelle nicht gelesen</numerusform>
            <numerusform>und %n weitere Quellen nicht gelesen</numerusform>
        </translation>
    </message>
    <message>
        <source>Comes as soon as the cluster has been read.</source>
        <translation>Kommt, sobald der Cluster gelesen ist.</translation>
    </message>
</context>
<context>
    <name>alidade::ui::EmptyState</name>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
</context>
<context>
    <name>alidade::ui::HeaderStrip</name>
    <message>
        <source>Commands (Ctrl+K)</source>
        <translation>Befehle (Strg+K)</translation>
    </message>
    <message>
        <source>Header</source>
        <translation>Kopfzeile</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>Kontext</translation>
    </message>
    <message>
        <source>Namespace</source>
        <translation>Namespace</translation>
    </message>
    <message>
        <source>Filter:  text   !not   /regex/   ~fuzzy   -l app=web</source>
        <translation>Filter:  Text   !nicht   /Regex/   ~ungefähr   -l app=web</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>Filter</translation>
    </message>
    <message>
        <source>TLS OFF</source>
        <translation>TLS AUS</translation>
    </message>
    <message>
        <source>The server&apos;s certificate is not checked: anyone on the way can read and change what you see.</source>
        <translation>Das Zertifikat des Servers wird nicht geprüft: Jeder auf dem Weg kann mitlesen und verändern.</translation>
    </message>
    <message>
        <source>READ-ONLY</source>
        <translation>NUR LESEN</translation>
    </message>
    <message>
        <source>PROTECTED</source>
        <translation>GESCHÜTZT</translation>
    </message>
    <message>
        <source>A protected context: every change asks for its name.</source>
        <translation>Ein geschützter Kontext: Jede Änderung fragt nach seinem Namen.</translation>
    </message>
    <message>
        <source>Refuses every write while it is on</source>
        <translation>Verweigert jede Änderung, solange sie angezogen ist</translation>
    </message>
    <message>
        <source>All namespaces</source>
        <translation>Alle Namespaces</translation>
    </message>
    <message>
        <source>Other namespace…</source>
        <translation>Anderer Namespace …</translation>
    </message>
    <message>
        <source>BRAKE ON</source>
        <translation>BREMSE AN</translation>
    </message>
    <message>
        <source>Brake</source>
        <translation>Bremse</translation>
    </message>
    <message>
        <source>Brake, on: all writes are refused</source>
        <translation>Bremse, angezogen: Jede Änderung wird verweigert</translation>
    </message>
    <message>
        <source>Brake, off</source>
        <translation>Bremse, gelöst</translation>
    </message>
</context>
<context>
    <name>alidade::ui::IncidentDock</name>
    <message>
        <source>No incident is open</source>
        <translation>Kein Vorfall ist offen</translation>
    </message>
    <message>
        <source>Triage reads the namespace, says what is wrong and on which evidence, and asks before it changes anything.</source>
        <translation>Die Triage liest den Namespace, sagt, was nicht stimmt und welche Belege das stützen, und fragt vor jeder Änderung.</translation>
    </message>
    <message>
        <source>Start triage</source>
        <translation>Triage beginnen</translation>
    </message>
    <message>
        <source>Triage cannot be started now.</source>
        <translation>Die Triage kann jetzt nicht gestartet werden.</translation>
    </message>
    <message>
        <source>since %1</source>
        <translation>seit %1</translation>
    </message>
    <message>
        <source>%1, since %2</source>
        <translation>%1, seit %2</translation>
    </message>
    <message>
        <source>Start a new triage</source>
        <translation>Neue Triage starten</translation>
    </message>
    <message>
        <source>Incident</source>
        <translation>Vorfall</translation>
    </message>
    <message>
        <source>New triage</source>
        <translation>Neue Triage</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Cancel the triage</source>
        <translation>Triage abbrechen</translation>
    </message>
    <message>
        <source>Cancel the triage; a change that was approved is not cut</source>
        <translation>Triage abbrechen; eine freigegebene Änderung wird nicht unterbrochen</translation>
    </message>
    <message>
        <source>Diagnosis and signal</source>
        <translation>Diagnose und Signal</translation>
    </message>
    <message>
        <source>Scroll the diagnosis</source>
        <translation>Diagnose scrollen</translation>
    </message>
    <message>
        <source>Scroll the diagnosis sideways</source>
        <translation>Diagnose seitwärts scrollen</translation>
    </message>
</context>
<context>
    <name>alidade::ui::RelationsView</name>
    <message>
        <source>Read the relations again</source>
        <translation>Beziehungen neu lesen</translation>
    </message>
    <message>
        <source>Relations</source>
        <translation>Beziehungen</translation>
    </message>
    <message>
        <source>Reading the relations</source>
        <translation>Liest die Beziehungen</translation>
    </message>
    <message>
        <source>Several kinds are listed for it.</source>
        <translation>Dafür werden mehrere Arten gelesen.</translation>
    </message>
    <message>
        <source>Read again</source>
        <translation>Neu lesen</translation>
    </message>
    <message>
        <source>Read at %1</source>
        <translation>Gelesen um %1</translation>
    </message>
    <message>
        <source>Not all is known: %1 could not be read.</source>
        <translation>Nicht alles ist bekannt: %1 nicht lesbar.</translation>
    </message>
    <message>
        <source>No relations were found</source>
        <translation>Keine Beziehungen gefunden</translation>
    </message>
    <message>
        <source>Nothing that was read names this object, and it names nothing.</source>
        <translation>Nichts Gelesenes nennt dieses Objekt, und es nennt nichts.</translation>
    </message>
</context>
<context>
    <name>alidade::ui::LogView</name>
    <message>
        <source>Log</source>
        <translation>Log</translation>
    </message>
    <message>
        <source>Time stamps</source>
        <translation>Zeitstempel</translation>
    </message>
    <message>
        <source>Log of the previous run of the container</source>
        <translation>Log des vorigen Laufs des Containers</translation>
    </message>
    <message>
        <source>Follow the newest line</source>
        <translation>Der neuesten Zeile folgen</translation>
    </message>
    <message>
        <source>Wrap long lines</source>
        <translation>Lange Zeilen umbrechen</translation>
    </message>
    <message>
        <source>Show time stamps</source>
        <translation>Zeitstempel zeigen</translation>
    </message>
    <message>
        <source>Container</source>
        <translation>Container</translation>
    </message>
    <message>
        <source>Search the log</source>
        <translation>Im Log suchen</translation>
    </message>
    <message>
        <source>Previous match</source>
        <translation>Voriger Treffer</translation>
    </message>
    <message>
        <source>Next match</source>
        <translation>Nächster Treffer</translation>
    </message>
    <message>
        <source>Reading</source>
        <translation>Wird gelesen</translation>
    </message>
    <message>
        <source>— the container was started again —</source>
        <translation>— Der Container wurde neu gestartet —</translation>
    </message>
    <message>
        <source>— connection renewed —</source>
        <translation>— Verbindung erneuert —</translation>
    </message>
    <message numerus="yes">
        <source>%n line(s)</source>
        <translation>
            <numerusform>%n Zeile</numerusform>
            <numerusform>%n Zeilen</numerusform>
        </translation>
    </message>
    <message>
        <source>%1; %2 older ones dropped</source>
        <translation>%1; %2 ältere verworfen</translation>
    </message>
    <message>
        <source>The log is empty</source>
        <translation>Das Log ist leer</translation>
    </message>
    <message>
        <source>%1, ended</source>
        <translation>%1, beendet</translation>
    </message>
    <message>
        <source>%1, following</source>
        <translation>%1, wird verfolgt</translation>
    </message>
    <message>
        <source>No longer on the server. As it was read: %1</source>
        <translation>Nicht mehr auf dem Server. Wie gelesen: %1</translation>
    </message>
    <message>
        <source>“%1” is not in these lines</source>
        <translation>„%1“ steht nicht in diesen Zeilen</translation>
    </message>
</context>
<context>
    <name>alidade::ui::MainWindow</name>
    <message>
        <source>Details: relations</source>
        <translation>Einzelheiten: Beziehungen</translation>
    </message>
    <message>
        <source>Relations</source>
        <translation>Beziehungen</translation>
    </message>
    <message>
        <source>The settings say read-only.</source>
        <translation>Laut Einstellungen nur Lesen.</translation>
    </message>
    <message>
        <source>Navigator</source>
        <translation>Navigator</translation>
    </message>
    <message>
        <source>Incident</source>
        <translation>Vorfall</translation>
    </message>
    <message>
        <source>Activity</source>
        <translation>Aktivität</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>This connection has no write desk.</source>
        <translation>Diese Verbindung kann nicht schreiben.</translation>
    </message>
    <message>
        <source>all namespaces</source>
        <translation>alle Namespaces</translation>
    </message>
    <message>
        <source>BRAKE</source>
        <translation>BREMSE</translation>
    </message>
    <message>
        <source>TLS OFF</source>
        <translation>TLS AUS</translation>
    </message>
    <message>
        <source>Writes are disabled: the audit record cannot be written: %1</source>
        <translation>Änderungen sind gesperrt: Das Protokoll kann nicht geschrieben werden: %1</translation>
    </message>
    <message>
        <source>Alidade</source>
        <translation>Alidade</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>Befehle</translation>
    </message>
    <message>
        <source>Filter the table</source>
        <translation>Tabelle filtern</translation>
    </message>
    <message>
        <source>Show trouble</source>
        <translation>Störungen zeigen</translation>
    </message>
    <message>
        <source>Start triage</source>
        <translation>Triage beginnen</translation>
    </message>
    <message>
        <source>Review the proposal</source>
        <translation>Vorschlag prüfen</translation>
    </message>
    <message>
        <source>Details: overview</source>
        <translation>Einzelheiten: Überblick</translation>
    </message>
    <message>
        <source>Details: YAML</source>
        <translation>Einzelheiten: YAML</translation>
    </message>
    <message>
        <source>Details: events</source>
        <translation>Einzelheiten: Ereignisse</translation>
    </message>
    <message>
        <source>Details: logs</source>
        <translation>Einzelheiten: Logs</translation>
    </message>
    <message>
        <source>Brake on or off</source>
        <translation>Bremse anziehen oder lösen</translation>
    </message>
    <message>
        <source>Reconnect</source>
        <translation>Neu verbinden</translation>
    </message>
    <message>
        <source>Light theme</source>
        <translation>Helles Aussehen</translation>
    </message>
    <message>
        <source>Dark theme</source>
        <translation>Dunkles Aussehen</translation>
    </message>
    <message>
        <source>High-contrast theme</source>
        <translation>Hoher Kontrast</translation>
    </message>
    <message>
        <source>Keyboard</source>
        <translation>Tastatur</translation>
    </message>
    <message>
        <source>Action</source>
        <translation>Aktion</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Namespace</source>
        <translation>Namespace</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>Kontext</translation>
    </message>
    <message>
        <source>One step back: filter, details, kind</source>
        <translation>Ein Schritt zurück: Filter, Einzelheiten, Art</translation>
    </message>
    <message>
        <source>Open the selected object</source>
        <translation>Gewähltes Objekt öffnen</translation>
    </message>
    <message>
        <source>Copy the selected rows</source>
        <translation>Gewählte Zeilen kopieren</translation>
    </message>
    <message>
        <source>Namespaces cannot be listed here. Name of the namespace:</source>
        <translation>Namespaces lassen sich hier nicht auflisten. Name des Namespace:</translation>
    </message>
    <message>
        <source>Not a namespace name: %1</source>
        <translation>Kein Name eines Namespace: %1</translation>
    </message>
    <message>
        <source>The brake is on.</source>
        <translation>Die Bremse ist angezogen.</translation>
    </message>
    <message>
        <source>The audit record cannot be written.</source>
        <translation>Das Protokoll kann nicht geschrieben werden.</translation>
    </message>
    <message>
        <source>Logs</source>
        <translation>Logs</translation>
    </message>
    <message>
        <source>Roll back…</source>
        <translation>Zurückrollen …</translation>
    </message>
    <message>
        <source>Scale…</source>
        <translation>Skalieren …</translation>
    </message>
    <message>
        <source>Restart…</source>
        <translation>Neu starten …</translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation>Löschen …</translation>
    </message>
    <message>
        <source>Copy the row</source>
        <translation>Zeile kopieren</translation>
    </message>
    <message>
        <source>Copy the name</source>
        <translation>Namen kopieren</translation>
    </message>
    <message>
        <source>Copy as kubectl</source>
        <translation>Als kubectl kopieren</translation>
    </message>
    <message>
        <source>The brake is on: every write is refused.</source>
        <translation>Die Bremse ist angezogen: Jede Änderung wird verweigert.</translation>
    </message>
    <message>
        <source>The brake is off.</source>
        <translation>Die Bremse ist gelöst.</translation>
    </message>
    <message>
        <source>Namespace %1</source>
        <translation>Namespace %1</translation>
    </message>
    <message>
        <source>The run could not be started: too many are under way.</source>
        <translation>Der Lauf konnte nicht beginnen: Zu viele sind im Gange.</translation>
    </message>
    <message>
        <source>No cluster is connected.</source>
        <translation>Kein Cluster ist verbunden.</translation>
    </message>
    <message>
        <source>Runs are not available here.</source>
        <translation>Läufe sind hier nicht verfügbar.</translation>
    </message>
    <message numerus="yes">
        <source>%n object(s) in trouble in %1</source>
        <translation>
            <numerusform>%n Objekt gestört in %1</numerusform>
            <numerusform>%n Objekte gestört in %1</numerusform>
        </translation>
    </message>
    <message>
        <source>The change was carried out.</source>
        <translation>Die Änderung wurde ausgeführt.</translation>
    </message>
    <message>
        <source>Close the window</source>
        <translation>Fenster schließen</translation>
    </message>
    <message>
        <source>No context is chosen</source>
        <translation>Kein Kontext ist gewählt</translation>
    </message>
    <message>
        <source>Or choose one above.</source>
        <translation>Oder oben einen wählen.</translation>
    </message>
</context>
<context>
    <name>alidade::ui::NavigatorView</name>
    <message>
        <source>Navigator</source>
        <translation>Navigator</translation>
    </message>
</context>
<context>
    <name>alidade::ui::OutcomeBanner</name>
    <message>
        <source>Outcome: %1</source>
        <translation>Ergebnis: %1</translation>
    </message>
    <message>
        <source>Outcome: %1. %2</source>
        <translation>Ergebnis: %1. %2</translation>
    </message>
</context>
<context>
    <name>alidade::ui::OverviewView</name>
    <message>
        <source>Overview</source>
        <translation>Überblick</translation>
    </message>
    <message>
        <source>Being deleted</source>
        <translation>Wird gelöscht</translation>
    </message>
    <message>
        <source>PROTECTED by annotation: runs may not change it</source>
        <translation>GESCHÜTZT durch Annotation: Läufe dürfen es nicht ändern</translation>
    </message>
    <message>
        <source>Owned by</source>
        <translation>Gehört zu</translation>
    </message>
    <message>
        <source>Open %1 %2</source>
        <translation>%1 %2 öffnen</translation>
    </message>
    <message>
        <source>Facts</source>
        <translation>Fakten</translation>
    </message>
    <message>
        <source>Labels</source>
        <translation>Labels</translation>
    </message>
    <message>
        <source>Annotations</source>
        <translation>Annotationen</translation>
    </message>
    <message>
        <source>Conditions</source>
        <translation>Bedingungen</translation>
    </message>
    <message>
        <source>%1 since %2</source>
        <translation>%1 seit %2</translation>
    </message>
    <message>
        <source>Containers</source>
        <translation>Container</translation>
    </message>
    <message>
        <source>%1 (init)</source>
        <translation>%1 (Init)</translation>
    </message>
    <message>
        <source>Log of container %1</source>
        <translation>Log des Containers %1</translation>
    </message>
    <message>
        <source>Open the log</source>
        <translation>Log öffnen</translation>
    </message>
    <message numerus="yes">
        <source>%n restart(s)</source>
        <translation>
            <numerusform>%n Neustart</numerusform>
            <numerusform>%n Neustarts</numerusform>
        </translation>
    </message>
    <message>
        <source>before: %1</source>
        <translation>zuvor: %1</translation>
    </message>
    <message numerus="yes">
        <source>%n character(s); see the YAML</source>
        <translation>
            <numerusform>%n Zeichen; siehe YAML</numerusform>
            <numerusform>%n Zeichen; siehe YAML</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>alidade::ui::PlanPanel</name>
    <message>
        <source>Review and approve…</source>
        <translation>Prüfen und freigeben …</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>Plan</translation>
    </message>
    <message>
        <source>Opens the proposal with its difference and impact. Nothing is approved by this button.</source>
        <translation>Öffnet den Vorschlag mit Unterschied und Auswirkung. Dieser Knopf gibt nichts frei.</translation>
    </message>
    <message>
        <source>%1, reaching beyond one object</source>
        <translation>%1, reicht über ein Objekt hinaus</translation>
    </message>
    <message numerus="yes">
        <source>%1, and %n more</source>
        <translation>
            <numerusform>%1 und %n weiteres</numerusform>
            <numerusform>%1 und %n weitere</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>alidade::ui::RollbackDialog</name>
    <message>
        <source>Reading the revisions</source>
        <translation>Revisionen werden gelesen</translation>
    </message>
    <message>
        <source>Roll back</source>
        <translation>Zurückrollen</translation>
    </message>
    <message>
        <source>Revisions</source>
        <translation>Revisionen</translation>
    </message>
    <message>
        <source>Review…</source>
        <translation>Prüfen …</translation>
    </message>
    <message>
        <source>Roll back %1</source>
        <translation>%1 zurückrollen</translation>
    </message>
    <message>
        <source>Revision %1  ·  %2</source>
        <translation>Revision %1  ·  %2</translation>
    </message>
    <message>
        <source>current</source>
        <translation>aktuell</translation>
    </message>
    <message>
        <source>There is no earlier revision to go back to.</source>
        <translation>Es gibt keine frühere Revision.</translation>
    </message>
    <message>
        <source>Its pod template is restored exactly.</source>
        <translation>Ihre Pod-Vorlage wird genau wiederhergestellt.</translation>
    </message>
    <message>
        <source>There may be more: not everything could be read.</source>
        <translation>Vielleicht gibt es mehr: Nicht alles ließ sich lesen.</translation>
    </message>
</context>
<context>
    <name>alidade::ui::ScaleDialog</name>
    <message>
        <source>Scale</source>
        <translation>Skalieren</translation>
    </message>
    <message>
        <source>Replicas</source>
        <translation>Replikate</translation>
    </message>
    <message>
        <source>&amp;Replicas</source>
        <translation>&amp;Replikate</translation>
    </message>
    <message>
        <source>Review…</source>
        <translation>Prüfen …</translation>
    </message>
    <message>
        <source>Scale %1</source>
        <translation>%1 skalieren</translation>
    </message>
    <message>
        <source>Reading the object</source>
        <translation>Liest das Objekt</translation>
    </message>
    <message>
        <source>The object does not say how many replicas it asks for.</source>
        <translation>Das Objekt sagt nicht, wie viele Replikate es verlangt.</translation>
    </message>
    <message numerus="yes">
        <source>%n replica(s) are asked for now.</source>
        <translation>
            <numerusform>Zurzeit wird %n Replikat verlangt.</numerusform>
            <numerusform>Zurzeit werden %n Replikate verlangt.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>alidade::ui::ShortcutList</name>
    <message>
        <source>Keyboard</source>
        <translation>Tastatur</translation>
    </message>
    <message>
        <source>Search the keys</source>
        <translation>Tasten suchen</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>Taste</translation>
    </message>
    <message>
        <source>What it does</source>
        <translation>Was sie tut</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>Spalten</translation>
    </message>
</context>
<context>
    <name>alidade::ui::SignalStrip</name>
    <message>
        <source>%.0f min</source>
        <translation>%.0f min</translation>
    </message>
    <message>
        <source>%.0f s</source>
        <translation>%.0f s</translation>
    </message>
    <message>
        <source>ready %1 %</source>
        <translation>bereit %1 %</translation>
    </message>
    <message numerus="yes">
        <source>%n restart(s)</source>
        <translation>
            <numerusform>%n Neustart</numerusform>
            <numerusform>%n Neustarts</numerusform>
        </translation>
    </message>
    <message>
        <source>change executed</source>
        <translation>Änderung ausgeführt</translation>
    </message>
    <message>
        <source>Signal: %1, %2</source>
        <translation>Signal: %1, %2</translation>
    </message>
    <message>
        <source>%1, read at %2. Ready counts pods of the current revision only.</source>
        <translation>%1, gelesen um %2. Bereit zählt nur Pods der aktuellen Revision.</translation>
    </message>
    <message>
        <source>Chart</source>
        <translation>Diagramm</translation>
    </message>
</context>
<context>
    <name>alidade::ui::StageRail</name>
    <message>
        <source>not yet</source>
        <translation>noch nicht</translation>
    </message>
    <message>
        <source>waits for you</source>
        <translation>wartet auf Freigabe</translation>
    </message>
    <message>
        <source>now</source>
        <translation>jetzt</translation>
    </message>
    <message>
        <source>done</source>
        <translation>fertig</translation>
    </message>
    <message>
        <source>blocked</source>
        <translation>gesperrt</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>fehlgeschlagen</translation>
    </message>
    <message>
        <source>skipped</source>
        <translation>übersprungen</translation>
    </message>
    <message>
        <source>Stages: %1</source>
        <translation>Stufen: %1</translation>
    </message>
    <message>
        <source>%1: %2, %3</source>
        <translation>%1: %2, %3</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Ended before the first step</source>
        <translation>Vor dem ersten Schritt beendet</translation>
    </message>
    <message>
        <source>About to start</source>
        <translation>Startet gleich</translation>
    </message>
    <message>
        <source>Ended at %1</source>
        <translation>Beendet bei %1</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
</context>
<context>
    <name>alidade::ui::TablePane</name>
    <message>
        <source>all namespaces</source>
        <translation>alle Namespaces</translation>
    </message>
    <message>
        <source>cluster-wide</source>
        <translation>clusterweit</translation>
    </message>
    <message>
        <source>Trouble</source>
        <translation>Störungen</translation>
    </message>
    <message numerus="yes">
        <source>%n object(s)</source>
        <translation>
            <numerusform>%n Objekt</numerusform>
            <numerusform>%n Objekte</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2 match</source>
        <translation>%1 von %2 passen</translation>
    </message>
    <message>
        <source>May be more: %1 cannot be watched</source>
        <translation>Vielleicht mehr: %1 lassen sich nicht beobachten</translation>
    </message>
    <message>
        <source>You may not list what trouble is found in</source>
        <translation>Worin Störungen gefunden werden, darf hier nicht gelesen werden</translation>
    </message>
    <message>
        <source>You may not list %1 here</source>
        <translation>%1 dürfen hier nicht gelesen werden</translation>
    </message>
    <message>
        <source>Reading %1</source>
        <translation>%1 werden gelesen</translation>
    </message>
    <message>
        <source>Nothing matches the filter</source>
        <translation>Nichts passt zum Filter</translation>
    </message>
    <message numerus="yes">
        <source>%n object(s) are hidden by it.</source>
        <translation>
            <numerusform>%n Objekt wird verborgen.</numerusform>
            <numerusform>%n Objekte werden verborgen.</numerusform>
        </translation>
    </message>
    <message>
        <source>Clear the filter</source>
        <translation>Filter leeren</translation>
    </message>
    <message>
        <source>Nothing is in trouble</source>
        <translation>Nichts ist gestört</translation>
    </message>
    <message>
        <source>Nodes, workloads, pods and volume claims in view are as they should be.</source>
        <translation>Nodes, Workloads, Pods und Volume-Claims im Blick sind, wie sie sein sollen.</translation>
    </message>
    <message>
        <source>The server answered with an empty list, and is being watched.</source>
        <translation>Der Server hat mit einer leeren Liste geantwortet und wird beobachtet.</translation>
    </message>
    <message>
        <source>There are no %1 in this cluster</source>
        <translation>In diesem Cluster gibt es keine %1</translation>
    </message>
    <message>
        <source>There are no %1 in any namespace</source>
        <translation>In keinem Namespace gibt es %1</translation>
    </message>
    <message>
        <source>There are no %1 in %2</source>
        <translation>In %2 gibt es keine %1</translation>
    </message>
    <message>
        <source>Nothing is in trouble in what can be read</source>
        <translation>Nichts ist gestört in dem, was gelesen werden kann</translation>
    </message>
</context>
<context>
    <name>alidade::ui::TableView</name>
    <message>
        <source>Objects</source>
        <translation>Objekte</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>Spalten</translation>
    </message>
</context>
<context>
    <name>alidade::ui::TimelineDelegate</name>
    <message>
        <source>Not independently reviewed</source>
        <translation>Nicht unabhängig geprüft</translation>
    </message>
    <message>
        <source>%1
%2, step %3</source>
        <translation>%1
%2, Schritt %3</translation>
    </message>
    <message>
        <source>took %1</source>
        <translation>dauerte %1</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <comment>checks passed</comment>
        <translation>%1 von %2</translation>
    </message>
</context>
<context>
    <name>alidade::ui::TimelineList</name>
    <message>
        <source>Timeline of the run</source>
        <translation>Zeitleiste des Laufs</translation>
    </message>
    <message>
        <source>Scroll the timeline</source>
        <translation>Zeitleiste scrollen</translation>
    </message>
    <message>
        <source>Scroll the timeline sideways</source>
        <translation>Zeitleiste seitwärts scrollen</translation>
    </message>
    <message>
        <source>Newest</source>
        <translation>Neueste</translation>
    </message>
    <message>
        <source>Go to the newest event</source>
        <translation>Zum neuesten Ereignis</translation>
    </message>
    <message>
        <source>Go to the newest event and follow</source>
        <translation>Zum neuesten Ereignis und folgen</translation>
    </message>
    <message>
        <source>Event</source>
        <translation>Ereignis</translation>
    </message>
    <message>
        <source>Copy event</source>
        <translation>Ereignis kopieren</translation>
    </message>
    <message>
        <source>Close details</source>
        <translation>Details schließen</translation>
    </message>
    <message>
        <source>Open details</source>
        <translation>Details öffnen</translation>
    </message>
    <message>
        <source>Open evidence %1</source>
        <translation>Beleg %1 öffnen</translation>
    </message>
</context>
<context>
    <name>alidade::ui::TimelineView</name>
    <message>
        <source>Show events of kind</source>
        <translation>Ereignisse der Art anzeigen</translation>
    </message>
    <message>
        <source>Show events of one kind only</source>
        <translation>Nur Ereignisse einer Art anzeigen</translation>
    </message>
    <message>
        <source>All kinds</source>
        <translation>Alle Arten</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>Zeitleiste</translation>
    </message>
    <message numerus="yes">
        <source>%n event(s)</source>
        <translation>
            <numerusform>%n Ereignis</numerusform>
            <numerusform>%n Ereignisse</numerusform>
        </translation>
    </message>
    <message>
        <source>No event of this kind in this run</source>
        <translation>Kein Ereignis dieser Art in diesem Lauf</translation>
    </message>
    <message>
        <source>No event yet</source>
        <translation>Noch kein Ereignis</translation>
    </message>
</context>
<context>
    <name>alidade::ui::YamlView</name>
    <message>
        <source>YAML</source>
        <translation>YAML</translation>
    </message>
    <message>
        <source>Search the YAML</source>
        <translation>Im YAML suchen</translation>
    </message>
    <message>
        <source>Previous match</source>
        <translation>Voriger Treffer</translation>
    </message>
    <message>
        <source>Next match</source>
        <translation>Nächster Treffer</translation>
    </message>
</context>
</TS>
