import { maybe, optionalText, record, text } from '@gatehouse/proto/declaring/fields.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'

const limits = { maxLength: 4_096, example: 'MECARD:UID:ada1815;;' }

/** QR codes of guests, under public links, and what is in them. */
export const qrCodes = resource('badges.qr_codes', 'qr_code', {
  read: {
    route: 'GET events/:event_id/guests/:guest_id/qrcode/:secret',
    secret: 'secret',
    summary: 'The QR code of a guest; the address is the qrcode_url of the guest',
    produces: { png: 'image/png', svg: 'image/svg+xml' },
  },
  decipher: {
    route: 'GET events/:event_id/deciphered_qr_code',
    scope: 'door',
    summary:
      'What a scanned QR code says, where the event ciphers its codes; a code which is not ciphered is given back',
    query: record({ content: maybe(text(limits)) }),
    reply: record({ content: optionalText(limits) }),
  },
})
