import type { Texts } from './en.ts'

/** The texts of the pages in Italian. */
export const it: Texts = {
  colon: ': ',
  error: 'Errore',
  nothing: 'Questa pagina non esiste',
  nothing_text: 'Apra il link esattamente come si trova nella Sua e-mail.',
  invites: '{partner} La invita.',
  answer_to: 'Per rispondere, risponda all’e-mail o scriva a {address}.',
  answer: 'Per rispondere, contatti {partner}.',
  accept: 'Accetta',
  decline: 'Rifiuta',
  accepted: 'Ha accettato.',
  declined: 'Ha rifiutato.',
  qrcode: 'Il Suo codice QR',
  final: 'L’evento è iniziato: la risposta non può più essere modificata.',
  no_answer: 'Non è possibile rispondere qui a questo invito.',
  withdrawn: 'Questo invito non è più valido.',
  unsubscribe: 'Annulla l’iscrizione',
  unsubscribe_text: 'Non riceverà altre e-mail di invito a {title}.',
  unsubscribed: 'Iscrizione annullata',
  unsubscribed_text: 'Nessun’altra e-mail La inviterà a {title}.',
}
