import type { Texts } from './en.ts'

/** The texts of the pages in Polish. */
export const pl: Texts = {
  colon: ': ',
  error: 'Błąd',
  nothing: 'Ta strona nie istnieje',
  nothing_text: 'Proszę otworzyć link dokładnie tak, jak jest podany w e-mailu.',
  invites: '{partner} zaprasza.',
  answer_to: 'Aby odpowiedzieć, proszę odpisać na e-mail lub napisać na adres {address}.',
  answer: 'Aby odpowiedzieć, proszę skontaktować się z: {partner}.',
  accept: 'Przyjmij',
  decline: 'Odrzuć',
  accepted: 'Zaproszenie zostało przyjęte.',
  declined: 'Zaproszenie zostało odrzucone.',
  qrcode: 'Kod QR',
  final: 'Wydarzenie już się rozpoczęło: odpowiedzi nie można zmienić.',
  no_answer: 'Na to zaproszenie nie można tutaj odpowiedzieć.',
  withdrawn: 'To zaproszenie nie jest już ważne.',
  unsubscribe: 'Zrezygnuj z e-maili',
  unsubscribe_text: 'Nie będziemy już wysyłać e-maili z zaproszeniem na: {title}.',
  unsubscribed: 'Rezygnacja przyjęta',
  unsubscribed_text: 'Nie wyślemy już żadnego e-maila z zaproszeniem na: {title}.',
}
