import { type ScanOutcome, type Signal, signalOf } from '../scanning/outcome.ts'
import type { ScannerSay } from '../texts/texts.ts'
import { Sign } from './sign.tsx'

/** What has come of the last scan, or that the next one may come. */
export function OutcomePanel({ outcome, say }: { outcome: ScanOutcome | undefined; say: ScannerSay }) {
  const signal = outcome && signalOf(outcome)
  return (
    <section class={`outcome ${signal ?? 'ready'}`} role="status" aria-live="assertive" data-number={outcome?.number}>
      {outcome && signal ? <Said outcome={outcome} signal={signal} say={say} /> : <h2>{say('ready')}</h2>}
    </section>
  )
}

function Said({ outcome, signal, say }: { outcome: ScanOutcome; signal: Signal; say: ScannerSay }) {
  const { kind, name, category, guest_uid, problem, status, isConfirmed } = outcome
  const isKind = kind === 'unread' || kind === 'full'
  const text = isKind
    ? say(`${kind}_text`)
    : (problem ?? (signal === 'granted' || signal === 'problem' ? '' : say(`${signal}_text`)))
  const isAlone = kind === 'decided' && status !== 0 && !isConfirmed
  return (
    <>
      <Sign signal={signal} />
      <div>
        <h2>{say(isKind ? kind : signal)}</h2>
        <p class="who">
          <strong>{name || guest_uid}</strong> {category && <span class="category">{category}</span>}
        </p>
        {text && <p>{text}</p>}
        {isAlone && <p>{say('refused_alone')}</p>}
      </div>
    </>
  )
}
