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
      'What a scanned QR code says, where the event ciphers its codes; a code that is not ciphered is given back',
    query: record({ content: maybe(text(limits)) }),
    reply: record({ content: optionalText(limits) }),
  },
  key: {
    route: 'GET events/:event_id/qr_code_key',
    scope: 'door',
    summary:
      'The key of ciphered QR codes, for a device that may read them without a network: one of an event that has `device_qr_code_key_enabled` and ciphers. Null for others, and for all other tokens',
    reply: record({
      qr_code_ciphering_key: optionalText({ description: 'Base 64 of the AES-256 key' }),
      qr_code_ciphering_iv: optionalText({ description: 'Base 64 of the CBC IV' }),
    }),
    replyName: 'qr_code_key',
  },
})
