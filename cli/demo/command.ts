import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { Semaphore } from '@gatehouse/proto/concurrency/semaphore.ts'
import { numberFrom } from '@gatehouse/proto/process/command.ts'
import { Command } from 'commander'
import { type Client, connect } from '../../clients/typescript/client.ts'
import { accounts } from '../permissions.ts'
import { showProgress } from '../progress.ts'
import { retried } from '../retry.ts'
import { inSystem } from '../system.ts'
import { count, STOPPED, say, stoppable, type Terminal } from '../terminal.ts'
import { type ArrivalState, arrive } from './arrivals.ts'
import { compareAnswers } from './comparing.ts'
import { rateLine, showArrivals } from './display.ts'
import { type DemoEvent, inviteGuests, makeDemoEvent } from './event.ts'
import { type MailPages, showsMails, walkInvitations } from './invitations.ts'
import { type DemoPlan, doors, HALF_HOUR, makePlan } from './plan.ts'
import type { Comparison } from './recount.ts'
import { runScannerDemo } from './scanner.ts'

/** The options of `gatehouse demo`. */
export interface DemoOptions {
  guests: number
  seconds: number
  seed: number
  /** The secret of `/dev/mail`, if that is known to show e-mails. */
  mailSecret?: string | undefined
}

/** Simulated scanners, each of which sends one request at a time. */
const SCANNERS = 64
const TIMEOUT_MS = 30_000
/** Differences of one comparison that are shown. */
const SHOWN = 5

/** `gatehouse demo`. */
export function demoCommand(terminal: Terminal): Command {
  return new Command('demo')
    .description('Create a made-up event, let its guests arrive, and check that the answers match what is stored')
    .option('--scanner', 'scan one guest yourself instead, with the camera of this machine', false)
    .option('--url <url>', 'the gateway, instead of the one running here')
    .option('--guests <n>', 'guests on the list', numberFrom(1, 1_000_000), 5_000)
    .option('--seconds <n>', 'how many seconds the half hour of arrivals takes', numberFrom(1, 86_400), 20)
    .option('--seed <n>', 'a different seed gives different guests and arrivals', numberFrom(0, 2 ** 32 - 1), 1)
    .action(({ url, scanner, ...options }: DemoOptions & { url?: string; scanner: boolean }) =>
      stoppable(terminal, () =>
        inSystem(terminal, ({ bus, baseUrl, mailSecret }) =>
          scanner
            ? runScannerDemo(bus, url ?? baseUrl, terminal)
            : runDemo({ ...options, mailSecret }, bus, url ?? baseUrl, terminal),
        ),
      ),
    )
}

/** Runs the demo. Returns the exit code: 0, 1 when anything differs, 130 when it was stopped. */
export async function runDemo(
  { guests, seconds, seed, mailSecret }: DemoOptions,
  bus: Bus,
  url: string,
  terminal: Terminal,
): Promise<number> {
  const plan = makePlan(seed, guests)
  const { account_id, auth_token } = await retried(() => clientOf(bus, accounts).bootstrap({ body: { slug: 'demo' } }))
  const scanners = new Semaphore(SCANNERS, SCANNERS)
  const gatehouse = connect({
    url,
    token: auth_token,
    deadlineMs: TIMEOUT_MS,
    fetch: (request, init) => scanners.run('', 1, TIMEOUT_MS, () => fetch(request, init)),
  })
  const opened = new Date(Math.floor(Date.now() / 1000 - HALF_HOUR) * 1000)
  const event = await prepare(gatehouse, account_id, opened, plan, seed, terminal)
  if (terminal.stop.aborted) return STOPPED

  say(terminal.err, `${count(plan.scans.length, 'scan')} of half an hour in ${count(seconds, 'second')}`)
  const display = showArrivals(terminal.err)
  const progress = await arrive(gatehouse, event, opened, plan.scans, seconds, terminal.stop, display.update)
  for (const line of summary(progress)) say(terminal.out, line)

  const comparisons = await compareAnswers(gatehouse, event, plan.guests, progress.answers)
  // After the counts were compared, since those who are invited become guests.
  const invited = await walkIfShown(gatehouse, event, mailSecret && { url, secret: mailSecret }, terminal)
  if (invited) comparisons.push(invited)
  for (const line of verdict(comparisons)) say(terminal.out, line)
  if (invited) say(terminal.out, `The e-mail of an invitation: ${invited.example}`)
  if (progress.unanswered > 0) {
    say(terminal.out, `DIFFERS  ${count(progress.unanswered, 'scan')} got no answer; the first: ${progress.failure}`)
  }
  if (progress.unanswered > 0 || comparisons.some(({ differences }) => differences.length > 0)) return 1
  return terminal.stop.aborted ? STOPPED : 0
}

async function walkIfShown(
  gatehouse: Client,
  event: DemoEvent,
  pages: MailPages | '' | undefined,
  { err, stop }: Terminal,
) {
  if (stop.aborted) return undefined
  if (pages && (await showsMails(pages))) return walkInvitations(gatehouse, event, pages)
  say(err, 'Skipping invitations by e-mail: this system sends real e-mails or does not keep them')
  return undefined
}

async function prepare(
  gatehouse: Client,
  account_id: string,
  opened: Date,
  { guests }: DemoPlan,
  seed: number,
  { err, stop }: Terminal,
): Promise<DemoEvent> {
  const closes = new Date(opened.getTime() + 8 * HALF_HOUR * 1000)
  const event = await makeDemoEvent(gatehouse, account_id, opened, closes)
  say(err, `Event ${event.event_id}: ${count(guests.length, 'guest')}, ${count(doors.length, 'door')}, seed ${seed}`)
  const progress = showProgress(err, 'guests', guests.length)
  try {
    await inviteGuests(gatehouse, event, guests, stop, progress.at)
  } finally {
    progress.end()
  }
  return event
}

function summary(progress: ArrivalState): string[] {
  const byDoor = [...progress.doors].map(
    ([door, { granted, refused }]) => `${door}: ${granted} granted, ${refused} refused`,
  )
  return [...byDoor, `${count(progress.answers.length, 'scan')}, ${rateLine(progress)}`]
}

function verdict(comparisons: Comparison[]): string[] {
  return comparisons.flatMap(({ what, compared, differences }) => [
    `${differences.length === 0 ? 'same   ' : 'DIFFERS'}  ${what} (${compared.toLocaleString('en')} compared)`,
    ...differences.slice(0, SHOWN).map((difference) => `         ${difference}`),
    ...(differences.length > SHOWN ? [`         and ${differences.length - SHOWN} more`] : []),
  ])
}
