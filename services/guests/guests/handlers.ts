import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { invalid } from '@gatehouse/proto/declaring/faults.ts'
import { emailErrors, isBlank } from '@gatehouse/proto/declaring/fields.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import { alsoWrong, type Handlers, isRejected } from '@gatehouse/proto/declaring/resource.ts'
import { republishCreated, requireAnHour } from '@gatehouse/proto/events/republishing.ts'
import { found } from '@gatehouse/proto/storage/documents.ts'
import type { EventStore } from '../events/store.ts'
import type { GuestCategoryStore, StoredCategory } from '../guest-categories/store.ts'
import { promoCodes } from '../permissions.ts'
import * as topics from '../topics.ts'
import type { GuestChanges } from './changes.ts'
import { draftOf, type GuestCreation } from './creation.ts'
import { disclosed, needsMetadata } from './disclosure.ts'
import { extrasReader } from './extras.ts'
import type { DeviceGuest, GuestLookups } from './lookups.ts'
import type { GuestPresenter } from './presenter.ts'
import type { GuestOutbox } from './publishing.ts'
import type { Guest, guests } from './resource.ts'
import { readSearch } from './search.ts'
import type { GuestStore } from './store.ts'
import type { NewGuest, StoredGuest } from './stored-guest.ts'
import { changesOf, type GuestUpdater } from './updating.ts'
import { CODE_USED_UP, type GuestValidation, NO_CATEGORY, UID_TAKEN } from './validation.ts'

interface GuestOptions {
  store: GuestStore
  lookups: GuestLookups
  events: EventStore
  categories: GuestCategoryStore
  validation: GuestValidation
  creation: GuestCreation
  update: GuestUpdater
  presenter: GuestPresenter
  outbox: GuestOutbox
  changes: GuestChanges
  bus: Bus
}

/** Handlers of guests. Every change is known to the door, which caches guests, before it is answered. */
export function guestHandlers(options: GuestOptions): Handlers<typeof guests> {
  const { store, lookups, events, categories, validation, creation, update, presenter, outbox, changes, bus } = options
  const promoCodeClient = clientOf(bus, promoCodes)
  const extrasOf = extrasReader(presenter, bus)
  const itemsOf = (guest: StoredGuest): Guest[] => [presenter.forWebhooks(guest)]

  return {
    async list({ params: { event_id }, query }) {
      const { search, category, since, before, updated_since, updated_before } = query
      const uid = query.uid === undefined ? undefined : await lookups.uidOf(event_id, query.uid)
      const filter = { uid, since, before, updated_since, updated_before, categories: category }
      const searched = { ...filter, ...(search && { search: readSearch(search) }) }
      const listed = await store.page(event_id, searched, query, query.guest_metadata)
      const ids = query.badges || query.files ? listed.each('_id') : []
      return listed.with(await extrasOf(event_id, ids, query))
    },

    async read({ params: { event_id, id }, query }) {
      const guest = found(await store.get(event_id, id))
      const extras = await extrasOf(event_id, [id], query)
      return { ...presenter.shown(guest, query), ...extras((name) => guest[name]) }
    },

    async create({ params: { event_id }, body: given, accept, idempotency_key, newId }) {
      const { promo_code = null, guest_category_id } = given
      const _id = newId()
      // A try that died after storing holds its use already, perhaps the last one.
      const earlier = !isBlank(promo_code) && idempotency_key ? await store.get(event_id, _id) : null
      const [[errors = {}], wantingBadges, admission] = await Promise.all([
        validation.ofNew(event_id, [given]),
        creation.wantingBadges(event_id, guest_category_id === undefined ? [] : [guest_category_id]),
        isBlank(promo_code) || earlier ? undefined : promoCodeClient.admit({ body: { event_id, text: promo_code } }),
      ])
      if (admission?.refusal) errors.promo_code = [admission.refusal]
      const code = admission?.promo_code
      const { promo_code: _, ...body } = await accept(errors, async () => ({
        ...(await validation.ofUid(event_id, given.uid, _id)),
        ...(code && (await store.isUsedUp(code)) && CODE_USED_UP),
      }))
      const draft = draftOf(event_id, _id, body, wantingBadges, new Date())
      const event = { type: 'guest.created', event_id, items: [{ _id }] } as const
      const guest = await outbox.publishing(event, () => creation.createOne(draft, code, earlier), itemsOf)
      return presenter.shown(guest, { qrcode_url: true })
    },

    async create_many({ query: { event_id }, body }) {
      const given = body.map((item) => (isRejected(item) ? (item.given ?? {}) : item))
      const errors = await validation.ofNew(event_id, given)
      const isRight = (index: number): boolean => Object.keys(errors[index] ?? {}).length === 0
      const good = body.flatMap((item, index) => (isRejected(item) || !isRight(index) ? [] : [item]))
      const categories = good.map(({ guest_category_id }) => guest_category_id)
      const wantingBadges = await creation.wantingBadges(event_id, categories)
      const now = new Date()
      const drafts = good.map(({ _id, ...fields }) => draftOf(event_id, _id, fields, wantingBadges, now))
      const event = { type: 'guest.created', event_id, items: drafts.map(({ _id }) => ({ _id })) } as const
      const { registered, gone } = await outbox.publishing(
        event,
        () => creation.createMany(event_id, drafts),
        // The request that stored an earlier guest publishes it.
        ({ registered, gone }) =>
          [...registered.values()].flatMap(({ guest, created }) =>
            created && !gone.has(guest._id) ? itemsOf(guest) : [],
          ),
      )
      return body.map((item, index) => {
        if (isRejected(item)) return alsoWrong(item, errors[index] ?? {})
        if (!isRight(index)) return { errors: errors[index] ?? {} }
        if (gone.has(item._id)) return { errors: NO_CATEGORY }
        const own = registered.get(item._id)
        return own ? { created: own.created } : { errors: UID_TAKEN }
      })
    },

    async create_invited({ body: { event_id, promo_code, ...given } }) {
      const { _id, guest_category_id } = given
      const [[errors = {}], wantingBadges, earlier] = await Promise.all([
        validation.ofNew(event_id, [given]),
        creation.wantingBadges(event_id, [guest_category_id]),
        store.get(event_id, _id),
      ])
      if (earlier) return { created: false }
      if (Object.keys(errors).length > 0) throw invalid(errors)
      // Who is invited comes, with the discount or without.
      const admission = promo_code && (await promoCodeClient.admit({ body: promo_code }))
      const code = admission && !admission.refusal ? admission.promo_code : undefined
      const insert = async (guest: NewGuest) =>
        (code && (await store.insertUsing(guest, code))) ?? (await store.insert(guest))
      const { _id: id, ...fields } = given
      const draft = draftOf(event_id, id, { ...fields, status: 'invited' }, wantingBadges, new Date())
      const event = { type: 'guest.created', event_id, items: [{ _id }] } as const
      const { created } = await outbox.publishing(
        event,
        async () => {
          const { registered, gone } = await creation.createMany(event_id, [draft], (guests) =>
            Promise.all(guests.map(insert)),
          )
          if (gone.size > 0) throw invalid(NO_CATEGORY)
          return found(registered.get(_id))
        },
        // The request that stored an earlier guest publishes it.
        ({ guest, created }) => (created ? itemsOf(guest) : []),
      )
      return { created }
    },

    async republish({ body: { event_id, since, until } }) {
      requireAnHour({ since, until })
      await republishCreated(outbox, 'guest.created', event_id, lookups.createdWithin(event_id, since, until))
      return {}
    },

    async known({ body: { event_id, ids, uids } }) {
      const [knownIds, knownUids] = await Promise.all([
        ids.length === 0 ? [] : lookups.knownIds(event_id, ids),
        uids.length === 0 ? [] : lookups.knownUids(event_id, uids),
      ])
      return { ids: knownIds, uids: knownUids }
    },

    async update({ params: { event_id, id }, body: given, accept }) {
      const { updated_at, email } = found(await store.get(event_id, id))
      const [ofReferences] = await validation.ofReferences(event_id, [given])
      const errors = { ...ofReferences, ...emailErrors(given.email, email) }
      if (given.uid !== undefined && isBlank(given.uid)) errors.uid = [messageOf('blank')]
      const fields = changesOf(await accept(errors, () => validation.ofUid(event_id, given.uid, id)))
      const event = { type: 'guest.updated', event_id, items: [{ _id: id, updated_at }] } as const
      const guest = await outbox.publishing(event, () => update(event_id, id, fields), itemsOf)
      return presenter.shown(guest)
    },

    async delete({ params: { event_id, id } }) {
      const current = found(await store.get(event_id, id))
      const { uid, created_at: moved_from } = current
      const uids = new Set([uid])
      const remove = () =>
        changes.changing({ event_id, uids, moved_from }, async () => {
          await changes.leaving({ event_id, uids: [uid], moved_from })
          const deleted = found(await store.delete(event_id, id))
          uids.add(deleted.uid)
          bus.announce(topics.gone, { event_id, guest_id: id })
          return deleted
        })
      const event = { type: 'guest.deleted', event_id, items: [current] } as const
      return presenter.shown(await outbox.publishing(event, remove, itemsOf))
    },

    async promo_uses({ body: { promo_code_ids } }) {
      const counts = await store.countPromoUses(promo_code_ids)
      return [...counts].map(([promo_code_id, times_used]) => ({ promo_code_id, times_used }))
    },

    async categories({ body: { event_id, after } }) {
      const { guests, last } = await lookups.byUid(event_id, after)
      const byCategory = Map.groupBy(guests, ({ guest_category_id }) => guest_category_id)
      const categories = [...byCategory].map(([guest_category_id, members]) => ({
        guest_category_id,
        uids: members.map(({ uid }) => uid),
      }))
      return { categories, ...(last !== undefined && { last }) }
    },

    async resolve({ body: { event_id, uids } }) {
      const found = await lookups.doorGuests(event_id, uids)
      return found.map(({ _id, ...rest }) => ({ guest_id: _id, ...rest }))
    },

    async at_door({ body: { event_id, uids, changed_since, after } }) {
      const named = new Set((await categories.ofEvent(event_id)).filter(allowsNames).map(({ _id }) => _id))
      const shown = (guests: DeviceGuest[]): DeviceGuest[] =>
        guests.map((guest) => (named.has(guest.guest_category_id) ? guest : withoutNames(guest)))
      if (uids) return { guests: shown(await lookups.ofDevices(event_id, uids)), is_whole: true }
      if (changed_since) {
        const guests = await lookups.ofDevicesSince(event_id, changed_since)
        return { guests: shown(guests ?? []), is_whole: guests !== undefined }
      }
      const { guests, ...page } = await lookups.ofDevicesAfter(event_id, after)
      return { guests: shown(guests), is_whole: true, ...page }
    },

    async of_uids({ body: { event_id, uids } }) {
      return Array.fromAsync(lookups.withUids(event_id, uids), (guest) => presenter.enclosed(guest))
    },

    async disclosed({ body: { event_id, by, keys } }) {
      const fields = [...new Set(found(await events.get(event_id)).lead_guest_fields)]
      const known = keys.length === 0 ? [] : await lookups.disclosable(event_id, by, keys, needsMetadata(fields))
      return { fields, guests: known.map((guest) => ({ key: guest[by], values: disclosed(guest, fields) })) }
    },
  }
}

function withoutNames({ first_name: _, last_name: __, ...guest }: DeviceGuest): DeviceGuest {
  return guest
}

function allowsNames({ device_names_enabled }: StoredCategory): boolean {
  return device_names_enabled
}
