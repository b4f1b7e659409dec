import { type Handlers, handlersOf } from '@gatehouse/proto/declaring/resource.ts'
import type { Dependencies } from '../dependencies.ts'
import { hostMailOf, lookOf } from './mails.ts'
import type { hostMails } from './resource.ts'

/** Returns the handlers of e-mails to hosts, for the mail service. */
export function hostMailHandlers(dependencies: Dependencies): Handlers<typeof hostMails> {
  return handlersOf<typeof hostMails, Dependencies>(
    {
      due: ({ hostMails }, { body: { limit } }) => hostMails.due(limit),
      async begin({ hostMails, events, accountClient }, { body: { claim, ...key } }) {
        const event = await events.get(key.event_id)
        const account = event && (await lookOf(accountClient, event.account_id))
        const guest = await hostMails.begin(key, claim)
        return guest?.host_email && event && account ? { mail: hostMailOf(guest, event, account) } : {}
      },
      async postpone({ hostMails }, { body: { claim, ...key } }) {
        await hostMails.postpone(key, claim)
        return {}
      },
    },
    dependencies,
  )
}
