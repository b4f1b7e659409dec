import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { invalid } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import type { Subject } from '@gatehouse/proto/declaring/personal-data.ts'
import { type Caller, type Handlers, required } from '@gatehouse/proto/declaring/resource.ts'
import type { People } from '../erasures/people.ts'
import type { ErasureSubject } from '../erasures/resource.ts'
import { personalData } from '../permissions.ts'
import type { personalDocuments } from './resource.ts'

/** Handlers that export personal data: they ask one service after the other. A place is the name of a service and a place within. */
export function personalDocumentHandlers(people: People, bus: Bus): Handlers<typeof personalDocuments> {
  const services = personalData.map((each) => ({ name: each.service, client: clientOf(bus, each) }))

  async function subjectOf(caller: Caller, event_id: string, asked: ErasureSubject): Promise<Subject> {
    // A token that is bound to an event learns nothing of the account.
    const within = { account_id: caller.account_id, event_id, with_account: caller.event_id === undefined }
    const errors = await people.errorsOf(event_id, asked)
    if (Object.keys(errors).length > 0) throw invalid(errors)
    const person = await people.personOf(within, asked)
    return { ...within, ...(person && { person }) }
  }

  return {
    async export({ params: { event_id }, query: { after, ...asked }, caller }) {
      const subject = await subjectOf(required(caller), event_id, asked)
      const [name = services[0]?.name, ...place] = after?.split(':') ?? []
      const index = services.findIndex((each) => each.name === name)
      const service = services[index]
      if (!service) throw invalid({ after: [messageOf('invalid')] })
      const { data, items, next } = await service.client.export({
        body: { ...subject, after: place.join(':') || null },
      })
      const following = services[index + 1]
      return {
        data,
        items: JSON.parse(items) as unknown[],
        next: next ? `${name}:${next}` : following ? `${following.name}:` : null,
      }
    },
  }
}
