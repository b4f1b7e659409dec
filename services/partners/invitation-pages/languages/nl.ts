import type { Texts } from './en.ts'

/** The texts of the pages in Dutch. */
export const nl: Texts = {
  colon: ': ',
  error: 'Fout',
  nothing: 'Deze pagina bestaat niet',
  nothing_text: 'Open de link precies zoals die in uw e-mail staat.',
  invites: '{partner} nodigt u uit.',
  answer_to: 'Beantwoord de e-mail of schrijf naar {address} om te antwoorden.',
  answer: 'Neem contact op met {partner} om te antwoorden.',
  accept: 'Accepteren',
  decline: 'Afslaan',
  accepted: 'U hebt de uitnodiging geaccepteerd.',
  declined: 'U hebt de uitnodiging afgeslagen.',
  qrcode: 'Uw QR-code',
  final: 'Het evenement is begonnen: uw antwoord kan niet meer worden gewijzigd.',
  no_answer: 'Deze uitnodiging kan hier niet worden beantwoord.',
  withdrawn: 'Deze uitnodiging is niet meer geldig.',
  unsubscribe: 'Afmelden',
  unsubscribe_text: 'U krijgt geen e-mails meer die u uitnodigen voor {title}.',
  unsubscribed: 'U hebt zich afgemeld',
  unsubscribed_text: 'Geen enkele e-mail nodigt u nog uit voor {title}.',
}
