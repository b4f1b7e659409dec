import { yieldingPause } from '@gatehouse/proto/concurrency/yielding-pause.ts'
import { conflict, Fault } from '@gatehouse/proto/declaring/faults.ts'
import { messageOf } from '@gatehouse/proto/declaring/messages.ts'
import { type Call, type Download, required } from '@gatehouse/proto/declaring/resource.ts'
import type { Dependencies } from '../dependencies.ts'
import type { FilePosition } from './pdf-parts.ts'
import type { badges } from './resource.ts'

type Print = Call<typeof badges.actions.print>

/** Badges of a part: half a second's work. */
const PER_PART = 100
/** Files that have taken this long no longer yield, as single badges (docs/adr/0009). */
const PATIENCE_MS = 60_000

/** Fonts and PDF are loaded when they are first needed, as by the maker of badges. */
const drawing = () => import('./pdf-parts.ts')

/** Where a part begins. */
interface Start {
  at: FilePosition
  /** The guest before; none for the first part. */
  after: { sort_name: string; id: string }[]
  /** All badges of the file, when it began. */
  total: number
  /** In ms since 1970. */
  begun: number
}

/** Draws the badges of guests, or some of them, by name. One file of an account is made at a time; its turn ends with the client's. */
export async function print(dependencies: Dependencies, call: Print): Promise<Download> {
  const { printTurns } = dependencies
  const { part, caller } = call
  const { account_id } = required(caller)
  if (part.is_given_up) {
    await printTurns.end(account_id, part.file)
    return { bytes: new Uint8Array() }
  }
  if (!(await printTurns.take(account_id, part.file))) throw conflict(messageOf('badges_in_progress'))
  try {
    const made = await partFrom(
      dependencies,
      call,
      part.after ? JSON.parse(part.after) : await startOf(dependencies, call),
    )
    if (!made.next) await printTurns.end(account_id, part.file)
    return made
  } catch (error) {
    // A part is asked for again if the service was away, a file that was refused is not.
    if (error instanceof Fault && error.code !== 'unavailable') await printTurns.end(account_id, part.file)
    throw error
  }
}

async function startOf({ badgeOrderClient }: Dependencies, { params, query }: Print): Promise<Start> {
  const { count } = await badgeOrderClient.count_printed({ body: selectionOf(params.event_id, query) })
  if (count === 0) throw new Fault('not_found', messageOf('no_badges'))
  const { BEGINNING } = await drawing()
  return { at: BEGINNING, after: [], total: count, begun: Date.now() }
}

async function partFrom(
  { badgeOrderClient, designs }: Dependencies,
  { params: { event_id }, query }: Print,
  { at, after, total, begun }: Start,
): Promise<Download> {
  const start = performance.now()
  const used = process.threadCpuUsage()
  const { partOf } = await drawing()
  const body = { ...selectionOf(event_id, query), after, limit: PER_PART }
  const { guests, after: behind } = await badgeOrderClient.printed_by_name({ body })
  const badges = await designs.of(event_id, guests)
  const comment = `Badges ${Math.min(at.pages, total)} of ${total}`
  const pages = badges.map(({ page }) => page)
  const { bytes, end } = await partOf(pages, at, { isLast: behind.length === 0, comment })
  if (behind.length === 0) return { bytes }
  const { user, system } = process.threadCpuUsage(used)
  const waitedMs = performance.now() - start - (user + system) / 1_000
  const next: Start = { at: end, after: behind, total, begun }
  const pause_ms = Math.round(yieldingPause(Math.max(0, waitedMs), Date.now() - begun, PATIENCE_MS))
  return { bytes, next: { after: JSON.stringify(next), pause_ms } }
}

function selectionOf(event_id: string, { category, checked_in }: Print['query']) {
  return { event_id, ...(category && { categories: category }), ...(checked_in !== undefined && { checked_in }) }
}
