import { derivedId } from '@gatehouse/proto/bus/client.ts'
import { conflict } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import type { Call, Output } from '@gatehouse/proto/declaring/resource.ts'
import { languageOf } from '@gatehouse/proto/pages/languages.ts'
import { found, newTimes } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../../dependencies.ts'
import { EVERYBODY } from '../mailings/resource.ts'
import { shown } from '../mailings/shown.ts'
import { usualTexts } from '../sending/mails.ts'
import type { invitationTypes } from './resource.ts'

type Remind = (typeof invitationTypes)['actions']['remind']

/** Reminds those who have not answered, by a mailing that an invitation type has one of. */
export async function remind(
  dependencies: Dependencies,
  { params: { event_id, id } }: Call<Remind>,
): Promise<Output<Remind>> {
  const { types, mailings, eventClient } = dependencies
  const { name, subject, message, sender_name } = found(await types.get(event_id, id))
  const event = await eventClient.campaign_terms({ body: { event_id } })
  if (event.archived) throw conflict(messageOf('event_archived'))
  const usual = usualTexts(event, languageOf([], undefined, event.locale))
  const mailing = await mailings.insert({
    ...{ _id: derivedId('reminder', id), name, event_id, ...newTimes() },
    ...{
      subject: subject?.trim() ? subject : usual.subject,
      message: message?.trim() ? message : usual.message,
      sender_name,
    },
    ...{ audience: { ...EVERYBODY, invitation_type_id: id }, send_at: null, ongoing: false, closes_at: null },
  })
  const started = await mailings.start(mailing, new Date())
  if (!started) await mailings.lookAgain(mailing)
  return shown(dependencies, started ?? found(await mailings.get(event_id, mailing._id)))
}
