import { useState } from 'preact/hooks'
import { StorageFull, withinQuota } from '../../../../shared/src/storage/quota.ts'
import { readPin } from '../../kiosk/pin.ts'
import type { ViewProps } from '../props.ts'
import { PinField } from './pin.tsx'
import { type KioskProps, useKioskTexts } from './texts.ts'

/** Where a steward sets the PIN, and starts kiosk mode. */
export function KioskSettings({ scanner }: Pick<ViewProps, 'scanner'>) {
  const kiosk = useKioskTexts()
  const { lock } = scanner
  const [said, setSaid] = useState<'pin_saved' | 'pin_removed'>()
  const set = async (pin: string) => {
    await lock.set(pin)
    setSaid('pin_saved')
  }
  const remove = async () => {
    await lock.remove()
    setSaid('pin_removed')
  }
  if (!kiosk) return null
  return (
    <section class="field">
      <h2>{kiosk('title')}</h2>
      <p class="hint">{kiosk(lock.isSet ? 'text' : 'needs_pin')}</p>
      <button type="button" class="second" disabled={!lock.isSet} onClick={() => void lock.startKiosk()}>
        {kiosk('start')}
      </button>
      <details key={String(lock.isSet)} open={!lock.isSet}>
        <summary>{kiosk(lock.isSet ? 'pin_change' : 'pin_set')}</summary>
        <PinForm kiosk={kiosk} set={set} />
      </details>
      {lock.isSet && (
        <button type="button" class="second" onClick={() => void remove()}>
          {kiosk('pin_remove')}
        </button>
      )}
      <p role="status">{said && kiosk(said)}</p>
    </section>
  )
}

/** A new PIN, twice: nobody reads what is typed. */
function PinForm({ kiosk, set }: Pick<KioskProps, 'kiosk'> & { set: (pin: string) => Promise<void> }) {
  const [typed, setTyped] = useState('')
  const [again, setAgain] = useState('')
  const [problem, setProblem] = useState('')
  const save = async () => {
    const pin = readPin(typed)
    if (pin === undefined) return setProblem(kiosk('pin_invalid'))
    if (readPin(again) !== pin) return setProblem(kiosk('pin_differs'))
    try {
      await withinQuota(() => set(pin))
      setProblem('')
      setTyped('')
      setAgain('')
    } catch (error) {
      if (!(error instanceof StorageFull)) throw error
      setProblem(kiosk('pin_full'))
    }
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <p class="hint">{kiosk('pin_text')}</p>
      <PinField id="pin-new" label={kiosk('pin_new')} value={typed} change={setTyped} problem={problem} />
      <PinField id="pin-again" label={kiosk('pin_again')} value={again} change={setAgain} problem={problem} />
      <p id="pin-problem" class="problem" role="alert">
        {problem}
      </p>
      <button type="submit">{kiosk('pin_save')}</button>
    </form>
  )
}
