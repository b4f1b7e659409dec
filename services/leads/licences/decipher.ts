import { Fault, invalid } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import type { Call, Output } from '@gatehouse/proto/declaring/resource.ts'
import { deciphered, isCiphered } from '@gatehouse/proto/formats/ciphered-codes.ts'
import type { Dependencies } from '../dependencies.ts'
import { authenticateExhibitor } from '../exhibitors/authenticate.ts'
import { LEADS_PAGE, type licences } from './resource.ts'

type Decipher = typeof licences.actions.decipher

/** Deciphers a code for the page for leads, which gets no key: a page can't keep the secret of a licence. */
export async function decipher(
  { apps, exhibitors, eventClient }: Dependencies,
  { params, query: { content } }: Call<Decipher>,
): Promise<Output<Decipher>> {
  const { event_id } = await authenticateExhibitor(exhibitors, params.access_token)
  if (content === undefined || !isCiphered(content)) return { content: content ?? null }
  const isLicensed = (await apps.all()).some(({ name }) => name === LEADS_PAGE)
  if (!isLicensed)
    throw new Fault('forbidden', `Ciphered codes need a licence: no app named ${LEADS_PAGE} is registered`)
  const text = deciphered(content, await eventClient.ciphering({ body: { event_id } }))
  if (text === undefined) throw invalid({ content: [messageOf('invalid_qr_code')] })
  return { content: text }
}
