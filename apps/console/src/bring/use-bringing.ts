import { Fault } from '@gatehouse/proto/declaring/faults.ts'
import { useEffect, useRef, useState } from 'preact/hooks'
import { errorWords } from '../form/error-words.ts'
import { ownZone, placedZone } from '../form/values.ts'
import { patiently } from '../server/patience.ts'
import { asRefusal, type GatehouseError, newKey, post } from '../server/server.ts'
import { knownZone } from '../texts/times.ts'
import { useConsole } from '../view/console.ts'
import { CSV, saveFile } from '../view/save-file.ts'
import type { BroughtFile, FilesKind, Outcome } from './files.ts'
import { outcomeWords, problemWords } from './words.ts'

type Reader = typeof import('./files.ts')

/** What somebody says that files do not say. */
export interface Options {
  /** Of a new event, as its time zone. */
  title: string
  timezone: string
  point: string
  dates: '' | 'dmy' | 'mdy'
  at: string
  unpaid: boolean
  checkIns: boolean
  /** The names of ticket types that stay out. */
  without: readonly string[]
  /** What columns are that were found to be something else, by the names of files and their places. */
  columns: Readonly<Record<string, Readonly<Record<number, string>>>>
}

/** How far an import has come. */
export interface Progress {
  done: number
  count: number
  /** Guests of the event who were read. */
  guests: number
}

interface State {
  files: BroughtFile[]
  reader?: Reader
  /** Why the files cannot be read. */
  problem: string
  error?: GatehouseError | undefined
  plan?: Outcome[] | undefined
  done?: Outcome[] | undefined
  /** Rows that are left of an import that was stopped. */
  left: number
  isLooking: boolean
  isRunning: boolean
}

const NOTHING: State = { files: [], problem: '', left: 0, isLooking: false, isRunning: false }
const CHOSEN: Options = {
  title: '',
  timezone: placedZone(),
  point: '',
  dates: '',
  at: '',
  unpaid: false,
  checkIns: true,
  without: [],
  columns: {},
}
/** Progress is shown this often: there may be a hundred thousand rows. */
const SHOW_EVERY_MS = 100

/** Files that are being brought into an event: read, planned again after each change of a choice, and imported. */
export function useBringing(kind: FilesKind, event: string, choose: ((event: string) => void) | undefined) {
  const { say, session } = useConsole()
  const [state, setState] = useState<State>(NOTHING)
  const [options, setOptions] = useState<Options>(CHOSEN)
  const zone = knownZone(options.timezone)
  const [progress, setProgress] = useState<Progress>({ done: 0, count: 0, guests: 0 })
  const stopping = useRef(new AbortController())
  const isImporting = useRef(false)
  const key = useRef(newKey())
  const update = (next: Partial<State>): void => setState((before) => ({ ...before, ...next }))
  useEffect(() => () => stopping.current.abort(), [])

  const begun = (): AbortSignal => {
    stopping.current.abort()
    stopping.current = new AbortController()
    return stopping.current.signal
  }
  const destination = () => ({
    ...(options.point && { point: options.point }),
    ...(options.dates && { dates: options.dates }),
    ...(options.at && { at: options.at.replace('T', ' ') }),
    ...(kind === 'tickets' && { unpaid: options.unpaid, checkIns: options.checkIns, without: options.without }),
  })
  const choicesOf = ({ name }: BroughtFile) => ({ options: destination(), chosen: options.columns[name] ?? {} })
  const refused = (problem: unknown, signal: AbortSignal): void => {
    if (signal.aborted) return
    if (problem instanceof Fault) update({ problem: faultWords(problem) })
    else update({ error: asRefusal(problem) })
  }
  const faultWords = (fault: Fault): string => {
    const first = fault.errors?.file?.[0] ?? fault.reason
    return first ? errorWords(say, first) : fault.message
  }

  const open = async (chosen: readonly File[]): Promise<void> => {
    const signal = begun()
    setState(NOTHING)
    setOptions((before) => ({ ...before, columns: {} }))
    if (chosen.length === 0) return
    update({ isLooking: true })
    let reader: Reader | undefined
    try {
      reader = await import('./files.ts')
      const files = await reader.openFiles(chosen, kind)
      if (!signal.aborted) update({ reader, files })
    } catch (problem) {
      if (reader && problem instanceof reader.UnknownFile)
        update({ problem: say('bring_unknown_file', { name: problem.message }) })
      else refused(problem, signal)
      update({ isLooking: false })
    }
  }

  const { reader, files } = state
  const look = async (): Promise<void> => {
    if (!reader || files.length === 0 || (kind === 'attendance' && event === '')) return
    const signal = begun()
    update({ isLooking: true, error: undefined, problem: '', done: undefined, left: 0 })
    setProgress({ done: 0, count: 0, guests: 0 })
    try {
      const onReading = (guests: number): void => setProgress((before) => ({ ...before, guests }))
      const system = new reader.HttpEventSystem(event, signal, zone ?? ownZone(), onReading)
      const plan: Outcome[] = []
      for (const file of files) plan.push(await reader.lookAt(file, system, choicesOf(file), signal))
      if (!signal.aborted) update({ plan })
    } catch (problem) {
      if (!signal.aborted) update({ plan: undefined })
      refused(problem, signal)
    }
    if (!signal.aborted) update({ isLooking: false })
  }
  const chosen = JSON.stringify([event, event === '' && zone, destination(), options.columns])
  useEffect(() => {
    // An import goes on when its new event is made.
    if (!isImporting.current) void look()
  }, [files, chosen])

  const run = async (): Promise<void> => {
    if (!reader) return
    const signal = begun()
    isImporting.current = true
    const count = files.reduce((sum, { list }) => sum + list.count, 0)
    update({ isRunning: true, error: undefined, done: undefined, left: 0 })
    setProgress({ done: 0, count, guests: 0 })
    const done: Outcome[] = []
    let before = 0
    let left = 0
    let shown = 0
    const at = (rows: number): void => {
      if (performance.now() - shown < SHOW_EVERY_MS) return
      shown = performance.now()
      setProgress({ done: before + rows, count, guests: 0 })
    }
    try {
      const target = event || (await makeEvent(signal))
      const system = new reader.HttpEventSystem(target, signal, zone ?? ownZone())
      for (const file of files) {
        const { left: rows, ...outcome } = await reader.bring(file, system, choicesOf(file), at, signal)
        done.push(outcome)
        left += rows
        before += file.list.count
      }
      setProgress({ done: count - left, count, guests: 0 })
    } catch (problem) {
      left = count
      refused(problem, signal)
    }
    isImporting.current = false
    update({ isRunning: false, done: done.length > 0 ? done : undefined, left })
  }
  const makeEvent = async (signal: AbortSignal): Promise<string> => {
    const body = { title: options.title.trim(), timezone: options.timezone, account_id: session.account_id }
    const { _id } = await patiently(() => post('/api/v1/events.json', {}, body, key.current), signal)
    choose?.(String(_id))
    return String(_id)
  }

  const saveReport = (): void => {
    if (!reader || !state.done) return
    const rows = state.done.flatMap((outcome) => [
      ...outcomeWords(say, outcome, false).map((words) => [outcome.name, '', words]),
      ...[...outcome.bad, ...outcome.warnings].map(({ line, problem, cells }) => [
        outcome.name,
        line,
        problemWords(say, problem),
        ...cells,
      ]),
    ])
    saveFile('import-report.csv', ['\ufeff', reader.csvOf([['file', 'line', 'result'], ...rows])], CSV)
  }

  return {
    ...state,
    options,
    change: (next: Partial<Options>): void => setOptions((before) => ({ ...before, ...next })),
    progress,
    /** Whether an import may begin. */
    isReady: !state.isLooking && (event !== '' || (options.title.trim() !== '' && zone !== undefined)),
    open: (chosenFiles: readonly File[]) => void open(chosenFiles),
    look: () => void look(),
    start: () => void run(),
    stop: () => stopping.current.abort(),
    saveReport,
  }
}
