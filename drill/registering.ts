import { setTimeout as sleep } from 'node:timers/promises'
import { Random } from '@gatehouse/cli/demo/random.ts'
import { type BadgeCategory, makeBadgeCategory } from './badges.ts'
import type { DrillClient } from './client.ts'
import { type ExhibitorAccess, make, makeExhibitor } from './drill-event.ts'
import { now } from './record.ts'
import { inEvent } from './scanning.ts'

const REGISTRARS = 3
const MAX_BREAK_MS = 120
/** How many guests get what only the next version stores. */
const SEATED = 50
/** The background work after an upgrade begins a minute after the last look of the version before, and may be late. */
const MIGRATED_MS = 120_000
const LOOK_MS = 1_000

/** A guest whom one of the registrars stores and changes. */
interface Registered {
  id: string
  uid: string
  /** Its message, which is one word that no other guest has. */
  message: string
  last_name: string
  /** Whether a change was answered at the second try: an early try may be the last to arrive. */
  isUnsure: boolean
  seat?: string
}

/** What registrars share: guests of all of them, and what guests use. */
export interface Registry {
  category: BadgeCategory
  promoCode: { id: string; text: string }
  exhibitor: ExhibitorAccess
  guests: Registered[]
}

/** Prepares what registrars need in the event of the drill. */
export async function openRegistry(client: DrillClient): Promise<Registry> {
  const category = await makeBadgeCategory(client, 'Registered')
  const text = 'REGISTERED'
  const promoCode = { id: await make(client, 'promo_codes', { text }), text }
  return { category, promoCode, exhibitor: await makeExhibitor(client), guests: [] }
}

/** Stores guests who use a discount code and become leads, changes earlier ones, and reads them back, on some devices until `stop`. */
export async function registerGuests(
  client: DrillClient,
  registry: Registry,
  seed: number,
  stop: AbortSignal,
): Promise<void> {
  await Promise.all(
    Array.from({ length: REGISTRARS }, (_, n) => registerOn(client.at(n), registry, n, new Random(seed + n), stop)),
  )
}

async function registerOn(
  client: DrillClient,
  registry: Registry,
  nth: number,
  chance: Random,
  stop: AbortSignal,
): Promise<void> {
  const own: Registered[] = []
  for (let n = 0; !stop.aborted; n++) {
    client.turn()
    const guest = await register(client, registry, `registered-${nth}-${n}`, `message${nth}q${n}z`)
    own.push(guest)
    registry.guests.push(guest)
    await sendLead(client, registry, guest)
    const earlier = chance.pick(own)
    await rename(client, earlier, `Name${n}`)
    client.turn()
    await compareRead(client, earlier)
    await sleep(chance.below(MAX_BREAK_MS))
  }
}

async function register(client: DrillClient, registry: Registry, uid: string, message: string): Promise<Registered> {
  const { category, promoCode } = registry
  const body = { guest_category_id: category.id, uid, message, last_name: 'New', promo_code: promoCode.text }
  return { id: await make(client, 'guests', body), uid, message, last_name: 'New', isUnsure: false }
}

async function sendLead(client: DrillClient, { exhibitor }: Registry, { uid }: Registered): Promise<void> {
  const path = `devices/${exhibitor.access_token}/connections/batch_create.json`
  await client.insist('POST', path, [{ guest_uid: uid, author: 'drill', comments: [] }])
}

async function rename(client: DrillClient, guest: Registered, last_name: string): Promise<void> {
  let tries = 0
  const path = inEvent(`guests/${guest.id}.json`)
  await client.insist('PUT', path, { last_name }, undefined, { tries: () => tries++ })
  guest.last_name = last_name
  guest.isUnsure ||= tries > 1
}

async function compareRead(client: DrillClient, guest: Registered): Promise<void> {
  const path = inEvent(`guests/${guest.id}`)
  // A seat may be assigned meanwhile.
  const { message, last_name, seat } = guest
  const read = await client.insist('GET', `${path}.json`)
  await client.ask('GET', `/api/v1/${path}.xml`)
  const isKept =
    read.message === message &&
    (guest.isUnsure || read.last_name === last_name) &&
    (seat === undefined || read.seat === undefined || read.seat === seat)
  if (!isKept)
    client.record.violation('kept', 'a guest is not as it was stored', [JSON.stringify(guest), JSON.stringify(read)])
}

/** Stores for some of the guests what only the next version knows, while nothing but it runs. */
export async function assignSeats(client: DrillClient, { guests }: Registry): Promise<void> {
  for (const [n, guest] of guests.slice(0, SEATED).entries()) {
    const seat = `Seat${n}`
    await client.insist('PUT', inEvent(`guests/${guest.id}.json`), { seat })
    guest.seat = seat
  }
}

/** Compares what both versions have stored with what the next version finds and shows, once its background work is done. */
export async function compareUpgraded(client: DrillClient, { guests }: Registry): Promise<string> {
  const { record, phase } = client
  const until = now() + MIGRATED_MS * record.slack
  const missing = new Set(guests)
  phase.waitFor(() => `${missing.size} guests to be found by their message`)
  for (;;) {
    for (const guest of missing) {
      const found = await client.read(inEvent(`guests.json?search=${guest.message}`))
      if (found.length === 1 && found[0]._id === guest.id) missing.delete(guest)
      else break
    }
    if (missing.size === 0 || now() > until) break
    await sleep(LOOK_MS, undefined, { signal: phase.signal })
  }
  for (const guest of missing)
    record.violation('upgraded', 'a guest is not found by its message', [JSON.stringify(guest)])
  phase.waitFor('the registered guests to be read')
  for (const guest of guests) {
    const read = await client.read(inEvent(`guests/${guest.id}.json`))
    if (guest.seat !== undefined && read.seat !== guest.seat)
      record.violation('kept', 'a seat is lost', [JSON.stringify(guest), JSON.stringify(read)])
  }
  return `${guests.length} guests whom both versions stored and changed with what the next one finds and shows`
}

/** Compares the uses of the discount code and the leads with the registered guests. */
export async function compareUses(client: DrillClient, { guests, promoCode, exhibitor }: Registry): Promise<string> {
  const { record } = client
  const { times_used } = await client.read(inEvent(`promo_codes/${promoCode.id}.json`))
  if (times_used !== guests.length)
    record.violation('counts', 'a count is wrong', [
      `${times_used} uses of the discount code by ${guests.length} guests`,
    ])
  const leads = await client.list<{ guest_uid: string }>(inEvent(`exhibitors/${exhibitor._id}/connections.json`))
  const uids = new Set(leads.map(({ guest_uid }) => guest_uid))
  if (leads.length !== guests.length || guests.some(({ uid }) => !uids.has(uid)))
    record.violation('counts', 'a lead is missing or was stored twice', [`${leads.length} of ${guests.length} guests`])
  return `${guests.length} registered guests with the uses of a discount code and ${leads.length} leads`
}
