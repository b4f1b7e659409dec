import { useEffect, useState } from 'preact/hooks'
import { type KioskResult, resultOf, shownFor } from '../../kiosk/result.ts'
import type { Scanner } from '../../scanner.ts'
import type { ScanOutcome } from '../../scanning/outcome.ts'
import { PartyChoice } from '../party.tsx'
import { Sign } from '../sign.tsx'
import { useIdle } from './idle.ts'
import type { KioskProps } from './texts.ts'

/** The outcome that a guest sees, and what ends that. */
interface Shown {
  outcome: ScanOutcome | undefined
  close: () => void
}

/** Shows the outcome of each scan until the guest has had the time to read it. What the server says later is for the staff. */
export function useResult(scanner: Scanner, seconds: number): Shown {
  // What was shown before this view is no guest's here.
  const [closed, setClosed] = useState(scanner.outcome?.number)
  const outcome = scanner.outcome?.number === closed ? undefined : scanner.outcome
  const close = () => setClosed(scanner.outcome?.number)
  const result = outcome && resultOf(outcome)
  const isAsked = result === 'party'
  const ms = result && shownFor(result, seconds)
  useIdle(isAsked ? ms : undefined, outcome?.number, close)
  useEffect(() => {
    if (ms === undefined || isAsked) return
    const timer = setTimeout(close, ms)
    return () => clearTimeout(timer)
  }, [outcome?.number, result])
  return { outcome, close }
}

const SIGNALS = { welcome: 'granted', goodbye: 'granted', party: 'party' } as const

/** What a guest is told, over the whole screen; nothing while there is no outcome. */
export function ResultView({ scanner, say, kiosk, outcome, close }: KioskProps & Shown) {
  const result = outcome && resultOf(outcome)
  return (
    <div class="told" role="status" aria-live="assertive">
      {outcome && result && (
        <section
          class={`result ${result === 'party' ? 'question' : result}`}
          data-number={outcome.number}
          key={outcome.number}
        >
          {result !== 'staff' && <Sign signal={SIGNALS[result]} />}
          <h2>{wordsOf(result, outcome, kiosk)}</h2>
          {result === 'party' && (
            <PartyChoice
              scanner={scanner}
              say={say}
              outcome={outcome}
              button={(persons) => kiosk('persons', { persons })}
            />
          )}
          <button type="button" onClick={close}>
            {say(result === 'party' ? 'sign_cancel' : 'sign_done')}
          </button>
        </section>
      )}
    </div>
  )
}

function wordsOf(result: KioskResult, { scan }: ScanOutcome, kiosk: KioskProps['kiosk']): string {
  if (result === 'party') return kiosk('party')
  if (result !== 'welcome') return kiosk(result)
  const name = scan?.first_name?.trim()
  return name ? kiosk('welcome_name', { name }) : kiosk('welcome')
}
