import type { Texts } from './en.ts'

/** The texts of the pages in German. */
export const de: Texts = {
  colon: ': ',
  error: 'Fehler',
  nothing: 'Diese Seite gibt es nicht',
  nothing_text: 'Bitte öffnen Sie den Link genau so, wie er in Ihrer E-Mail steht.',
  invites: '{partner} lädt Sie ein.',
  answer_to: 'Um zu antworten, antworten Sie auf die E-Mail oder schreiben Sie an {address}.',
  answer: 'Um zu antworten, wenden Sie sich bitte an {partner}.',
  accept: 'Zusagen',
  decline: 'Absagen',
  accepted: 'Sie haben zugesagt.',
  declined: 'Sie haben abgesagt.',
  qrcode: 'Ihr QR-Code',
  final: 'Die Veranstaltung hat begonnen: Ihre Antwort kann nicht mehr geändert werden.',
  no_answer: 'Diese Einladung kann hier nicht beantwortet werden.',
  withdrawn: 'Diese Einladung ist nicht mehr gültig.',
  unsubscribe: 'Abmelden',
  unsubscribe_text: 'Sie erhalten keine weiteren E-Mails, die Sie zu {title} einladen.',
  unsubscribed: 'Sie haben sich abgemeldet',
  unsubscribed_text: 'Keine weitere E-Mail lädt Sie zu {title} ein.',
}
