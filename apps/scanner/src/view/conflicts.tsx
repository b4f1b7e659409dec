import type { Scan } from '../scanning/scan.ts'
import type { SayText } from '../texts/texts.ts'
import type { ViewProps } from './props.ts'

const STATUSES = ['granted', 'unknown', 'not_authorized', 'too_many'] as const

/** The scans of which the server says something else than this device did. */
export function ConflictsView({ scanner, say, close }: ViewProps & { close: () => void }) {
  return (
    <main>
      <h1>{say('conflicts_title')}</h1>
      <p>{say('conflicts_text')}</p>
      <ul class="conflicts">
        {scanner.refused.map((scan) => (
          <li key={scan.sequence}>
            <strong>{scan.name || scan.guest_uid || scan.content}</strong>{' '}
            <time datetime={scan.access_stamp}>{new Date(scan.access_stamp).toLocaleString()}</time>
            <p>{sentenceOf(scan, say)}</p>
          </li>
        ))}
        {scanner.refusedSignatures.map(({ sequence, name, guest_uid, access_stamp, problem }) => (
          <li key={`signature-${sequence}`}>
            <strong>{name || guest_uid}</strong>{' '}
            <time datetime={access_stamp}>{new Date(access_stamp).toLocaleString()}</time>
            <p>{say('conflict_signature', { problem: problem ?? '' })}</p>
          </li>
        ))}
      </ul>
      <button type="button" onClick={close}>
        {say('back')}
      </button>
    </main>
  )
}

function sentenceOf({ access_status, problem }: Scan, say: SayText): string {
  if (access_status === null) return say('conflict_problem', { problem: problem ?? '' })
  return access_status === 0 ? say('conflict_out') : say('conflict_in', { status: say(STATUSES[access_status]) })
}
