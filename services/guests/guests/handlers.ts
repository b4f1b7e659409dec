import { randomInt } from 'node:crypto'
import { badges, files } from '@gatehouse/badges/resources'
import { accesspoints } from '@gatehouse/checkin/resources'
import { promoCodes } from '@gatehouse/promo/resources'
import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { conflict, type FieldErrors, invalid, notFound, oneNeeded } from '@gatehouse/proto/declaring/faults.ts'
import { emailErrors, isBlank } from '@gatehouse/proto/declaring/fields.ts'
import { alsoWrong, type Body, type Call, type Handlers, isRejected } from '@gatehouse/proto/declaring/resource.ts'
import type { FieldGetter } from '@gatehouse/proto/storage/raw-documents.ts'
import { announceGone } from '../announcements.ts'
import { type BadgeOrderQueue, changesBadge, ordered } from '../badge-orders/order-queue.ts'
import type { EventStore } from '../events/store.ts'
import type { GuestCategoryStore } from '../guest-categories/store.ts'
import { announceChange, announceLeaving } from './changes.ts'
import { disclosed, needsMetadata } from './disclosure.ts'
import type { GuestPresenter } from './presenter.ts'
import type { UsableCode } from './promo-uses.ts'
import type { GuestOutbox } from './publishing.ts'
import type { Guest, guests } from './resource.ts'
import { readSearch } from './search.ts'
import type { GuestFields, GuestStore, NewGuest, StoredGuest } from './store.ts'

const UID_TAKEN = { uid: ['has already been taken'] }
const CODE_USED_UP = { promo_code: ['has been used up'] }
const UID_LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789'
const UID_LENGTH = 10
/** Generated uids that may collide before something else must be wrong. */
const UID_TRIES = 5
/** Changes of one guest at once that wait for each other. */
const UPDATE_TRIES = 200

type Flags = Call<(typeof guests)['actions']['read']>['query']
type Extras = Pick<Guest, 'badge_url' | 'qrcode_url' | 'badges' | 'files'>
type CreateBody = Body<(typeof guests)['actions']['create']>
type UpdateBody = Body<(typeof guests)['actions']['update']>
type NewBody = Omit<CreateBody, 'promo_code'>

/** What is announced of a write: the uids that it touched, and the creation of the guest that came or went. */
interface Changed {
  uids: Set<string>
  moved_from: Date | null
}

/** A guest that is stored, and whether the request at hand did that. */
interface Registered {
  guest: StoredGuest
  created: boolean
}

/** What guests are made of. */
interface GuestParts {
  store: GuestStore
  categories: GuestCategoryStore
  events: EventStore
  orderQueue: BadgeOrderQueue
  presenter: GuestPresenter
  outbox: GuestOutbox
  bus: Bus
}

/** What guests do and refuse. The door hears of each change before the caller does. */
export function guestHandlers({
  store,
  categories,
  events,
  orderQueue,
  presenter,
  outbox,
  bus,
}: GuestParts): Handlers<typeof guests> {
  const badgeClient = clientOf(bus, badges)
  const fileClient = clientOf(bus, files)
  const accesspointClient = clientOf(bus, accesspoints)
  const promoCodeClient = clientOf(bus, promoCodes)
  const itemsOf = (guest: StoredGuest): Guest[] => [presenter.forWebhooks(guest)]

  /** Runs a write, and announces whose it was even where it failed: nobody knows then what was stored. */
  async function announced<T>(event_id: string, changed: Changed, write: () => Promise<T>): Promise<T> {
    try {
      return await write()
    } finally {
      if (changed.uids.size > 0) announceChange(bus, { event_id, ...changed, uids: [...changed.uids] })
    }
  }

  /** What is said of guests besides what is stored: links, and all that the flags ask for. Badges and files are asked for together. */
  async function extrasOf(
    event_id: string,
    guest_ids: string[],
    flags: Flags,
  ): Promise<(get: FieldGetter<StoredGuest>) => Extras> {
    const question = { body: { event_id, guest_ids } }
    const [allBadges, allFiles] = await Promise.all([
      flags.badges && guest_ids.length > 0 ? badgeClient.of_guests(question) : [],
      flags.files && guest_ids.length > 0 ? fileClient.of_guests(question) : [],
    ])
    const badgesOf = Map.groupBy(allBadges, ({ guest_id }) => guest_id)
    const filesOf = Map.groupBy(allFiles, ({ guest_id }) => guest_id)
    return (get) => ({
      ...presenter.linksOf(get, flags),
      ...(flags.badges && { badges: get('badge_completed') ? (badgesOf.get(get('_id')) ?? []) : [] }),
      ...(flags.files && { files: filesOf.get(get('_id')) ?? [] }),
    })
  }

  /** What guests refer to must be of their event; gives the errors of each. */
  async function checkReferences(event_id: string, bodies: Partial<UpdateBody>[]): Promise<FieldErrors[]> {
    const wanted = new Set(bodies.flatMap(({ guest_category_id }) => guest_category_id ?? []))
    const ids = [
      ...new Set(
        bodies.flatMap(({ access_privileges_attributes: own = [] }) => own.map((each) => each.accesspoint_id)),
      ),
    ]
    const [found, points] = await Promise.all([
      Promise.all([...wanted].map(async (id) => ((await categories.has(event_id, id)) ? id : undefined))),
      ids.length === 0 ? { ids } : accesspointClient.known({ body: { event_id, ids } }),
    ])
    const [knownCategories, knownPoints] = [new Set(found), new Set(points.ids)]
    return bodies.map(({ guest_category_id, access_privileges_attributes: privileges = [] }) => {
      const errors: FieldErrors = {}
      if (guest_category_id !== undefined && !knownCategories.has(guest_category_id)) Object.assign(errors, NO_CATEGORY)
      for (const [index, { accesspoint_id }] of privileges.entries()) {
        if (knownPoints.has(accesspoint_id)) continue
        errors[`access_privileges_attributes.${index}.accesspoint_id`] = ['is not a check-in point of the event']
      }
      return errors
    })
  }

  /** The same of new guests, which also need something that they can be told apart by. */
  async function checkNew(event_id: string, given: Partial<NewBody>[]): Promise<FieldErrors[]> {
    const errors = await checkReferences(event_id, given)
    return errors.map((each, index) => ({
      ...each,
      ...(!isIdentified(given[index] ?? {}) && { last_name: [oneNeeded(IDENTITY)] }),
    }))
  }

  /** Those of the categories of guests whose guests get badges. */
  async function wantingBadges(event_id: string, guests: NewBody[]): Promise<Set<string>> {
    const held = [...new Set(guests.map(({ guest_category_id }) => guest_category_id))]
    const wants = await Promise.all(held.map((category) => categories.wantsBadges(event_id, category)))
    return new Set(held.filter((_, index) => wants[index]))
  }

  /**
   * Removes new guests whose category was deleted, and returns their ids; orders badges for the rest, where their category has badges.
   */
  async function settle(event_id: string, guests: StoredGuest[]): Promise<Set<string>> {
    const gone = new Set<string>()
    const settled = [...Map.groupBy(guests, (guest) => guest.guest_category_id)].map(async ([category, members]) => {
      const [confirmed, wantsBadges] = await Promise.all([
        categories.confirm(event_id, category),
        categories.wantsBadges(event_id, category),
      ])
      if (!confirmed) {
        await announceLeaving(bus, { event_id, uids: members.map(({ uid }) => uid), moved_from: oldest(members) })
        await store.takeBack(
          event_id,
          members.map(({ _id }) => _id),
        )
        for (const { _id } of members) gone.add(_id)
        return
      }
      for (const guest of members) {
        if (guest.badge_due) orderQueue.announce(guest)
        // The category began to want badges while the guest was being stored.
        else if (wantsBadges && guest.badge_order === undefined) await orderQueue.order(guest)
      }
    })
    await Promise.all(settled)
    return gone
  }

  /** The error for a uid that a guest other than `_id` already uses. */
  async function takenUid(event_id: string, uid: string | null | undefined, _id: string): Promise<FieldErrors> {
    const holders = uid ? await store.resolve(event_id, [uid]) : []
    return holders.some((holder) => holder._id !== _id) ? UID_TAKEN : {}
  }

  /** Stores a new guest under the uid that it brings, or under one that is free; notes which it tried. It uses the code, if there is one. */
  async function insert(
    guest: Omit<NewGuest, 'uid'>,
    given: string | undefined,
    code: UsableCode | undefined,
    changed: Changed,
  ): Promise<StoredGuest> {
    for (let attempt = 0; attempt < UID_TRIES; attempt++) {
      const uid = given ?? newUid()
      changed.uids.add(uid)
      const stored = await (code ? store.insertUsing({ ...guest, uid }, code) : store.insert({ ...guest, uid }))
      if (stored === null) throw invalid({ ...CODE_USED_UP, ...(await takenUid(guest.event_id, given, guest._id)) })
      if (stored) {
        changed.uids.add(stored.uid)
        changed.moved_from = stored.created_at
        return stored
      }
      if (given) throw invalid(UID_TAKEN)
    }
    throw new Error('No free uid was found')
  }

  /**
   * Stores new guests together, each under the uid that it brings (`given`, by `_id`) or under one that is free; notes which it tried. Gives
   * them, or those that an earlier request stored under their ids; those whose uid is taken are missing.
   */
  async function insertAll(
    guests: Omit<NewGuest, 'uid'>[],
    given: Map<string, string>,
    changed: Changed,
  ): Promise<Map<string, Registered>> {
    const registered = new Map<string, Registered>()
    let left = guests
    for (let attempt = 0; attempt < UID_TRIES && left.length > 0; attempt++) {
      const drafts = left.map((guest) => ({ ...guest, uid: given.get(guest._id) ?? newUid() }))
      for (const { uid } of drafts) changed.uids.add(uid)
      const stored = await store.insertAll(drafts)
      for (const [index, guest] of stored.entries()) {
        if (!guest) continue
        changed.uids.add(guest.uid)
        if (changed.moved_from && guest.created_at < changed.moved_from) changed.moved_from = guest.created_at
        const { uid, created_at } = drafts[index] as NewGuest
        const created = guest.uid === uid && guest.created_at.getTime() === created_at.getTime()
        registered.set(guest._id, { guest, created })
      }
      left = left.filter(({ _id }) => !registered.has(_id) && !given.has(_id))
    }
    if (left.length > 0) throw new Error('No free uid was found')
    return registered
  }

  /** One attempt to change a guest; undefined when somebody else changed it meanwhile. */
  async function tryUpdate(
    current: StoredGuest,
    changes: Partial<GuestFields>,
    uids: Set<string>,
  ): Promise<StoredGuest | undefined> {
    uids.add(current.uid).add(changes.uid ?? current.uid)
    let base = current
    const { guest_category_id } = changes
    if (guest_category_id !== undefined && guest_category_id !== current.guest_category_id) {
      const claimed = await store.claimCategory(current, guest_category_id)
      if (!claimed) return undefined
      if (!(await categories.confirm(current.event_id, guest_category_id))) throw invalid(NO_CATEGORY)
      base = claimed
    }
    const { event_id, guest_category_id: held } = { ...current, ...changes }
    const reprints = changesBadge(current, changes)
    const wanted = reprints && (await categories.wantsBadges(event_id, held))
    if (changes.uid !== undefined && changes.uid !== current.uid)
      await announceLeaving(bus, { event_id, uids: [current.uid], moved_from: null })
    const updated = await store.update(base, { ...changes, ...(reprints && ordered(current, wanted, new Date())) })
    if (updated === undefined) throw invalid(UID_TAKEN)
    if (updated && wanted) orderQueue.announce(updated)
    // The category may have begun to want badges before the guest was there to be ordered one.
    else if (updated && held !== current.guest_category_id && (await categories.wantsBadges(event_id, held)))
      await orderQueue.order(updated)
    return updated ?? undefined
  }

  return {
    async list({ params, query }) {
      const { uid, search, category, since, before, updated_since, updated_before } = query
      const filter = { uid, since, before, updated_since, updated_before, categories: category }
      const found = await store.page(
        params.event_id,
        { ...filter, ...(search && { search: readSearch(search) }) },
        query,
        query.guest_metadata,
      )
      const ids = query.badges || query.files ? found.each('_id') : []
      return found.with(await extrasOf(params.event_id, ids, query))
    },

    async read({ params, query }) {
      const guest = found(await store.get(params.event_id, params.id))
      const extras = await extrasOf(params.event_id, [guest._id], query)
      return { ...presenter.shown(guest, query), ...extras((name) => guest[name]) }
    },

    async create({ params: { event_id }, body: given, accept, idempotency_key, newId }) {
      const { promo_code = null, guest_category_id } = given
      const _id = newId()
      // A try that died after storing holds its use already: it may have been the last.
      const earlier = !isBlank(promo_code) && idempotency_key ? await store.get(event_id, _id) : null
      const [[errors = {}], wantsBadge, admission] = await Promise.all([
        checkNew(event_id, [given]),
        guest_category_id !== undefined && categories.wantsBadges(event_id, guest_category_id),
        isBlank(promo_code) || earlier ? undefined : promoCodeClient.admit({ body: { event_id, text: promo_code } }),
      ])
      if (admission?.refusal) errors.promo_code = [admission.refusal]
      const body = await accept(errors, async () => ({
        ...(await takenUid(event_id, given.uid, _id)),
        ...(admission?.promo_code && (await store.isUsedUp(event_id, admission.promo_code)) && CODE_USED_UP),
      }))
      const { promo_code: _, ...fields } = body
      const { uid } = fields

      const now = new Date()
      const changed: Changed = { uids: new Set(earlier ? [earlier.uid] : []), moved_from: earlier?.created_at ?? now }
      const register = () =>
        announced(event_id, changed, async () => {
          const guest =
            earlier ??
            (await insert(
              newGuest(event_id, _id, fields, wantsBadge, now),
              isBlank(uid) ? undefined : uid,
              admission?.promo_code,
              changed,
            ))
          const gone = await settle(event_id, [guest])
          if (gone.size > 0) throw invalid(NO_CATEGORY)
          return guest
        })
      const event = { type: 'guest.created', event_id, items: [{ _id }] } as const
      const guest = await outbox.publishing(event, register, itemsOf)
      return presenter.shown(guest, { qrcode_url: true })
    },

    async create_many({ query: { event_id }, body }) {
      const errors = await checkNew(
        event_id,
        body.map((item) => (isRejected(item) ? (item.given ?? {}) : item)),
      )
      const good = body.flatMap((item, index) =>
        isRejected(item) || Object.keys(errors[index] ?? {}).length > 0 ? [] : [item],
      )
      const given = new Map(good.flatMap(({ _id, uid }) => (isBlank(uid) ? [] : [[_id, uid]])))
      const wanting = await wantingBadges(event_id, good)
      const now = new Date()
      const drafts = good.map((item) => newGuest(event_id, item._id, item, wanting.has(item.guest_category_id), now))

      const changed: Changed = { uids: new Set(), moved_from: now }
      const register = () =>
        announced(event_id, changed, async () => {
          const registered = await insertAll(drafts, given, changed)
          const gone = await settle(
            event_id,
            [...registered.values()].map(({ guest }) => guest),
          )
          return { registered, gone }
        })
      const event = { type: 'guest.created', event_id, items: drafts.map(({ _id }) => ({ _id })) } as const
      // Of those that were there, whoever stored them tells.
      const { registered, gone } = await outbox.publishing(event, register, ({ registered, gone }) =>
        [...registered.values()].flatMap(({ guest, created }) =>
          created && !gone.has(guest._id) ? itemsOf(guest) : [],
        ),
      )
      return body.map((item, index) => {
        const refused = errors[index] ?? {}
        if (isRejected(item)) return alsoWrong(item, refused)
        if (Object.keys(refused).length > 0) return { errors: refused }
        if (gone.has(item._id)) return { errors: NO_CATEGORY }
        const own = registered.get(item._id)
        return own ? { created: own.created } : { errors: UID_TAKEN }
      })
    },

    async known({ body: { event_id, ids, uids } }) {
      const [knownIds, knownUids] = await Promise.all([
        ids.length === 0 ? [] : store.knownIds(event_id, ids),
        uids.length === 0 ? [] : store.knownUids(event_id, uids),
      ])
      return { ids: knownIds, uids: knownUids }
    },

    async update({ params: { event_id, id }, body: given, accept }) {
      const { updated_at, email } = found(await store.get(event_id, id))
      const errors = { ...(await checkReferences(event_id, [given]))[0], ...emailErrors(given.email, email) }
      if (given.uid !== undefined && isBlank(given.uid)) errors.uid = ["can't be blank"]
      const body = await accept(errors, () => takenUid(event_id, given.uid, id))

      const changes = changesOf(body)
      const uids = new Set<string>()
      const change = () =>
        announced(event_id, { uids, moved_from: null }, async () => {
          for (let attempt = 0; attempt < UPDATE_TRIES; attempt++) {
            const updated = await tryUpdate(found(await store.get(event_id, id)), changes, uids)
            if (updated) return updated
          }
          throw conflict('The guest is being changed by too many at once')
        })
      const event = { type: 'guest.updated', event_id, items: [{ _id: id, updated_at }] } as const
      const guest = await outbox.publishing(event, change, itemsOf)
      return presenter.shown(guest)
    },

    async delete({ params: { event_id, id } }) {
      const current = found(await store.get(event_id, id))
      const { uid, created_at: moved_from } = current
      const uids = new Set([uid])
      const remove = () =>
        announced(event_id, { uids, moved_from }, async () => {
          await announceLeaving(bus, { event_id, uids: [uid], moved_from })
          const deleted = found(await store.delete(event_id, id))
          uids.add(deleted.uid)
          announceGone(bus, event_id, id)
          return deleted
        })
      const event = { type: 'guest.deleted', event_id, items: [current] } as const
      const guest = await outbox.publishing(event, remove, itemsOf)
      return presenter.shown(guest)
    },

    async promo_uses({ body }) {
      const counts = await store.countPromoUses(body.event_id, body.promo_code_ids)
      return [...counts].map(([promo_code_id, times_used]) => ({ promo_code_id, times_used }))
    },

    async categories({ body }) {
      const { guests: found, last } = await store.byUid(body.event_id, body.after)
      const categories = [...Map.groupBy(found, ({ guest_category_id }) => guest_category_id)].map(
        ([guest_category_id, ofCategory]) => ({ guest_category_id, uids: ofCategory.map(({ uid }) => uid) }),
      )
      return { categories, ...(last !== undefined && { last }) }
    },

    async resolve({ body }) {
      const admissions = await store.resolve(body.event_id, body.uids)
      return admissions.map(({ _id, ...rest }) => ({ guest_id: _id, ...rest }))
    },

    async of_uids({ body }) {
      return Array.fromAsync(store.withUids(body.event_id, body.uids), (guest) => presenter.enclosed(guest))
    },

    async disclosed({ body: { event_id, by, keys } }) {
      const event = await events.get(event_id)
      if (!event) throw notFound()
      const fields = [...new Set(event.lead_guest_fields)]
      const known = keys.length === 0 ? [] : await store.disclosable(event_id, by, keys, needsMetadata(fields))
      return { fields, guests: known.map((guest) => ({ key: guest[by], values: disclosed(guest, fields) })) }
    },
  }
}

const NO_CATEGORY = { guest_category_id: ['is not a guest category of the event'] }

function found(guest: StoredGuest | null): StoredGuest {
  if (!guest) throw notFound()
  return guest
}

/** A guest as it is first stored, but for its uid. */
function newGuest(
  event_id: string,
  _id: string,
  { access_privileges_attributes, ...fields }: NewBody,
  wantsBadge: boolean,
  now: Date,
): Omit<NewGuest, 'uid'> {
  return {
    ...fields,
    _id,
    access_privileges: access_privileges_attributes,
    event_id,
    badge_completed: false,
    ...(wantsBadge && ordered({}, true, now)),
    created_at: now,
    updated_at: now,
  }
}

/** The creation of the guest that was created first. */
function oldest(guests: StoredGuest[]): Date {
  return new Date(Math.min(...guests.map(({ created_at }) => created_at.getTime())))
}

/** What a guest can be told apart by. */
const IDENTITY = ['last_name', 'email', 'company_name', 'uid'] as const

/** Whether a guest has one of these; what was given and is wrong counts. */
function isIdentified(given: Partial<NewBody>): boolean {
  return IDENTITY.some((field) => given[field] === undefined || !isBlank(given[field]))
}

/** Fields are replaced in place, lists as a whole. */
function changesOf({ access_privileges_attributes, uid, ...fields }: UpdateBody): Partial<GuestFields> {
  return {
    ...fields,
    ...(uid && { uid }),
    ...(access_privileges_attributes && { access_privileges: access_privileges_attributes }),
  }
}

function newUid(): string {
  return Array.from({ length: UID_LENGTH }, () => UID_LETTERS[randomInt(UID_LETTERS.length)]).join('')
}
