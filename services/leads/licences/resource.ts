import { flag, optionalText, record, text } from '@gatehouse/proto/declaring/fields.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'

/** QR code licences: they let a registered app read the event's QR codes. */
export const licences = resource('leads.licenses', 'license', {
  activate: {
    route: 'PUT events/:event_id/exhibitors/:access_token/activate_license',
    bare: true,
    secret: 'access_token',
    authenticator: 'leads.exhibitors.authenticate',
    summary: 'Activate the licence of an app on an exhibitor’s device',
    maxBytes: 4096,
    body: record({
      signature: text({
        description:
          'HMAC-SHA-256 of the access token, in lowercase hexadecimal; its key is the app’s signing secret, immediately followed by the event’s id',
      }),
    }),
    reply: record({
      qr_code_ciphering_enabled: flag(),
      qr_code_ciphering_key: optionalText({
        description: 'Base 64 of the AES-256 key; null when codes are not ciphered',
      }),
      qr_code_ciphering_iv: optionalText({ description: 'Base 64 of the CBC IV; null when codes are not ciphered' }),
      app: text({ description: 'The name of the app that signed' }),
    }),
  },
})
