import { pageLanguage, useAges } from '../../../shared/src/view/now.ts'
import { ageOf } from '../../../shared/src/view/time.ts'
import { mayEnter, outcomeOf, signalOf } from '../scanning/outcome.ts'
import type { StoredScan } from '../scanning/scan.ts'
import { wordOf } from './facts.ts'
import type { ViewProps } from './props.ts'
import { Sign } from './sign.tsx'
import { UndoButton, UndoState } from './undo.tsx'

/** The last scans with their ages, of which those that let a guest in can be undone for a while. */
export function RecentView({ scanner, say, close }: ViewProps & { close: () => void }) {
  useAges()
  const scans = scanner.recent.all()
  return (
    <main>
      <h1>{say('recent')}</h1>
      {scans.length === 0 && <p>{say('recent_none')}</p>}
      <ul class="recent">
        {scans.map((scan) => (
          <RecentScan key={scan.sequence} scan={scan} scanner={scanner} say={say} />
        ))}
      </ul>
      <button type="button" onClick={close}>
        {say('back')}
      </button>
    </main>
  )
}

function RecentScan({ scan, scanner, say }: ViewProps & { scan: StoredScan }) {
  const outcome = outcomeOf(0, scan)
  const { name, guest_uid, content, access_stamp } = scan
  return (
    <li>
      <span class={`badge ${signalOf(outcome)}`}>
        <Sign signal={signalOf(outcome)} />
      </span>
      <div>
        <strong>{name || guest_uid || content}</strong>
        <p class="hint">
          <time datetime={access_stamp}>{ageOf(access_stamp, scanner.now(), pageLanguage())}</time> ·{' '}
          {wordOf(outcome, say)}
        </p>
        <UndoState scan={scan} scanner={scanner} say={say} />
      </div>
      {mayEnter(outcome) && <UndoButton scan={scan} scanner={scanner} say={say} />}
    </li>
  )
}
