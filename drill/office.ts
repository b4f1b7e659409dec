import { Random } from '@gatehouse/cli/demo/random.ts'
import type { StoredCheckIn } from '@gatehouse/cli/demo/recount.ts'
import type { Receiver } from '@gatehouse/test/harness/receiver.ts'
import type { Phase } from '@gatehouse/test/load/phases.ts'
import type { RealSystem } from '@gatehouse/test/load/system.ts'
import { type BadgeCategory, compareBadges, type ExpectedBadge, makeBadgeCategory, readBadges } from './badges.ts'
import type { Left } from './changing.ts'
import { DrillClient } from './client.ts'
import { compareDelivered, receiveEvents } from './cluster/webhook.ts'
import { acceptOn, compareAcceptances } from './mail/accepting.ts'
import { type MailDrillEvent, makeCampaigns } from './mail/campaigns.ts'
import { compareConfirmations, confirmed } from './mail/confirming.ts'
import type { MailRecord } from './mail/mail-record.ts'
import type { FaultyMailServer } from './mail/mail-server.ts'
import { compareMails, drained, fillPlaces, inviteAll } from './mail/mailing.ts'
import { compareUses, openRegistry, type Registry, registerGuests } from './registering.ts'

/** The names of recipients who accept at the same time. */
const ACCEPTORS = ['Accepted', 'Agreed', 'Coming']

/** What is done besides the doors where all services run: guests are registered and invited, and get badges, and a webhook hears of it. */
export interface Office {
  registry: Registry
  partners: MailDrillEvent
  server: FaultyMailServer
  /** The categories of recipients who accept. */
  invited: InvitedCategory[]
  receiver: Receiver
}

/** A category of recipients who accept, and whether they get a confirmation. */
interface InvitedCategory extends BadgeCategory {
  confirms: boolean
}

/** Who works in an office, and where. */
interface OfficeContext {
  system: RealSystem
  record: MailRecord
  office: Office
  seed: number
  phase: Phase
}

/** Prepares what is needed in the event of the drill; partners are to invite some `recipients`. */
export async function openOffice(client: DrillClient, server: FaultyMailServer, recipients: number): Promise<Office> {
  const registry = await openRegistry(client)
  const invited = await Promise.all(
    [true, false].map(async (confirms): Promise<InvitedCategory> => {
      const fields = { rsvp_enabled: true, confirmation_email_enabled: confirms }
      return { ...(await makeBadgeCategory(client, confirms ? 'Confirmed' : 'Invited', fields)), confirms }
    }),
  )
  const partners = await makeCampaigns(client, recipients, ...invited.map(({ id }) => id))
  const receiver = await receiveEvents(client, ['check_in.created', 'badge.completed'])
  return { registry, partners, server, invited, receiver }
}

/** Registers and invites guests, until `stop`; of the recipients no more than the share that `allowed` gives. */
export async function workInOffice(
  { system, record, office, seed, phase }: OfficeContext,
  allowed: () => number,
  stop: AbortSignal,
): Promise<void> {
  const { registry, partners: event, server } = office
  const device = (n: number): DrillClient => new DrillClient(system, record, phase, n)
  await Promise.all([
    registerGuests(device, record, registry, seed, stop),
    inviteAll({ system, record, event, server, seed, phase }, allowed, stop),
    ...ACCEPTORS.map((name, n) => acceptOn(device(n), record, server, name, new Random(seed + n), stop)),
  ])
}

/** Makes all comparisons of what was done, and adds a line for each to `compared`; gives the guests and categories of the office. */
export async function compareOffice(
  { system, record, office, seed, phase }: OfficeContext,
  checkIns: StoredCheckIn[],
  compared: string[],
): Promise<Left> {
  const { registry, partners: event, server, invited, receiver } = office
  const client = new DrillClient(system, record, phase)
  const mailing = { system, record, event, server, seed, phase }
  await drained(mailing)
  await fillPlaces(mailing)
  const confirming = new Set(invited.flatMap(({ id, confirms }) => (confirms ? id : [])))
  await confirmed(client, record, event, server.confirmations, confirming, phase)
  const counted = await compareMails(mailing, client, compared)
  compared.push(await compareDelivered(record, checkIns, receiver, phase), await compareUses(client, record, registry))
  const ofInvited: ExpectedBadge[] = []
  for (const category of invited) ofInvited.push(...(await readBadges(client, record, system, category, phase)))
  const ofRegistered = await readBadges(client, record, system, registry.category, phase)
  const guests = ofInvited.map(({ guest }) => guest)
  const unsure = new Set(registry.guests.filter(({ isUnsure }) => isUnsure).map(({ id }) => id))
  compared.push(
    compareAcceptances(record, counted, guests),
    compareConfirmations(record, server.confirmations, counted, confirming),
    await compareBadges(record, [...ofInvited, ...ofRegistered], receiver, unsure, phase),
  )
  await receiver.close()
  return {
    uids: [...registry.guests, ...guests].map(({ uid }) => uid),
    categories: [registry.category.id, ...invited.map(({ id }) => id)],
  }
}
