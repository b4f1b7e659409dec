import { EnrolForm } from '../../../shared/src/view/enrol-form.tsx'
import type { ViewProps } from './props.ts'
import { UnsentScans } from './unsent-scans.tsx'
import { UnsentSignatures } from './unsent-signatures.tsx'

/** Enrols this device by a code. `drop` forgets the code that the address held. */
export function EnrolView({ scanner, say, code, drop }: ViewProps & { code: string; drop: () => void }) {
  const { device, waiting, waitingOfOthers, waitingSignatures, waitingSignaturesOfOthers } = scanner
  const unsent = waiting + waitingOfOthers
  const isRevoked = device !== undefined && !device.token
  const { isKiosk } = scanner.lock
  return (
    <main>
      <h1>{say(isRevoked ? 'revoked_title' : 'enrol_title')}</h1>
      <p>{say(isRevoked ? 'revoked_text' : 'enrol_text')}</p>
      {isRevoked && !isKiosk && unsent > 0 && (
        <UnsentScans scanner={scanner} say={say} words={say('revoked_waiting', { count: unsent })} />
      )}
      {!isKiosk && (
        <UnsentSignatures scanner={scanner} say={say} count={waitingSignatures + waitingSignaturesOfOthers} />
      )}
      <EnrolForm
        say={say}
        code={code}
        isEnrolled={Boolean(device?.token)}
        enrol={(typed, key) => scanner.enrol(typed, key)}
        done={drop}
      />
      {(device?.token || isKiosk) && (
        <button type="button" class="second" onClick={drop}>
          {say('back')}
        </button>
      )}
    </main>
  )
}
