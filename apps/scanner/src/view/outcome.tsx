import { type ComponentChildren, Fragment } from 'preact'
import { pageLanguage, useAges } from '../../../shared/src/view/now.ts'
import { ageOf } from '../../../shared/src/view/time.ts'
import { useVisiblePart } from '../../../shared/src/view/visible-part.ts'
import type { Scanner } from '../scanner.ts'
import { type ScanOutcome, type Signal, signalOf } from '../scanning/outcome.ts'
import type { ScannerSay } from '../texts/say.ts'
import { useEscape } from './escape.ts'
import { factsOf, wordOf } from './facts.ts'
import { FieldValues } from './field-values.tsx'
import type { ViewProps } from './props.ts'
import { Sign } from './sign.tsx'

/** From when on it is said how old a result is. */
const OLD_MS = 60_000

/**
 * What has come of the last scan, over whatever is at the top of the screen, until `close`; or that the next scan may come. `children` is what
 * can be done about it.
 */
export function OutcomeSheet({
  scanner,
  say,
  outcome,
  close,
  children,
}: ViewProps & { outcome: ScanOutcome | undefined; close: () => void; children: ComponentChildren }) {
  const part = useVisiblePart()
  const signal = outcome && signalOf(outcome)
  useEscape(outcome && close)
  return (
    <div class={outcome ? 'sheet' : 'place'} style={outcome && part}>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it, and so does a button */}
      <section
        class={`outcome ${signal ?? 'ready'}`}
        role="status"
        aria-live="assertive"
        data-number={outcome?.number}
        onClick={outcome && close}
      >
        {outcome && signal ? (
          <Said key={outcome.number} outcome={outcome} signal={signal} scanner={scanner} say={say} />
        ) : (
          <h2>{say('ready')}</h2>
        )}
      </section>
      {outcome && (
        <div class="actions">
          {children}
          <button type="button" class="second" onClick={close}>
            {say('close')}
          </button>
        </div>
      )}
    </div>
  )
}

interface SaidProps {
  outcome: ScanOutcome
  signal: Signal
  scanner: Scanner
  say: ScannerSay
}

function Said({ outcome, signal, scanner, say }: SaidProps) {
  useAges()
  const { name, guest_uid, category, scan, isNameAwaited } = outcome
  const isOld = scan !== null && scanner.now() - Date.parse(scan.access_stamp) >= OLD_MS
  return (
    <Fragment>
      <div class="word">
        <Sign signal={signal} />
        <h2>{wordOf(outcome, say)}</h2>
        {isOld && <span class="age">{ageOf(scan.access_stamp, scanner.now(), pageLanguage())}</span>}
      </div>
      {scan?.area_full && <p class="area-full">{say('area_full')}</p>}
      {scan?.message && <p class="note">{scan.message}</p>}
      <p class="who">
        <strong>{name || (isNameAwaited ? '…' : guest_uid)}</strong>{' '}
        {category && <span class="category">{category}</span>}
      </p>
      <FieldValues fields={scan?.fields} />
      {factsOf(outcome, say, (id) => scanner.pointName(id)).map((fact) => (
        <p key={fact}>{fact}</p>
      ))}
    </Fragment>
  )
}
