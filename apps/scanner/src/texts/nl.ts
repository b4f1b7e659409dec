import type { ScannerTexts } from './en.ts'

/** The texts of the scanner in Dutch. */
export const nl: ScannerTexts = {
  title: 'Scanner',
  opening: 'Openen…',
  enrol_title: 'Dit apparaat instellen',
  enrol_text:
    'De organisator maakt een apparaat aan en krijgt een code van acht tekens. Typ die hier, of scan de QR-code met de camera van deze telefoon.',
  code: 'Code van het apparaat',
  enrol: 'Instellen',
  enrol_wrong:
    'Deze code is niet geldig: verkeerd getypt, al gebruikt of ouder dan tien minuten. Vraag de organisator om een nieuwe.',
  enrol_slow: 'Er waren te veel foute codes. Probeer het over een minuut opnieuw.',
  enrol_away: 'De server antwoordt niet. Controleer het netwerk en probeer het opnieuw.',
  revoked_title: 'Dit apparaat is ingetrokken',
  revoked_text:
    'Het kan niet meer scannen en is de gastenlijst vergeten. Vraag de organisator om een nieuwe code om verder te gaan.',
  revoked_waiting:
    'Scans op dit apparaat die niet op de server staan: {count}. Niets is verloren: bewaar alles in een bestand en geef dat aan de organisator.',
  other_waiting:
    'Scans die hier wachten en onder een eerdere code zijn gemaakt: {count}. Bewaar alles in een bestand en geef dat aan de organisator.',
  save_scans: 'Scans in een bestand bewaren',
  point_title: 'Waar scant u?',
  point_none: 'Er is geen toegangspunt voor dit apparaat. Vraag het de organisator.',
  change_point: 'Ander toegangspunt',
  online: 'Online',
  offline: 'Offline',
  waiting: 'Wachten: {count}',
  conflicts: 'Verschillen ({count})',
  conflicts_title: 'De server zegt iets anders',
  conflicts_text:
    'Dit apparaat heeft deze scans zelf beslist, en de server had anders beslist. Meld het de organisator.',
  conflict_in: 'Is hier binnengelaten, maar de server zegt: {status}',
  conflict_out: 'Is hier geweigerd, maar mag naar binnen',
  conflict_problem: 'Is niet opgeslagen: {problem}',
  conflict_entered: 'Eerder binnengekomen bij {point}: {time}',
  back: 'Terug naar scannen',
  ready: 'Klaar om te scannen',
  camera_start: 'Camera starten',
  camera_stop: 'Camera stoppen',
  camera_denied:
    'De camera is niet toegestaan. Tik op het teken naast het adres van deze pagina, sta de camera toe en start die opnieuw.',
  camera_none:
    'Er is geen camera gevonden. Sluit er een aan en start die opnieuw, of typ hieronder de code of zoek de gast.',
  camera_busy: 'Een andere app of pagina gebruikt de camera. Sluit die en start de camera opnieuw.',
  insecure: 'De camera werkt alleen op pagina’s met https. Vraag de organisator om het https-adres en open dat.',
  type_code: 'Code typen',
  check_in: 'Inchecken',
  search: 'Zoeken op naam',
  search_none: 'Geen gast gevonden.',
  search_offline: 'Zoeken heeft het netwerk nodig.',
  granted: 'Welkom',
  unconfirmed: 'Binnengelaten, nog niet bevestigd',
  unconfirmed_text: 'Dit apparaat weet niets wat ertegen spreekt. De server heeft het nog niet bevestigd.',
  unknown: 'Onbekende gast',
  unknown_text: 'Geen gast van dit evenement heeft deze code.',
  not_authorized: 'Niet bevoegd',
  not_authorized_text: 'Deze gast mag hier niet naar binnen.',
  too_many: 'Al gebruikt',
  too_many_text: 'Deze gast is hier zo vaak geweest als mag.',
  refused_alone: 'Dat zegt dit apparaat. De server heeft het nog niet bevestigd.',
  undecided: 'Nog niet bevestigd',
  undecided_text:
    'De server antwoordt niet, en dit apparaat weet niet of deze gast naar binnen mag. De scan is bewaard en wordt later verzonden.',
  unread: 'Geen code van een gast',
  unread_text: 'Dit is niet de code van een gast.',
  full: 'Niet gescand',
  full_text: 'De opslag van dit apparaat is vol, dus er is niets gescand. Verwijder foto’s of apps en scan opnieuw.',
  problem: 'Niet opgeslagen',
  sign: '{name} laten tekenen',
  sign_title: 'Handtekening van {name}',
  sign_text: 'Geef het apparaat aan de gast, die hier met een vinger of een pen tekent.',
  sign_done: 'Klaar',
  sign_clear: 'Wissen',
  sign_cancel: 'Annuleren',
  signed: 'De handtekening is bewaard.',
  sign_full:
    'De opslag van dit apparaat is vol, dus de handtekening is niet bewaard. Verwijder foto’s of apps en probeer het opnieuw.',
  signatures_kept:
    'Handtekeningen op dit apparaat die niet op de server staan: {count}. Bewaar alles in een bestand en geef dat aan de organisator.',
  save_signatures: 'Handtekeningen in een bestand bewaren',
  conflict_signature: 'De handtekening is niet opgeslagen: {problem}',
}
