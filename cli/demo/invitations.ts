import { setTimeout as sleep } from 'node:timers/promises'
import type { Api } from './api.ts'
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

interface Made {
  _id: string
}

interface Invitee {
  invitation: Made
  email: string
  answer: 'accepted' | 'declined'
}

/** Whether the gateway shows e-mails, which it does where none are sent. */
export async function showsMails(url: string): Promise<boolean> {
  const { ok } = await fetch(pageOf(url, '')).catch(() => ({ ok: false }))
  return ok
}

/**
 * Walks the way of invitations: a partner uploads recipients, the recipients answer by the links of their e-mails, and who has accepted is
 * checked in. Gives what differs from that, and where the first e-mail is shown.
 */
export async function walkInvitations(
  api: Api,
  event: DemoEvent,
  run: string,
  url: string,
): Promise<Comparison & { example: string }> {
  const invitees = await invite(api, event, run)
  const differences: string[] = []
  for (const invitee of invitees) {
    const difference = await walk(api, event, run, url, invitee)
    if (difference) differences.push(`${invitee.email} ${difference}`)
  }
  const [first] = invitees
  return {
    what: 'who accepts by the link of an e-mail is at the door, and nobody else',
    compared: invitees.length,
    differences,
    example: pageOf(url, first?.invitation._id ?? ''),
  }
}

/** A partner with a quota for all of them, which uploads them with its access token. */
async function invite(api: Api, { event_id, categoryIds }: DemoEvent, run: string): Promise<Invitee[]> {
  const path = `events/${event_id}`
  const { _id: partner_id } = await api.create<Made>(`${path}/partners`, `${run}-partner`, { name: PARTNER })
  const type = { name: 'Evening', guest_category_id: categoryIds.get('Visitor'), message: MESSAGE }
  const { _id: typeId } = await api.create<Made>(`${path}/invitation_types`, `${run}-type`, type)
  const campaigns = `${path}/invitation_types/${typeId}/partner_campaigns`
  const campaign = await api.create<Made>(campaigns, `${run}-campaign`, { partner_id, quota: INVITEES.length })
  const tokens = `${path}/partners/${partner_id}/partner_campaigns/${campaign._id}/partner_access_tokens`
  const { token } = await api.create<{ token: string }>(tokens, `${run}-token`, {})
  const recipients = INVITEES.map(({ answer: _, ...recipient }) => recipient)
  const invitations = await api.create<Made[]>(`partners/${token}/invitations/batch_create`, `${run}-batch`, recipients)
  return INVITEES.flatMap(({ email, answer }, index) => {
    const invitation = invitations[index]
    return invitation ? [{ invitation, email, answer }] : []
  })
}

/** Answers an invitation as its recipient does, and scans the guest. Gives what is not as it should be. */
async function walk(
  api: Api,
  { event_id, doorIds }: DemoEvent,
  run: string,
  url: string,
  { invitation, email, answer }: Invitee,
): Promise<string | undefined> {
  const link = await linkOf(pageOf(url, invitation._id))
  if (!link) return 'got no e-mail with a link'
  const { status } = await fetch(link, { method: 'POST', body: new URLSearchParams({ answer }) })
  if (status !== 200) return `could not answer: ${status}`
  const query = `?search=${encodeURIComponent(email)}`
  const [guest] = await api.read<{ uid: string }[]>(`events/${event_id}/guests`, query)
  if (answer === 'declined') return guest ? 'declined and is a guest' : undefined
  if (!guest) return 'accepted and is no guest'
  const scan = { accesspoint_id: doorIds.get(DOOR), guest_uid: guest.uid }
  const key = `${run}-invited-${invitation._id}`
  const { access_status } = await api.create<{ access_status: number }>(`events/${event_id}/access_controls`, key, scan)
  return access_status === 0 ? undefined : `accepted and is refused at the door: ${access_status}`
}

/** The link to the invitation in the e-mail which a page shows, once it was sent. */
async function linkOf(page: string): Promise<string | undefined> {
  const until = performance.now() + MAIL_TIMEOUT_MS
  while (performance.now() < until) {
    const answer = await fetch(page)
    if (answer.ok) return /href="([^"]+\/rsvp\/[^"]+)"/.exec(await answer.text())?.[1]
    await sleep(POLL_MS)
  }
  return undefined
}

function pageOf(url: string, name: string): string {
  return `${url.replace(/\/$/, '')}/dev/mail${name && `/${name}`}`
}
