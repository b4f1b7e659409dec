import { invalid, notFound } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import { type Handlers, handlersOf } from '@gatehouse/proto/declaring/resource.ts'
import { deciphered } from '@gatehouse/proto/formats/ciphered-codes.ts'
import type { Dependencies } from '../dependencies.ts'
import { contentOf } from './content.ts'
import { drawPng, drawSvg } from './drawing.ts'
import type { qrCodes } from './resource.ts'

/** Seconds for which a browser may cache a QR code. */
const MAX_AGE = 300

/** Returns the handlers of QR codes. They are drawn for each request. */
export function qrCodeHandlers(dependencies: Dependencies): Handlers<typeof qrCodes> {
  return handlersOf<typeof qrCodes, Dependencies>(
    {
      async read({ guests, links }, { params: { event_id, guest_id, secret }, format }) {
        if (!links.holds(secret, 'qrcode', event_id, guest_id)) throw notFound()
        const [guest, ciphering] = await Promise.all([guests.printed(event_id, guest_id), guests.ciphering(event_id)])
        if (!guest) throw notFound()
        const content = contentOf(guest, ciphering)
        return { bytes: await (format === 'svg' ? drawSvg(content) : drawPng(content)), max_age: MAX_AGE }
      },
      async decipher({ guests }, { params, query }) {
        if (query.content === undefined) return { content: null }
        const content = deciphered(query.content, await guests.ciphering(params.event_id))
        if (content === undefined) throw invalid({ content: [messageOf('invalid_qr_code')] })
        return { content }
      },
      async key({ guests }, { params, caller }) {
        const { for_devices, key, iv } = await guests.ciphering(params.event_id)
        const isGiven = for_devices && caller?.is_device === true
        return { qr_code_ciphering_key: isGiven ? key : null, qr_code_ciphering_iv: isGiven ? iv : null }
      },
    },
    dependencies,
  )
}
