import type { ScannerTexts } from './en.ts'

/** The texts of the scanner in German. */
export const de: ScannerTexts = {
  title: 'Scanner',
  opening: 'Wird geöffnet …',
  enrol_title: 'Dieses Gerät einrichten',
  enrol_text:
    'Der Veranstalter legt ein Gerät an und bekommt einen Code aus acht Zeichen. Geben Sie ihn hier ein oder scannen Sie den QR-Code mit der Kamera-App dieses Telefons.',
  code: 'Code des Geräts',
  enrol: 'Einrichten',
  enrol_wrong:
    'Dieser Code gilt nicht: Er ist vertippt, verbraucht oder älter als zehn Minuten. Fragen Sie den Veranstalter nach einem neuen.',
  enrol_slow: 'Es gab zu viele falsche Codes. Versuchen Sie es in einer Minute noch einmal.',
  enrol_away: 'Der Server antwortet nicht. Prüfen Sie das Netz und versuchen Sie es noch einmal.',
  revoked_title: 'Dieses Gerät wurde gesperrt',
  revoked_text:
    'Es kann nicht mehr scannen und hat die Gästeliste vergessen. Fragen Sie den Veranstalter nach einem neuen Code.',
  revoked_waiting:
    'Scans auf diesem Gerät, die nicht auf dem Server sind: {count}. Nichts davon ist verloren: Speichern Sie alles als Datei und geben Sie diese dem Veranstalter.',
  other_waiting:
    'Scans, die hier warten und unter einem früheren Code entstanden: {count}. Speichern Sie alles als Datei und geben Sie diese dem Veranstalter.',
  save_scans: 'Scans als Datei speichern',
  point_title: 'Wo scannen Sie?',
  point_none: 'Für dieses Gerät gibt es keinen Einlasspunkt. Fragen Sie den Veranstalter.',
  change_point: 'Einlasspunkt wechseln',
  online: 'Online',
  offline: 'Offline',
  waiting: 'Warten: {count}',
  conflicts: 'Abweichungen ({count})',
  conflicts_title: 'Der Server sagt etwas anderes',
  conflicts_text:
    'Diese Scans hat das Gerät selbst entschieden, und der Server hätte anders entschieden. Sagen Sie es dem Veranstalter.',
  conflict_in: 'Wurde hier eingelassen, aber der Server sagt: {status}',
  conflict_out: 'Wurde hier abgewiesen, darf aber hinein',
  conflict_problem: 'Ist nicht gespeichert: {problem}',
  conflict_entered: 'Vorheriger Einlass bei {point}: {time}',
  back: 'Zurück zum Scannen',
  ready: 'Bereit zum Scannen',
  camera_start: 'Kamera starten',
  camera_stop: 'Kamera anhalten',
  camera_denied:
    'Die Kamera ist nicht erlaubt. Tippen Sie auf das Zeichen neben der Adresse dieser Seite, erlauben Sie die Kamera und starten Sie sie noch einmal.',
  camera_none:
    'Es wurde keine Kamera gefunden. Schließen Sie eine an und starten Sie sie noch einmal, oder geben Sie unten den Code ein oder suchen Sie den Gast.',
  camera_busy:
    'Eine andere App oder Seite benutzt die Kamera. Schließen Sie diese und starten Sie die Kamera noch einmal.',
  insecure:
    'Die Kamera funktioniert nur auf Seiten mit https. Fragen Sie den Veranstalter nach der https-Adresse und öffnen Sie diese.',
  type_code: 'Code eintippen',
  check_in: 'Einlassen',
  search: 'Nach Namen suchen',
  search_none: 'Es wurde kein Gast gefunden.',
  search_offline: 'Die Suche braucht das Netz.',
  granted: 'Willkommen',
  unconfirmed: 'Eingelassen, noch nicht bestätigt',
  unconfirmed_text: 'Dieses Gerät weiß nichts, was dagegen spricht. Der Server hat es noch nicht bestätigt.',
  unknown: 'Unbekannter Gast',
  unknown_text: 'Kein Gast dieser Veranstaltung hat diesen Code.',
  not_authorized: 'Nicht berechtigt',
  not_authorized_text: 'Dieser Gast darf hier nicht hinein.',
  too_many: 'Schon benutzt',
  too_many_text: 'Dieser Gast war hier so oft, wie er darf.',
  refused_alone: 'So sagt es dieses Gerät. Der Server hat es noch nicht bestätigt.',
  undecided: 'Noch nicht bestätigt',
  undecided_text:
    'Der Server antwortet nicht, und dieses Gerät weiß nicht, ob dieser Gast hinein darf. Der Scan ist gespeichert und wird später gesendet.',
  unread: 'Kein Code eines Gastes',
  unread_text: 'Dies ist nicht der Code eines Gastes.',
  full: 'Nicht gescannt',
  full_text:
    'Der Speicher dieses Geräts ist voll, darum wurde nichts gescannt. Löschen Sie Fotos oder Apps und scannen Sie noch einmal.',
  problem: 'Nicht gespeichert',
  sign: '{name} unterschreiben lassen',
  sign_title: 'Unterschrift von {name}',
  sign_text: 'Geben Sie das Gerät dem Gast: Er unterschreibt hier mit Finger oder Stift.',
  sign_done: 'Fertig',
  sign_clear: 'Löschen',
  sign_cancel: 'Abbrechen',
  signed: 'Die Unterschrift ist gespeichert.',
  sign_full:
    'Der Speicher dieses Geräts ist voll, darum ist die Unterschrift nicht gespeichert. Löschen Sie Fotos oder Apps und versuchen Sie es noch einmal.',
  signatures_kept:
    'Unterschriften auf diesem Gerät, die nicht auf dem Server sind: {count}. Speichern Sie alles als Datei und geben Sie diese dem Veranstalter.',
  save_signatures: 'Unterschriften als Datei speichern',
  conflict_signature: 'Die Unterschrift ist nicht gespeichert: {problem}',
}
