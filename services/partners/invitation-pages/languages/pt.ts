import type { Texts } from './en.ts'

/** The texts of the pages in Portuguese. */
export const pt: Texts = {
  colon: ': ',
  error: 'Erro',
  nothing: 'Esta página não existe',
  nothing_text: 'Abra o link exatamente como está no seu e-mail.',
  invites: '{partner} convida-o.',
  answer_to: 'Para responder, responda ao e-mail ou escreva para {address}.',
  answer: 'Para responder, contacte {partner}.',
  accept: 'Aceitar',
  decline: 'Recusar',
  accepted: 'Aceitou o convite.',
  declined: 'Recusou o convite.',
  qrcode: 'O seu código QR',
  final: 'O evento já começou: a sua resposta já não pode ser alterada.',
  no_answer: 'Não é possível responder aqui a este convite.',
  withdrawn: 'Este convite já não é válido.',
  unsubscribe: 'Cancelar a subscrição',
  unsubscribe_text: 'Não receberá mais e-mails com convites para {title}.',
  unsubscribed: 'A subscrição foi cancelada',
  unsubscribed_text: 'Nenhum outro e-mail o convidará para {title}.',
}
