import { Random } from '@gatehouse/cli/demo/random.ts'
import type { StoredCheckIn } from '@gatehouse/cli/demo/recount.ts'
import type { Receiver } from '@gatehouse/test/harness/receiver.ts'
import { type BadgeCategory, compareBadges, type ExpectedBadge, makeBadgeCategory, readBadges } from './badges.ts'
import type { Left } from './changing.ts'
import type { DrillClient } from './client.ts'
import { acceptOn, compareAcceptances } from './mail/accepting.ts'
import { type MailDrillEvent, makeCampaigns } from './mail/campaigns.ts'
import { compareConfirmations, confirmed } from './mail/confirming.ts'
import type { FaultyMailServer } from './mail/mail-server.ts'
import { compareMails, drained, fillPlaces, inviteAll } from './mail/mailing.ts'
import { compareUses, openRegistry, type Registry, registerGuests } from './registering.ts'
import { compareDelivered, receiveEvents } from './webhook.ts'

/** The names of recipients who accept at the same time. */
const ACCEPTORS = ['Accepted', 'Agreed', 'Coming']

/** What is done besides the doors where all services run: guests are registered and invited, and get badges, and a webhook hears of it. */
export interface Registration {
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

/** A registration with what works in it. */
interface RegistrationContext {
  client: DrillClient
  registration: Registration
  seed: number
}

/** Prepares what is needed in the event of the drill; partners are to invite some `recipients`. */
export async function openRegistration(
  client: DrillClient,
  server: FaultyMailServer,
  recipients: number,
): Promise<Registration> {
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
export async function registerAndInvite(
  { client, registration, seed }: RegistrationContext,
  allowed: () => number,
  stop: AbortSignal,
): Promise<void> {
  const { registry, partners: event, server } = registration
  await Promise.all([
    registerGuests(client, registry, seed, stop),
    inviteAll({ client, event, server, seed }, allowed, stop),
    ...ACCEPTORS.map((name, n) => acceptOn(client.at(n), server, name, new Random(seed + n), stop)),
  ])
}

/** Makes all comparisons of what was done, and adds a line for each to `compared`; returns its guests and categories. */
export async function compareRegistration(
  { client, registration, seed }: RegistrationContext,
  checkIns: StoredCheckIn[],
  compared: string[],
): Promise<Left> {
  const { registry, partners: event, server, invited, receiver } = registration
  const { record } = client
  const mailing = { client, event, server, seed }
  await drained(mailing)
  await fillPlaces(mailing)
  const confirming = new Set(invited.flatMap(({ id, confirms }) => (confirms ? id : [])))
  await confirmed(client, event, server.confirmations, confirming)
  const counted = await compareMails(mailing, compared)
  compared.push(await compareDelivered(client, checkIns, receiver), await compareUses(client, registry))
  const ofInvited: ExpectedBadge[] = []
  for (const category of invited) ofInvited.push(...(await readBadges(client, category)))
  const ofRegistered = await readBadges(client, registry.category)
  const guests = ofInvited.map(({ guest }) => guest)
  const unsure = new Set(registry.guests.filter(({ isUnsure }) => isUnsure).map(({ id }) => id))
  compared.push(
    compareAcceptances(record, counted, guests),
    compareConfirmations(record, server.confirmations, counted, confirming),
    await compareBadges(client, [...ofInvited, ...ofRegistered], receiver, unsure),
  )
  await receiver.close()
  return {
    uids: [...registry.guests, ...guests].map(({ uid }) => uid),
    categories: [registry.category.id, ...invited.map(({ id }) => id)],
  }
}
