import type { Texts } from './en.ts'

/** The texts of the pages in Spanish. */
export const es: Texts = {
  colon: ': ',
  error: 'Error',
  nothing: 'Esta página no existe',
  nothing_text: 'Abra el enlace exactamente como aparece en su correo.',
  invites: '{partner} le invita.',
  answer_to: 'Para responder, conteste al correo o escriba a {address}.',
  answer: 'Para responder, póngase en contacto con {partner}.',
  accept: 'Aceptar',
  decline: 'Rechazar',
  accepted: 'Ha aceptado.',
  declined: 'Ha rechazado la invitación.',
  qrcode: 'Su código QR',
  final: 'El evento ha comenzado: ya no puede cambiar su respuesta.',
  no_answer: 'No se puede responder aquí a esta invitación.',
  withdrawn: 'Esta invitación ya no es válida.',
  unsubscribe: 'Darse de baja',
  unsubscribe_text: 'No recibirá más correos que le inviten a {title}.',
  unsubscribed: 'Se ha dado de baja',
  unsubscribed_text: 'Ningún otro correo le invitará a {title}.',
}
