import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { openCamera } from '../../../shared/src/camera/camera.ts'
import { watch } from '../../../shared/src/camera/watching.ts'
import { listenToKeys } from '../../../shared/src/codes/keyboard.ts'
import { pageLanguage } from '../../../shared/src/view/now.ts'
import { timeOf, unitsOf } from '../../../shared/src/view/time.ts'
import { showsFrames } from '../self-test/frames.ts'
import { completed, failedOf, isInTime, isRight, type TestName, type TestOutcome } from '../self-test/result.ts'
import { play, vibrate } from '../signals/signals.ts'
import type { ScannerKey, ScannerSay } from '../texts/say.ts'
import type { ViewProps } from './props.ts'

/** A longer code fills the screen. */
const LONGEST_SHOWN = 40
const SIGNS = { passed: '✓', failed: '✗', skipped: '–', running: '…' } as const

/** How a test ended, and what is said of it. */
interface Ended {
  outcome: TestOutcome
  detail?: string
}
type Results = Partial<Record<TestName, Ended>>
type End = (test: TestName, outcome: TestOutcome, detail?: string) => void

interface Props extends ViewProps {
  /** The camera that was chosen; undefined for the one on the back. */
  camera: string | undefined
  close: () => void
}

/** Where a steward tests this device before an event. No scan here checks anybody in. */
export function SelfTestView(props: Props) {
  const [round, setRound] = useState(0)
  return <Round key={round} {...props} again={() => setRound(round + 1)} />
}

function Round({ scanner, say, camera, close, again }: Props & { again: () => void }) {
  const [results, setResults] = useState<Results>({})
  const end: End = (test, outcome, detail = '') =>
    setResults((before) => ({ ...before, [test]: { outcome, detail } satisfies Ended }))
  const video = useRef<HTMLVideoElement>(null)
  useEffect(() => {
    const ending = new AbortController()
    const { signal } = ending
    const read = (code: string) => end('code', 'passed', say('test_read', { code: code.slice(0, LONGEST_SHOWN) }))
    if (video.current) {
      void testCamera(video.current, camera, signal, say, end)
      void watch(video.current, read, signal)
    }
    void testConnection(scanner, say, end)
    if (!canVibrate()) end('vibration', 'skipped', say('test_unavailable'))
    const stop = listenToKeys(([code = '']) => read(code))
    return () => {
      ending.abort()
      stop()
    }
  }, [])
  const row = { say, results, end }
  return (
    <main class="self-test">
      <h1>{say('test_device')}</h1>
      <ul>
        <Row {...row} test="camera">
          <video ref={video} hidden={results.camera?.outcome === 'failed'} muted playsInline />
          {results.camera?.outcome === 'failed' && <Skip {...row} test="camera" />}
        </Row>
        <Question
          {...row}
          test="sound"
          give={() => play('granted')}
          words={['test_play', 'test_heard', 'test_not_heard']}
        />
        <Question
          {...row}
          test="vibration"
          give={() => vibrate('granted')}
          words={['test_vibrate', 'test_felt', 'test_not_felt']}
        />
        <Row {...row} test="network" />
        <Row {...row} test="clock" />
        <Row {...row} test="guest_list" />
        <Row {...row} test="code">
          {!results.code && <p class="hint">{say('test_code_text')}</p>}
          {results.code?.outcome !== 'passed' && <Skip {...row} test="code" />}
        </Row>
      </ul>
      <Conclusion scanner={scanner} say={say} results={results} />
      <button type="button" class="second" onClick={again}>
        {say('test_again')}
      </button>
      <button type="button" onClick={close}>
        {say('back')}
      </button>
    </main>
  )
}

interface RowProps {
  say: ScannerSay
  results: Results
  end: End
  test: TestName
}

/** A test, and what the steward does for it. */
function Row({ say, results, test, children }: RowProps & { children?: ComponentChildren }) {
  const { outcome, detail } = results[test] ?? {}
  return (
    <li class={`test ${outcome ?? 'running'}`}>
      <span class="badge" aria-hidden="true">
        {SIGNS[outcome ?? 'running']}
      </span>
      <div>
        <h2>{say(`test_${test}`)}</h2>
        <p role="status">
          {say(`test_${outcome ?? 'running'}`)}
          {detail && ` · ${detail}`}
        </p>
        {children}
      </div>
    </li>
  )
}

/** A test of which the steward says how it ended. */
function Question({
  give,
  words,
  ...row
}: RowProps & { give: () => void; words: readonly [ScannerKey, ScannerKey, ScannerKey] }) {
  const { say, results, end, test } = row
  const [isAsked, setAsked] = useState(false)
  const [start, yes, no] = words
  if (results[test]?.detail) return <Row {...row} />
  return (
    <Row {...row}>
      <div class="answers">
        <button
          type="button"
          class="second"
          onClick={() => {
            give()
            setAsked(true)
          }}
        >
          {say(start)}
        </button>
        {isAsked && (
          <>
            <button type="button" onClick={() => end(test, 'passed')}>
              {say(yes)}
            </button>
            <button type="button" class="second" onClick={() => end(test, 'failed')}>
              {say(no)}
            </button>
          </>
        )}
        <Skip {...row} />
      </div>
    </Row>
  )
}

function Skip({ say, end, test }: RowProps) {
  return (
    <button type="button" class="second" onClick={() => end(test, 'skipped')}>
      {say('test_skip')}
    </button>
  )
}

/** How the whole test ended, and whether the server has that. */
function Conclusion({ scanner, say, results }: ViewProps & { results: Results }) {
  const [isSent, setSent] = useState<boolean>()
  const outcomes = Object.fromEntries(Object.entries(results).map(([test, { outcome }]) => [test, outcome]))
  const all = completed(outcomes)
  const failed = failedOf(outcomes)
  useEffect(() => {
    if (!all) return
    let isOld = false
    setSent(undefined)
    scanner.selfTest.report(all).then(
      (sent) => !isOld && setSent(sent),
      () => {},
    )
    return () => {
      isOld = true
    }
  }, [JSON.stringify(all)])
  if (!all) return null
  const names = new Intl.ListFormat(pageLanguage()).format(failed.map((test) => say(`test_${test}`)))
  // A result that was kept is sent while the view is open, too.
  const hasServer = isSent !== undefined && scanner.device?.self_test === undefined
  return (
    <div class="notice" role="status">
      <strong>{failed.length === 0 ? say('test_all_passed') : say('test_some_failed', { tests: names })}</strong>
      {isSent !== undefined && <p>{say(hasServer ? 'test_sent' : 'test_kept')}</p>}
    </div>
  )
}

/** Tests whether the camera opens and shows pictures. */
async function testCamera(
  video: HTMLVideoElement,
  camera: string | undefined,
  signal: AbortSignal,
  say: ScannerSay,
  end: End,
): Promise<void> {
  const problem = await openCamera(video, signal, camera)
  const works = problem === undefined && (await showsFrames(video, signal))
  if (signal.aborted) return
  end('camera', works ? 'passed' : 'failed', works ? '' : say(problem ?? 'test_no_picture'))
}

/** Tests what is between this device and the server: the network first, since the rest follows from it. */
async function testConnection({ selfTest }: ViewProps['scanner'], say: ScannerSay, end: End): Promise<void> {
  const ms = await selfTest.network()
  const took = ms === undefined ? say('test_no_answer') : say('test_answered', { ms: Math.ceil(ms) })
  end('network', ms !== undefined && isInTime(ms) ? 'passed' : 'failed', took)
  const offset = selfTest.clock()
  end('clock', isRight(offset) ? 'passed' : 'failed', say('test_differs', { time: spanOf(Math.abs(offset)) }))
  const known = await selfTest.guestList(ms !== undefined)
  const { count = 0, asked_at = 0 } = known ?? {}
  const time = timeOf(new Date(asked_at).toISOString())
  if (!known) end('guest_list', 'failed', say('test_no_list'))
  else if (count === 0) end('guest_list', 'skipped', say('test_no_guests'))
  else end('guest_list', 'passed', say('test_guests', { count: count.toLocaleString(pageLanguage()), time }))
}

/** Computers have the function too, but nothing that vibrates. */
function canVibrate(): boolean {
  return 'vibrate' in navigator && navigator.maxTouchPoints > 0
}

/** A span in the largest unit of which it has one. */
function spanOf(ms: number): string {
  const seconds = ms / 1_000
  if (seconds < 60) return unitsOf(seconds, 'second', pageLanguage())
  if (seconds < 3_600) return unitsOf(seconds / 60, 'minute', pageLanguage())
  return unitsOf(seconds / 3_600, 'hour', pageLanguage())
}
