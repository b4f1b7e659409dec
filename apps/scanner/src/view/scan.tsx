import { useEffect, useState } from 'preact/hooks'
import { listenToKeys } from '../scanning/keyboard.ts'
import { mayEnter, type ScanOutcome } from '../scanning/outcome.ts'
import { CameraView } from './camera.tsx'
import { CodeForm } from './code-form.tsx'
import { ConflictsView } from './conflicts.tsx'
import { OutcomePanel } from './outcome.tsx'
import type { ViewProps } from './props.ts'
import { SearchForm } from './search-form.tsx'
import { SignatureView } from './signature.tsx'
import { UnsentScans } from './unsent-scans.tsx'
import { UnsentSignatures } from './unsent-signatures.tsx'

/** Where guests are scanned. */
export function ScanView({ scanner, say }: ViewProps) {
  const [isLooking, setLooking] = useState(false)
  const [signing, setSigning] = useState<ScanOutcome>()
  const [signed, setSigned] = useState<number>()
  const { device, outcome, waitingOfOthers, waitingSignaturesOfOthers, isUp } = scanner
  const waiting = scanner.waiting + scanner.waitingSignatures
  const differences = scanner.refused.length + scanner.refusedSignatures.length
  const scan = (scanned: string | readonly string[]) => void scanner.scan(scanned)
  // Nobody would see what comes of a scan while a guest signs.
  useEffect(() => (signing ? undefined : listenToKeys(scan)), [signing])
  const close = (isSigned: boolean) => {
    if (isSigned) setSigned(signing?.number)
    setSigning(undefined)
  }
  if (signing) return <SignatureView scanner={scanner} say={say} outcome={signing} close={close} />
  if (isLooking && differences > 0) return <ConflictsView scanner={scanner} say={say} close={() => setLooking(false)} />
  return (
    <main class="scan">
      <header>
        <h1>
          {device?.accesspoint?.name} <small>{device?.event_title}</small>
        </h1>
        <p class={isUp ? 'link up' : 'link down'}>
          {say(isUp ? 'online' : 'offline')}
          {waiting > 0 && <span> · {say('waiting', { count: waiting })}</span>}
        </p>
      </header>
      <OutcomePanel outcome={outcome} say={say} />
      {outcome &&
        mayEnter(outcome) &&
        (outcome.number === signed ? (
          <p role="status">{say('signed')}</p>
        ) : (
          <button type="button" class="second" onClick={() => setSigning(outcome)}>
            {say('sign', { name: outcome.name || (outcome.guest_uid ?? '') })}
          </button>
        ))}
      <CameraView say={say} found={scan} />
      <CodeForm say={say} found={scan} />
      <SearchForm scanner={scanner} say={say} found={scan} />
      <footer>
        {waitingOfOthers > 0 && (
          <UnsentScans scanner={scanner} say={say} words={say('other_waiting', { count: waitingOfOthers })} />
        )}
        <UnsentSignatures scanner={scanner} say={say} count={waitingSignaturesOfOthers} />
        {differences > 0 && (
          <button type="button" class="second alarming" onClick={() => setLooking(true)}>
            {say('conflicts', { count: differences })}
          </button>
        )}
        <button type="button" class="second" onClick={() => void scanner.moveTo(null)}>
          {say('change_point')}
        </button>
      </footer>
    </main>
  )
}
