import { resource } from '@gatehouse/proto/declaring/resource.ts'

/** QR codes of guests, under public links. */
export const qrCodes = resource('badges.qr_codes', 'qr_code', {
  read: {
    route: 'GET events/:event_id/guests/:guest_id/qrcode/:secret',
    secret: 'secret',
    summary: 'The QR code of a guest; the address is the qrcode_url of the guest',
    produces: { png: 'image/png', svg: 'image/svg+xml' },
  },
})
