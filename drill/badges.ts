import { setTimeout as sleep } from 'node:timers/promises'
import { forEachConcurrently } from '@gatehouse/proto/concurrency/for-each.ts'
import { readPdf } from '@gatehouse/test/harness/pdf.ts'
import type { Received, Receiver } from '@gatehouse/test/harness/receiver.ts'
import type { RealSystem } from '@gatehouse/test/load/system.ts'
import type { DrillClient } from './client.ts'
import { make } from './drill-event.ts'
import type { DrillRecord } from './record.ts'
import { inEvent } from './scanning.ts'

/** How long badges may take when the load is over: after failures they are tried again later and later. */
const MADE_MS = 120_000
const LOOK_MS = 500
/** How often a link is opened, which a busy system answers 503. */
const MAX_TRIES = 10
/** Files that are downloaded at once. */
const CONCURRENCY = 8

/** A category whose guests get badges. */
export interface BadgeCategory {
  id: string
  name: string
}

/** Makes a category whose guests get badges. */
export async function makeBadgeCategory(client: DrillClient, name: string, more: object = {}): Promise<BadgeCategory> {
  const fields = { name, badge_enabled: true, badge_qr_code_enabled: true, ...more }
  return { id: await make(client, 'guest_categories', fields), name }
}

/** A guest as listed with its badges. */
export interface BadgedGuest {
  _id: string
  uid: string
  email: string | null
  first_name: string | null
  last_name: string | null
  badge_url: string | null
  badges: { url: string }[]
}

/** A guest who should have a badge. */
export interface ExpectedBadge {
  guest: BadgedGuest
  /** What the badge is to show. */
  expected: string
  /** What the file behind `badge_url` shows, or why there is none. */
  shown: string
}

/** Lists the guests of a category, and reads their badges; waits for those that are not made yet. */
export async function readBadges(client: DrillClient, { id, name }: BadgeCategory): Promise<ExpectedBadge[]> {
  const { record, system, phase } = client
  const until = performance.now() + MADE_MS * record.slack
  const list = (): Promise<BadgedGuest[]> => client.list(inEvent('guests.json'), `category[]=${id}&badges=true`)
  let guests = await list()
  while (guests.some(({ badge_url }) => badge_url === null) && performance.now() < until) {
    const missing = guests.filter(({ badge_url }) => badge_url === null).length
    phase.waitFor(`${missing} badges of ${name}`)
    await sleep(LOOK_MS, undefined, { signal: phase.signal })
    guests = await list()
  }
  const badges: ExpectedBadge[] = []
  phase.waitFor(() => `${guests.length - badges.length} badges of ${name} to be read`)
  await forEachConcurrently(guests, CONCURRENCY, phase.signal, async (guest) => {
    // The text below the QR code is what is in it.
    const expected = [name, guest.first_name, guest.last_name, guest.uid].filter(Boolean).join(' ')
    badges.push({ guest, expected, shown: await shownBy(system, guest) })
  })
  return badges
}

/** The text of the file to which the link of a guest's badge leads. */
async function shownBy({ gateways }: RealSystem, { badge_url, badges }: BadgedGuest): Promise<string> {
  if (badge_url === null) return 'no badge'
  const at = (url: string): string => gateways[0] + new URL(url).pathname
  const { status, headers } = await opened(at(badge_url))
  const url = headers.get('location')
  if (status !== 302 || url === null || url !== badges[0]?.url) return `the link is answered ${status}, ${url}`
  const file = await opened(at(url))
  if (file.status !== 200) return `the file is answered ${file.status}`
  const bytes = new Uint8Array(await file.arrayBuffer())
  return readPdf(bytes).then(
    ({ text }) => text,
    () => `a file of ${bytes.length} bytes that is not a PDF`,
  )
}

/** Opens a link, again while the answer is 503. */
async function opened(url: string): Promise<Response> {
  for (let tries = 1; ; tries++) {
    const answer = await fetch(url, { redirect: 'manual' })
    if (answer.status !== 503 || tries === MAX_TRIES) return answer
    await sleep(LOOK_MS)
  }
}

/** Compares the files of badges with their guests. */
export function compareFiles(record: DrillRecord, badges: ExpectedBadge[]): void {
  for (const { guest, expected, shown } of badges) {
    const wrong = (kind: string): void => record.violation('badged', kind, [JSON.stringify({ expected, shown, guest })])
    if (guest.badge_url === null) wrong('an ordered badge is not made')
    else if (guest.badges.length !== 1) wrong('a guest has not one badge')
    else if (shown !== expected) wrong('a badge does not show the guest as it is')
  }
}

/** The guests, by id, of whose completed badges a webhook has heard: for each last name the ids of its deliveries. */
export type Completions = Map<string, Map<string, Set<string>>>

/** What a webhook has heard of completed badges. */
export function completionsOf(received: readonly Received[]): Completions {
  const completions: Completions = new Map()
  for (const { headers, json } of received) {
    if (json.type !== 'badge.completed') continue
    const { _id, last_name } = json.data as BadgedGuest
    const ofGuest = completions.getOrInsertComputed(_id, () => new Map<string, Set<string>>())
    ofGuest.getOrInsertComputed(last_name ?? '', () => new Set<string>()).add(String(headers['webhook-id']))
  }
  return completions
}

/**
 * Compares what a webhook has heard of completed badges with the guests. Each change of a name orders a badge, and no name comes twice, unless a
 * change was repeated (`unsure` has the guest's id): so the badge that a guest has was completed once, and no other more than once.
 */
export function compareCompletions(
  record: DrillRecord,
  badges: ExpectedBadge[],
  completions: Completions,
  unsure: ReadonlySet<string>,
): void {
  const ids = new Set(badges.map(({ guest }) => guest._id))
  for (const { guest } of badges)
    if (!isHeardOf(completions, guest))
      record.violation('badged', 'a badge did not reach the webhook', [JSON.stringify(guest)])
  for (const [id, byName] of completions) {
    const wrong = (kind: string): void =>
      record.violation('badged', kind, [id, ...[...byName].map(([name, all]) => `${name}: ${[...all].join(', ')}`)])
    if (!ids.has(id)) wrong('a badge was completed for a guest who has none')
    if (!unsure.has(id) && [...byName.values()].some(({ size }) => size > 1)) wrong('a badge was completed twice')
  }
}

function isHeardOf(completions: Completions, { _id, last_name }: BadgedGuest): boolean {
  return completions.get(_id)?.has(last_name ?? '') ?? false
}

/** Waits until the webhook has heard of all badges, and makes both comparisons. */
export async function compareBadges(
  { record, phase }: DrillClient,
  badges: ExpectedBadge[],
  { received }: Receiver,
  unsure: ReadonlySet<string>,
): Promise<string> {
  const until = performance.now() + MADE_MS * record.slack
  let completions = completionsOf(received)
  for (;;) {
    const missing = badges.filter(({ guest }) => !isHeardOf(completions, guest)).length
    if (missing === 0 || performance.now() > until) break
    phase.waitFor(`the webhook to hear of ${missing} badges`)
    await sleep(LOOK_MS, undefined, { signal: phase.signal })
    completions = completionsOf(received)
  }
  compareFiles(record, badges)
  compareCompletions(record, badges, completions, unsure)
  const completed = [...completions.values()].reduce((sum, byName) => sum + byName.size, 0)
  return `${badges.length} badges with their guests, and ${completed} completed ones at a webhook`
}
