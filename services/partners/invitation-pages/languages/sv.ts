import type { Texts } from './en.ts'

/** The texts of the pages in Swedish. */
export const sv: Texts = {
  colon: ': ',
  error: 'Fel',
  nothing: 'Den här sidan finns inte',
  nothing_text: 'Öppna länken precis som den står i ditt e-postmeddelande.',
  invites: '{partner} bjuder in dig.',
  answer_to: 'Svara på e-postmeddelandet eller skriv till {address} för att svara.',
  answer: 'Kontakta {partner} för att svara.',
  accept: 'Tacka ja',
  decline: 'Tacka nej',
  accepted: 'Du har tackat ja.',
  declined: 'Du har tackat nej.',
  qrcode: 'Din QR-kod',
  final: 'Evenemanget har börjat: ditt svar kan inte längre ändras.',
  no_answer: 'Den här inbjudan kan inte besvaras här.',
  withdrawn: 'Den här inbjudan gäller inte längre.',
  unsubscribe: 'Avsluta utskick',
  unsubscribe_text: 'Du får inga fler e-postmeddelanden som bjuder in dig till {title}.',
  unsubscribed: 'Du får inga fler utskick',
  unsubscribed_text: 'Inga fler e-postmeddelanden bjuder in dig till {title}.',
}
