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
import { shown } from './shown.ts'
import { update } from './update.ts'

/** Returns the handlers of mailings. */
export function mailingHandlers(dependencies: Dependencies): Handlers<typeof mailings> {
  return handlersOf<typeof mailings, Dependencies>(
    {
      async list(all, { params, query }) {
        const page = await all.mailings.page(params.event_id, query)
        return Promise.all(page.map((each) => shown(all, each)))
      },
      read: async (all, { params }) => shown(all, found(await all.mailings.get(params.event_id, params.id))),
      create,
      update,
      async delete(all, { params: { event_id, id } }) {
        const deleted = await all.mailings.delete(event_id, id)
        if (deleted) return shown(all, deleted)
        found(await all.mailings.get(event_id, id))
        throw conflict(messageOf('mailing_started'))
      },
      async send(all, { params: { event_id, id } }) {
        const { mailings } = all
        const mailing = found(await mailings.get(event_id, id))
        const due = new Date(Math.max(Date.now(), mailing.send_at?.getTime() ?? 0))
        const started = await mailings.start(mailing, due)
        return shown(all, started ?? found(await mailings.get(event_id, id)))
      },
      async pause(all, { params: { event_id, id } }) {
        const paused = await all.mailings.pause({ _id: id, event_id })
        return shown(all, paused ?? found(await all.mailings.get(event_id, id)))
      },
      async resume(all, { params: { event_id, id } }) {
        await resumeCampaign(all.ofMailings, found(await all.ofMailings.campaigns.get(event_id, id)))
        return shown(all, found(await all.mailings.get(event_id, id)))
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
