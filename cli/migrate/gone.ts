import { clientOf, derivedId } from '@gatehouse/proto/bus/client.ts'
import type { Resource } from '@gatehouse/proto/declaring/resource.ts'
import { allPages } from '../pages.ts'
import {
  type accesspoints,
  type checkIns,
  type exhibitors,
  files,
  type guestCategories,
  guestFields,
  guests,
  type invitationTypes,
  type links,
  type partnerCampaigns,
  partners,
  type promoCodes,
  type signatures,
} from '../permissions.ts'
import { retried } from '../retry.ts'
import type { Destination, GoneKind, GoneOutcome, SourceEvent } from './kind.ts'
import { CHUNK } from './reading.ts'
import { idOf, type SourceItem } from './source.ts'

type DisownedResource =
  | typeof accesspoints
  | typeof checkIns
  | typeof exhibitors
  | typeof files
  | typeof guestCategories
  | typeof guests
  | typeof invitationTypes
  | typeof links
  | typeof partnerCampaigns
  | typeof partners
  | typeof promoCodes
  | typeof signatures

/** How things of a resource go that are gone there. `here` gives the ids of those that are here. */
export function goneOf(resource: DisownedResource, here: GoneKind['here'], isThere?: GoneKind['isThere']): GoneKind {
  return {
    here,
    ...(isThere && { isThere }),
    async disown({ bus }, { _id: event_id }, ids) {
      const client = clientOf(bus, resource as Resource) as object as {
        disown(call: object): Promise<{ outcome: GoneOutcome }[]>
      }
      const outcomes = await retried(() => client.disown({ body: { event_id, ids } }))
      return outcomes.map(({ outcome }) => outcome)
    },
  }
}

/** The things here of a resource whose list has one page. */
export function listedHere(resource: DisownedResource): GoneKind['here'] {
  return async function* (to, event) {
    for (const item of await listOf(resource, to, event)()) yield idOf(item) as string
  }
}

/** The things here of a resource whose list has several pages. */
export function pagedHere(resource: DisownedResource): GoneKind['here'] {
  return async function* (to, event) {
    for await (const { _id } of allPages(listOf(resource, to, event))) yield _id as string
  }
}

/** Campaigns stand in their partners. */
export async function* campaignsHere(to: Destination, event: SourceEvent): AsyncGenerator<string> {
  for (const { partner_campaigns } of await listOf(partners, to, event)())
    for (const campaign of partner_campaigns as SourceItem[]) yield idOf(campaign) as string
}

/** Files stand in their guests: each goes by guest and key. */
export const goneFiles: GoneKind = {
  async *here(to, event) {
    const fields = await listOf(guestFields, to, event)()
    if (!fields.some(({ type }) => type === 'file')) return
    const event_id = event._id
    for await (const guest_ids of chunksOf(pagedHere(guests)(to, event))) {
      const found = await retried(() => clientOf(to.bus, files).of_guests({ body: { event_id, guest_ids } }))
      for (const { guest_id, key } of found) yield `${guest_id}/${key}`
    }
  },
  disown(to, event, ids) {
    const owned = ids.map((id) =>
      derivedId('file', event._id, id.slice(0, id.indexOf('/')), id.slice(id.indexOf('/') + 1)),
    )
    return goneOf(files, this.here).disown(to, event, owned)
  },
}

/** Things that the other system shows at their own paths too. */
export function shownAt(path: string): NonNullable<GoneKind['isThere']> {
  return async (source, { _id }, id) => (await source.readOne(`events/${_id}/${path}/${id}`)) !== undefined
}

function listOf(
  resource: DisownedResource | typeof guestFields,
  { bus, account_id }: Destination,
  { _id: event_id }: SourceEvent,
) {
  const client = clientOf(bus, resource as Resource) as object as {
    list(call: object): Promise<(SourceItem & { _id: string })[]>
  }
  const caller = { account_id, token_id: 'migrate', scope: 'admin' }
  return (query?: object) => retried(() => client.list({ params: { event_id }, caller, query }))
}

async function* chunksOf(ids: AsyncIterable<string>): AsyncGenerator<string[]> {
  let chunk: string[] = []
  for await (const id of ids) {
    chunk.push(id)
    if (chunk.length < CHUNK) continue
    yield chunk
    chunk = []
  }
  if (chunk.length > 0) yield chunk
}
