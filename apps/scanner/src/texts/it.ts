import type { ScannerTexts } from './en.ts'

/** The texts of the scanner in Italian. */
export const it: ScannerTexts = {
  title: 'Scanner',
  opening: 'Apertura…',
  enrol_title: 'Configura questo dispositivo',
  enrol_text:
    'L’organizzatore crea un dispositivo e riceve un codice di otto caratteri. Lo scriva qui, o scansioni il suo codice QR con la fotocamera di questo telefono.',
  code: 'Codice del dispositivo',
  enrol: 'Configura',
  enrol_wrong:
    'Questo codice non è valido: è scritto male, già usato o più vecchio di dieci minuti. Ne chieda uno nuovo all’organizzatore.',
  enrol_slow: 'Ci sono stati troppi codici sbagliati. Riprovi fra un minuto.',
  enrol_away: 'Il server non risponde. Controlli la rete e riprovi.',
  revoked_title: 'Questo dispositivo è stato revocato',
  revoked_text:
    'Non può più scansionare e ha dimenticato la lista degli ospiti. Per continuare, chieda un nuovo codice all’organizzatore.',
  revoked_waiting:
    'Scansioni su questo dispositivo che non sono sul server: {count}. Nulla è perso: salvi tutto in un file e lo dia all’organizzatore.',
  other_waiting:
    'Scansioni in attesa qui, fatte con un codice precedente: {count}. Salvi tutto in un file e lo dia all’organizzatore.',
  save_scans: 'Salva le scansioni in un file',
  point_title: 'Dove scansiona?',
  point_none: 'Non c’è un punto di accesso per questo dispositivo. Chieda all’organizzatore.',
  change_point: 'Cambia il punto di accesso',
  online: 'Online',
  offline: 'Offline',
  waiting: '{count} in attesa',
  conflicts: 'Differenze ({count})',
  conflicts_title: 'Il server dice altro',
  conflicts_text:
    'Questo dispositivo ha deciso da solo queste scansioni, e il server avrebbe deciso altrimenti. Avvisi l’organizzatore.',
  conflict_in: 'È entrato qui, ma il server dice: {status}',
  conflict_out: 'È stato respinto qui, ma può entrare',
  conflict_problem: 'Non è registrato: {problem}',
  conflict_entered: 'Ingresso precedente a {point}: {time}',
  back: 'Torna alle scansioni',
  ready: 'Pronto a scansionare',
  camera_start: 'Avvia la fotocamera',
  camera_stop: 'Ferma la fotocamera',
  camera_denied:
    'La fotocamera non è consentita. Tocchi il simbolo accanto all’indirizzo di questa pagina, consenta la fotocamera e la avvii di nuovo.',
  camera_none:
    'Nessuna fotocamera trovata. Ne colleghi una e la avvii di nuovo, oppure scriva il codice o cerchi l’ospite qui sotto.',
  camera_busy: 'Un’altra app o pagina usa la fotocamera. La chiuda, poi avvii di nuovo la fotocamera.',
  insecure: 'La fotocamera funziona solo su pagine https. Chieda l’indirizzo https all’organizzatore e lo apra.',
  type_code: 'Scrivi un codice',
  check_in: 'Registra',
  search: 'Cerca per nome',
  search_none: 'Nessun ospite trovato.',
  search_offline: 'La ricerca ha bisogno della rete.',
  granted: 'Può entrare',
  unconfirmed: 'Ingresso concesso, non ancora confermato',
  unconfirmed_text: 'Questo dispositivo non sa nulla in contrario. Il server non l’ha ancora confermato.',
  unknown: 'Ospite sconosciuto',
  unknown_text: 'Nessun ospite di questo evento ha questo codice.',
  not_authorized: 'Non autorizzato',
  not_authorized_text: 'Questo ospite non può entrare qui.',
  too_many: 'Già usato',
  too_many_text: 'Questo ospite è entrato qui tutte le volte consentite.',
  refused_alone: 'Così dice questo dispositivo. Il server non l’ha ancora confermato.',
  undecided: 'Non ancora confermato',
  undecided_text:
    'Il server non risponde, e questo dispositivo non sa se questo ospite può entrare. La scansione è conservata e sarà inviata più tardi.',
  unread: 'Non è un codice di ospite',
  unread_text: 'Questo non è il codice di un ospite.',
  full: 'Non scansionato',
  full_text:
    'La memoria di questo dispositivo è piena, quindi nulla è stato scansionato. Elimini foto o app e scansioni di nuovo.',
  problem: 'Non registrato',
  sign: 'Fai firmare {name}',
  sign_title: 'Firma di {name}',
  sign_text: 'Dia il dispositivo all’ospite, che firma qui con un dito o una penna.',
  sign_done: 'Fatto',
  sign_clear: 'Cancella',
  sign_cancel: 'Annulla',
  signed: 'La firma è salvata.',
  sign_full: 'La memoria di questo dispositivo è piena, perciò la firma non è salvata. Elimini foto o app e riprovi.',
  signatures_kept:
    'Firme su questo dispositivo che non sono sul server: {count}. Salvi tutto in un file e lo dia all’organizzatore.',
  save_signatures: 'Salva le firme in un file',
  conflict_signature: 'La firma non è registrata: {problem}',
}
