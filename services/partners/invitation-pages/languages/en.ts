/** The texts of the pages in English. Other languages must have the same keys to compile. */
export const en = {
  colon: ': ',
  error: 'Error',
  nothing: 'This page does not exist',
  nothing_text: 'Please open the link exactly as it is in your e-mail.',
  invites: '{partner} invites you.',
  answer_to: 'To answer, reply to the e-mail or write to {address}.',
  answer: 'To answer, please contact {partner}.',
  accept: 'Accept',
  decline: 'Decline',
  accepted: 'You have accepted.',
  declined: 'You have declined.',
  qrcode: 'Your QR code',
  final: 'The event has begun: your answer can no longer be changed.',
  no_answer: 'This invitation can not be answered here.',
  withdrawn: 'This invitation is no longer valid.',
  unsubscribe: 'Unsubscribe',
  unsubscribe_text: 'You will get no more e-mails which invite you to {title}.',
  unsubscribed: 'You have unsubscribed',
  unsubscribed_text: 'No more e-mails will invite you to {title}.',
}

/** The texts of the pages in one language. */
export type Texts = Record<keyof typeof en, string>
