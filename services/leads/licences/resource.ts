import { flag, maybe, optionalText, record, text } from '@gatehouse/proto/declaring/fields.ts'
import { resource } from '@gatehouse/proto/declaring/resource.ts'

/** The name under which the operator registers the page for leads, as other apps that may read ciphered codes. */
export const LEADS_PAGE = 'Gatehouse Leads'

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
  decipher: {
    route: 'GET devices/:access_token/deciphered_qr_code',
    also: ['devices/deciphered_qr_code'],
    bare: true,
    secret: 'access_token',
    authenticator: 'leads.exhibitors.authenticate',
    summary: `What a ciphered QR code says, for the page for leads. 403 unless an app named ${LEADS_PAGE} is registered`,
    query: record({ content: maybe(text({ maxLength: 4_096, description: 'What was scanned' })) }),
    reply: record({
      content: optionalText({ maxLength: 4_096, description: 'A MeCard, or what was scanned if it is not ciphered' }),
    }),
  },
})
