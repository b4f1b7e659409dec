import { appendFileSync, writeFileSync } from 'node:fs'
import type { Writable } from 'node:stream'
import { fullSentences } from '@gatehouse/proto/declaring/faults.ts'
import { type ProgressDisplay, showProgress } from '../progress.ts'
import { count, say } from '../terminal.ts'
import type { GoneOutcome, Taken } from './kind.ts'
import { idOf, type SourceItem } from './source.ts'

const SHOWN = 20

/** How many things of a kind came to what. */
interface Tally {
  stored: number
  updated: number
  deleted: number
  same: number
  differs: number
  missing: number
  wrong: number
}

function noneYet(): Tally {
  return { stored: 0, updated: 0, deleted: 0, same: 0, differs: 0, missing: 0, wrong: 0 }
}

/** Counts what became of things, and shows it. With a file, each thing that was not taken is a line of JSON in it. */
export class MigrationReport {
  readonly #stream: Writable
  readonly #file: string | undefined
  readonly #tallies = new Map<string, Tally>()
  readonly #totals = new Map<string, Tally>()
  readonly #problems: string[] = []
  #problemCount = 0
  #progress: ProgressDisplay | undefined
  #done = 0
  #kind = ''
  /** What was said already, once problems are said as they come. */
  #said: Set<string> | undefined

  constructor(stream: Writable, file?: string) {
    this.#stream = stream
    this.#file = file
    if (file) writeFileSync(file, '')
  }

  /** Whether there is anything here that is not as there. */
  get hasDifferences(): boolean {
    return this.#problemCount > 0
  }

  /** From now on each problem is said once, as it comes. What was counted before is dropped. */
  followFromNow(): void {
    this.#said = new Set(this.#problems)
    this.#problems.length = 0
    this.#problemCount = 0
    this.#tallies.clear()
  }

  /** What came of each kind since the last call. */
  takeNews(): Map<string, string> {
    const news = [...this.#tallies].map(([kind, tally]) => {
      const { stored, updated, deleted } = tally
      const parts = [
        ...(stored > 0 ? [count(stored, 'new', 'new')] : []),
        ...(updated > 0 ? [`${updated.toLocaleString('en')} changed`] : []),
        ...(deleted > 0 ? [`${deleted.toLocaleString('en')} deleted`] : []),
      ]
      return [kind, parts.join(', ')] as const
    })
    for (const [kind, { stored, updated, deleted }] of this.#tallies) {
      const total = this.#totals.getOrInsertComputed(kind, noneYet)
      total.stored += stored
      total.updated += updated
      total.deleted += deleted
    }
    this.#tallies.clear()
    return new Map(news)
  }

  /** Shows what came since `followFromNow`. */
  printTotals(): void {
    this.takeNews()
    this.#printTallies(this.#totals)
    const problems = count(this.#problemCount, 'thing is', 'things are')
    if (this.#problemCount > 0) say(this.#stream, `${problems} not as there`)
  }

  /** Notes that things that are gone there were deleted here, or stay. */
  noteGone(kind: string, ids: string[], outcomes: GoneOutcome[]): void {
    for (const [index, outcome] of outcomes.entries()) {
      if (outcome === 'deleted') this.#tallyOf(kind).deleted++
      if (outcome === 'kept') this.#problem(kind, ids[index], 'is gone there, and stays: it was changed or used here')
    }
  }

  begin({ _id, title }: SourceItem): void {
    if (this.#said) return
    say(this.#stream, `${title ?? 'Untitled'} (${_id})`)
  }

  expect(kind: string, total = 0): void {
    this.#done = 0
    this.#kind = kind
    this.#progress = total > 0 && !this.#said ? showProgress(this.#stream, kind, total) : undefined
  }

  end(_kind: string): void {
    this.#progress?.end()
    this.#progress = undefined
  }

  note(kind: string, items: SourceItem[], taken: Taken[]): void {
    const tally = this.#tallyOf(kind)
    for (const [index, each] of taken.entries()) {
      tally['errors' in each ? 'wrong' : each.outcome]++
      const id = idOf(items[index] ?? {})
      if ('errors' in each) this.#problem(kind, id, fullSentences(each.errors).join('; '))
      else if (each.outcome === 'differs') this.#problem(kind, id, `is here otherwise: ${each.fields.join(', ')}`)
      else if (each.outcome === 'missing')
        this.#problem(kind, id, this.#said ? 'was deleted here, and stays so' : 'is not here')
    }
    if (kind === this.#kind) this.#done += items.length
    this.#progress?.at(this.#done)
  }

  /** Notes a difference that is not one thing's. */
  differ(line: string): void {
    this.#add(line, { difference: line })
  }

  /** Shows what came, and the first things that did not. */
  print(): void {
    this.#printTallies(this.#tallies)
    for (const line of this.#problems) say(this.#stream, line)
    const more = this.#problemCount - this.#problems.length
    if (more > 0)
      say(
        this.#stream,
        `and ${count(more, 'more')}${this.#file ? `, all in ${this.#file}` : ' (--report FILE has all)'}`,
      )
  }

  #printTallies(tallies: Map<string, Tally>): void {
    const width = Math.max(0, ...[...tallies.keys()].map((kind) => kind.length))
    for (const [kind, { stored, updated, deleted, same, differs, missing, wrong }] of tallies) {
      const parts = [
        ...(stored > 0 ? [`${count(stored, 'new', 'new')}`] : []),
        ...(updated > 0 ? [`${updated.toLocaleString('en')} changed there, and now here`] : []),
        ...(deleted > 0 ? [`${deleted.toLocaleString('en')} deleted there, and now here`] : []),
        ...(same > 0 ? [`${same.toLocaleString('en')} here already`] : []),
        ...(differs > 0 ? [`${differs.toLocaleString('en')} otherwise here`] : []),
        ...(missing > 0 ? [`${missing.toLocaleString('en')} not here`] : []),
        ...(wrong > 0 ? [`${wrong.toLocaleString('en')} not taken`] : []),
      ]
      say(this.#stream, `  ${kind.padEnd(width)}  ${parts.join(', ') || 'none'}`)
    }
  }

  #tallyOf(kind: string): Tally {
    return this.#tallies.getOrInsertComputed(kind, noneYet)
  }

  #problem(kind: string, id: string | undefined, problem: string): void {
    this.#add(`${kind} ${id ?? 'without id'}: ${problem}`, { kind, id: id ?? null, problem })
  }

  #add(line: string, entry: object): void {
    if (this.#said?.has(line)) return
    this.#problemCount++
    if (this.#said) {
      this.#said.add(line)
      say(this.#stream, line)
    } else if (this.#problems.length < SHOWN) this.#problems.push(line)
    if (this.#file) appendFileSync(this.#file, `${JSON.stringify(entry)}\n`)
  }
}
