import { conflict } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import { type Handlers, handlersOf } from '@gatehouse/proto/declaring/resource.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { Dependencies } from '../../dependencies.ts'
import { resumeCampaign } from '../pausing/pausing.ts'
import { countAudience } from './audience.ts'
import { create } from './create.ts'
import { preview, preview_draft, preview_page } from './preview.ts'
import type { mailings } from './resource.ts'
import { test_send } from './send-test.ts'
import { shown } from './store.ts'
import { update } from './update.ts'

/** Returns the handlers of mailings. */
export function mailingHandlers(dependencies: Dependencies): Handlers<typeof mailings> {
  return handlersOf<typeof mailings, Dependencies>(
    {
      list: async ({ mailings }, { params, query }) => (await mailings.page(params.event_id, query)).map(shown),
      read: async ({ mailings }, { params }) => shown(found(await mailings.get(params.event_id, params.id))),
      create,
      update,
      async delete({ mailings }, { params: { event_id, id } }) {
        const deleted = await mailings.delete(event_id, id)
        if (deleted) return shown(deleted)
        found(await mailings.get(event_id, id))
        throw conflict(messageOf('mailing_started'))
      },
      async send({ mailings }, { params: { event_id, id } }) {
        const mailing = found(await mailings.get(event_id, id))
        const due = new Date(Math.max(Date.now(), mailing.send_at?.getTime() ?? 0))
        const started = await mailings.start(mailing, due)
        return shown(started ?? found(await mailings.get(event_id, id)))
      },
      async pause({ mailings }, { params: { event_id, id } }) {
        const paused = await mailings.pause({ _id: id, event_id })
        return shown(paused ?? found(await mailings.get(event_id, id)))
      },
      async resume({ mailings, ofMailings }, { params: { event_id, id } }) {
        await resumeCampaign(ofMailings, found(await ofMailings.campaigns.get(event_id, id)))
        return shown(found(await mailings.get(event_id, id)))
      },
      count_audience: async (all, { params: { event_id, id } }) =>
        countAudience(all, found(await all.mailings.get(event_id, id))),
      preview,
      preview_page,
      preview_draft,
      test_send,
    },
    dependencies,
  )
}
