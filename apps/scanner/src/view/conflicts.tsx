import { useEffect, useState } from 'preact/hooks'
import { timeOf } from '../../../shared/src/view/time.ts'
import type { Entry } from '../scanning/entries.ts'
import { SIGNALS } from '../scanning/outcome.ts'
import type { StoredScan } from '../scanning/scan.ts'
import { problemWords } from '../server/problems.ts'
import type { ScannerSay } from '../texts/say.ts'
import type { ViewProps } from './props.ts'

/** The scans of which the server says something else than this device did. */
export function ConflictsView({ scanner, say, close }: ViewProps & { close: () => void }) {
  const [entries, setEntries] = useState<ReadonlyMap<number, Entry>>()
  useEffect(() => {
    // What fails is asked for when the server is back.
    if (scanner.isUp) scanner.entriesBefore().then(setEntries, () => {})
  }, [scanner.isUp, scanner.refused.length])
  return (
    <main>
      <h1>{say('conflicts_title')}</h1>
      <p>{say('conflicts_text')}</p>
      <ul class="conflicts">
        {scanner.refused.map((scan) => {
          const entry = entries?.get(scan.sequence)
          return (
            <li key={scan.sequence}>
              <strong>{scan.name || scan.guest_uid || scan.content}</strong>{' '}
              <time datetime={scan.access_stamp}>{timeOf(scan.access_stamp)}</time>
              <p>{sentenceOf(scan, say)}</p>
              {entry && <p>{say('conflict_entered', { point: entry.point, time: timeOf(entry.stamp) })}</p>}
            </li>
          )
        })}
        {scanner.refusedSignatures.map(({ sequence, name, guest_uid, access_stamp, problem }) => (
          <li key={`signature-${sequence}`}>
            <strong>{name || guest_uid}</strong> <time datetime={access_stamp}>{timeOf(access_stamp)}</time>
            <p>{say('conflict_signature', { problem: problemWords(say, problem ?? '') })}</p>
          </li>
        ))}
      </ul>
      <button type="button" onClick={close}>
        {say('back')}
      </button>
    </main>
  )
}

function sentenceOf({ access_status, problem }: StoredScan, say: ScannerSay): string {
  if (access_status === null) return say('conflict_problem', { problem: problemWords(say, problem ?? '') })
  return access_status === 0 ? say('conflict_out') : say('conflict_in', { status: say(SIGNALS[access_status]) })
}
