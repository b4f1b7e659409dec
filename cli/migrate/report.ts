import { appendFileSync, writeFileSync } from 'node:fs'
import type { Writable } from 'node:stream'
import { fullSentences } from '@gatehouse/proto/declaring/faults.ts'
import { type ProgressDisplay, showProgress } from '../progress.ts'
import { count, say } from '../terminal.ts'
import type { Taken } from './kinds.ts'
import { idOf, type SourceItem } from './source.ts'

const SHOWN = 20

/** How many things of a kind came to what. */
interface Tally {
  stored: number
  same: number
  differs: number
  missing: number
  wrong: number
}

/** Counts what became of things, and shows it. With a file, each thing that was not taken is a line of JSON in it. */
export class MigrationReport {
  readonly #stream: Writable
  readonly #file: string | undefined
  readonly #tallies = new Map<string, Tally>()
  readonly #problems: string[] = []
  #problemCount = 0
  #progress: ProgressDisplay | undefined
  #done = 0

  constructor(stream: Writable, file?: string) {
    this.#stream = stream
    this.#file = file
    if (file) writeFileSync(file, '')
  }

  /** Whether there is anything here that is not as there. */
  get hasDifferences(): boolean {
    return this.#problemCount > 0
  }

  begin({ _id, title }: SourceItem): void {
    say(this.#stream, `${title ?? 'Untitled'} (${_id})`)
  }

  expect(kind: string, total = 0): void {
    this.#done = 0
    this.#progress = total > 0 ? showProgress(this.#stream, kind, total) : undefined
  }

  end(_kind: string): void {
    this.#progress?.end()
    this.#progress = undefined
  }

  note(kind: string, items: SourceItem[], taken: Taken[]): void {
    const tally = this.#tallies.getOrInsertComputed(kind, () => ({
      stored: 0,
      same: 0,
      differs: 0,
      missing: 0,
      wrong: 0,
    }))
    for (const [index, each] of taken.entries()) {
      tally['errors' in each ? 'wrong' : each.outcome]++
      const id = idOf(items[index] ?? {})
      if ('errors' in each) this.#problem(kind, id, fullSentences(each.errors).join('; '))
      else if (each.outcome === 'differs') this.#problem(kind, id, `is here otherwise: ${each.fields.join(', ')}`)
      else if (each.outcome === 'missing') this.#problem(kind, id, 'is not here')
    }
    this.#done += items.length
    this.#progress?.at(this.#done)
  }

  /** Notes a difference that is not one thing's. */
  differ(line: string): void {
    this.#add(line, { difference: line })
  }

  /** Shows what came, and the first things that did not. */
  print(): void {
    const width = Math.max(0, ...[...this.#tallies.keys()].map((kind) => kind.length))
    for (const [kind, { stored, same, differs, missing, wrong }] of this.#tallies) {
      const parts = [
        ...(stored > 0 ? [`${count(stored, 'new', 'new')}`] : []),
        ...(same > 0 ? [`${same.toLocaleString('en')} here already`] : []),
        ...(differs > 0 ? [`${differs.toLocaleString('en')} otherwise here`] : []),
        ...(missing > 0 ? [`${missing.toLocaleString('en')} not here`] : []),
        ...(wrong > 0 ? [`${wrong.toLocaleString('en')} not taken`] : []),
      ]
      say(this.#stream, `  ${kind.padEnd(width)}  ${parts.join(', ') || 'none'}`)
    }
    for (const line of this.#problems) say(this.#stream, line)
    const more = this.#problemCount - this.#problems.length
    if (more > 0)
      say(
        this.#stream,
        `and ${count(more, 'more')}${this.#file ? `, all in ${this.#file}` : ' (--report FILE has all)'}`,
      )
  }

  #problem(kind: string, id: string | undefined, problem: string): void {
    this.#add(`${kind} ${id ?? 'without id'}: ${problem}`, { kind, id: id ?? null, problem })
  }

  #add(line: string, entry: object): void {
    this.#problemCount++
    if (this.#problems.length < SHOWN) this.#problems.push(line)
    if (this.#file) appendFileSync(this.#file, `${JSON.stringify(entry)}\n`)
  }
}
