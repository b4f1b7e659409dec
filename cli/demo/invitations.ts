import { setTimeout as sleep } from 'node:timers/promises'
import { unavailable } from '@gatehouse/proto/declaring/faults.ts'
import type { Client, PartnerInvitation } from '../../clients/typescript/client.ts'
import { retried } from '../retry.ts'
import type { DemoEvent } from './event.ts'
import type { Comparison } from './recount.ts'

/** Whom the demo's partner invites, and what they answer. */
const INVITEES = [
  { first_name: 'Małgorzata', last_name: 'Wójcik', email: 'malgorzata@demo.invalid', answer: 'accepted' },
  { first_name: 'Kwame', last_name: 'Mensah', email: 'kwame@demo.invalid', answer: 'accepted' },
  { first_name: '静', last_name: '王', email: 'jing@demo.invalid', answer: 'declined' },
] as const

const PARTNER = 'Atelier Lumière'
const MESSAGE = `Dear {{first_name}} {{last_name}},

*{{partner_name}}* invites you to **{{event_title}}**. [Please answer here]({{link}}).`
const DOOR = 'Main entrance'
const MAIL_TIMEOUT_MS = 30_000
const POLL_MS = 50

interface Invitee {
  invitation: PartnerInvitation
  email: string
  answer: 'accepted' | 'declined'
}

/** Where a gateway shows e-mails to those who know its secret. */
export interface MailPages {
  url: string
  secret: string
}

/** Whether the gateway shows e-mails, which it does where none are sent. */
export async function showsMails(pages: MailPages): Promise<boolean> {
  const { ok } = await ask(pageOf(pages, '')).catch(() => ({ ok: false }))
  return ok
}

/**
 * Walks the way of invitations: a partner uploads recipients, the recipients answer by the links of their e-mails, and who has accepted is
 * checked in. Returns what differs from that, and where the first e-mail is shown.
 */
export async function walkInvitations(
  gatehouse: Client,
  event: DemoEvent,
  pages: MailPages,
): Promise<Comparison & { example: string }> {
  const invitees = await invite(gatehouse, event)
  const differences: string[] = []
  for (const invitee of invitees) {
    const difference = await walk(gatehouse, event, pages, invitee)
    if (difference) differences.push(`${invitee.email} ${difference}`)
  }
  const [first] = invitees
  return {
    what: 'who accepts by the link of an e-mail is at the door, and nobody else',
    compared: invitees.length,
    differences,
    example: pageOf(pages, first?.invitation._id ?? ''),
  }
}

/** A partner with a quota for all of them, which uploads them with its access token. */
async function invite(gatehouse: Client, { event_id, categoryIds }: DemoEvent): Promise<Invitee[]> {
  const { data: partner } = await gatehouse.POST('/api/v1/events/{event_id}/partners.json', {
    params: { path: { event_id } },
    body: { name: PARTNER },
  })
  const { data: type } = await gatehouse.POST('/api/v1/events/{event_id}/invitation_types.json', {
    params: { path: { event_id } },
    body: { name: 'Evening', guest_category_id: categoryIds.get('Visitor')!, message: MESSAGE },
  })
  const { data: campaign } = await gatehouse.POST(
    '/api/v1/events/{event_id}/invitation_types/{invitation_type_id}/partner_campaigns.json',
    {
      params: { path: { event_id, invitation_type_id: type._id } },
      body: { partner_id: partner._id, quota: INVITEES.length },
    },
  )
  const { data: access } = await gatehouse.POST(
    '/api/v1/events/{event_id}/partners/{partner_id}/partner_campaigns/{partner_campaign_id}/partner_access_tokens.json',
    { params: { path: { event_id, partner_id: partner._id, partner_campaign_id: campaign._id } }, body: {} },
  )
  const { data: invitations } = await gatehouse.POST(
    '/api/v1/partners/{partner_access_token}/invitations/batch_create.json',
    {
      params: { path: { partner_access_token: access.token } },
      body: INVITEES.map(({ answer: _, ...recipient }) => recipient),
    },
  )
  return INVITEES.flatMap(({ email, answer }, index) => {
    const invitation = invitations[index]
    return invitation && '_id' in invitation ? [{ invitation, email, answer }] : []
  })
}

/** Answers an invitation as its recipient does, and scans the guest. Returns what is not as it should be. */
async function walk(
  gatehouse: Client,
  { event_id, doorIds }: DemoEvent,
  pages: MailPages,
  { invitation, email, answer }: Invitee,
): Promise<string | undefined> {
  const link = await linkOf(pageOf(pages, invitation._id))
  if (!link) return 'got no e-mail with a link'
  const { status } = await ask(link, { method: 'POST', body: new URLSearchParams({ answer }) })
  if (status !== 200) return `could not answer: ${status}`
  const path = { event_id }
  const { data: guests } = await gatehouse.GET('/api/v1/events/{event_id}/guests.json', {
    params: { path, query: { search: email } },
  })
  const [guest] = guests
  if (answer === 'declined') return guest ? 'declined and is a guest' : undefined
  if (!guest) return 'accepted and is no guest'
  const { data: checkIn } = await gatehouse.POST('/api/v1/events/{event_id}/access_controls.json', {
    params: { path },
    body: { accesspoint_id: doorIds.get(DOOR)!, guest_uid: guest.uid },
  })
  return checkIn.access_status === 0 ? undefined : `accepted and is refused at the door: ${checkIn.access_status}`
}

/** The link to the invitation in the e-mail that a page shows, once it was sent. */
async function linkOf(page: string): Promise<string | undefined> {
  const until = performance.now() + MAIL_TIMEOUT_MS
  while (performance.now() < until) {
    const answer = await ask(page)
    if (answer.ok) return /href="([^"]+\/rsvp\/[^"]+)"/.exec(await answer.text())?.[1]
    await sleep(POLL_MS)
  }
  return undefined
}

/** Asks for a page, again while the gateway has too much to do. */
function ask(page: string, init?: RequestInit): Promise<Response> {
  return retried(async () => {
    const answer = await fetch(page, init)
    if (answer.status === 503) throw unavailable()
    return answer
  })
}

function pageOf({ url, secret }: MailPages, name: string): string {
  return `${url.replace(/\/$/, '')}/dev/mail${name && `/${name}`}?secret=${secret}`
}
