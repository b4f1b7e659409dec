import { LONGEST_MS } from '@gatehouse/mail/resources'
import { email, record, text } from '@gatehouse/proto/declaring/fields.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'

/** E-mails that bring guests their QR codes. */
export const qrCodeMails = resource('partners.qr_code_mails', 'qr_code_mail', {
  send: {
    route: 'POST events/:event_id/guests/:id/send_qrcode',
    summary:
      'Send a guest the QR code by e-mail, with a calendar file if the event has a date; 409 if the guest has no address or the address gets no e-mails of the event, 422 with what the mail server says if it refuses it, 503 if it does not answer',
    reply: record({ email: email(), subject: text({ maxLength: 10_000 }) }),
    longestMs: LONGEST_MS + 5_000,
  },
})
