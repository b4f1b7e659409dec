import type { Texts } from './en.ts'

/** The texts of the pages in French. */
export const fr: Texts = {
  colon: '\u00a0: ',
  error: 'Erreur',
  nothing: 'Cette page n’existe pas',
  nothing_text: 'Veuillez ouvrir le lien exactement tel qu’il figure dans votre e-mail.',
  invites: '{partner} vous invite.',
  answer_to: 'Pour répondre, répondez à l’e-mail ou écrivez à {address}.',
  answer: 'Pour répondre, veuillez contacter {partner}.',
  accept: 'Accepter',
  decline: 'Décliner',
  accepted: 'Vous avez accepté.',
  declined: 'Vous avez décliné.',
  qrcode: 'Votre code QR',
  final: 'L’événement a commencé\u00a0: votre réponse ne peut plus être modifiée.',
  no_answer: 'Il n’est pas possible de répondre ici à cette invitation.',
  withdrawn: 'Cette invitation n’est plus valable.',
  unsubscribe: 'Se désabonner',
  unsubscribe_text: 'Vous ne recevrez plus d’e-mails vous invitant à {title}.',
  unsubscribed: 'Vous êtes désabonné',
  unsubscribed_text: 'Plus aucun e-mail ne vous invitera à {title}.',
}
