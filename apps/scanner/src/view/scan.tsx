import { useEffect, useState } from 'preact/hooks'
import { listenToKeys } from '../scanning/keyboard.ts'
import { CameraView } from './camera.tsx'
import { CodeForm } from './code-form.tsx'
import { ConflictsView } from './conflicts.tsx'
import { OutcomePanel } from './outcome.tsx'
import type { ViewProps } from './props.ts'
import { SaveScans } from './save-scans.tsx'
import { SearchForm } from './search-form.tsx'

/** Where guests are scanned. */
export function ScanView({ scanner, say }: ViewProps) {
  const [isLooking, setLooking] = useState(false)
  const { device, outcome, waiting, waitingOfOthers, refused, isUp } = scanner
  const scan = (content: string) => void scanner.scan(content)
  useEffect(() => listenToKeys(scan), [])
  if (isLooking && refused.length > 0)
    return <ConflictsView scanner={scanner} say={say} close={() => setLooking(false)} />
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
      <CameraView say={say} found={scan} />
      <CodeForm say={say} found={scan} />
      <SearchForm scanner={scanner} say={say} found={scan} />
      <footer>
        {waitingOfOthers > 0 && (
          <div class="notice">
            <p>{say('other_waiting', { count: waitingOfOthers })}</p>
            <SaveScans scanner={scanner} say={say} />
          </div>
        )}
        {refused.length > 0 && (
          <button type="button" class="second alarming" onClick={() => setLooking(true)}>
            {say('conflicts', { count: refused.length })}
          </button>
        )}
        <button type="button" class="second" onClick={() => void scanner.moveTo(null)}>
          {say('change_point')}
        </button>
      </footer>
    </main>
  )
}
