import { dotted } from '@gatehouse/proto/pages/direction.ts'
import { pageLanguage } from '../../../shared/src/view/now.ts'
import { unitsOf } from '../../../shared/src/view/time.ts'
import { SECONDS, type Settings } from '../storage/settings.ts'
import { useBattery } from './comfort.ts'
import { KioskSettings } from './kiosk/kiosk-settings.tsx'
import { PinGate } from './kiosk/pin.tsx'
import type { ViewProps } from './props.ts'

const SWITCHES = ['search', 'sound', 'awake', 'large', 'left'] as const

interface Props extends ViewProps {
  settings: Settings
  change: (settings: Settings) => void
  test: () => void
  close: () => void
}

/** What a steward sets on this device, who may need the PIN for it. */
export function SettingsView(props: Props) {
  const { scanner, say, close } = props
  return (
    <PinGate scanner={scanner} say={say} close={close}>
      <SettingsForm {...props} />
    </PinGate>
  )
}

function SettingsForm({ scanner, say, settings, change, test, close }: Props) {
  const { seconds } = settings
  const battery = useBattery()
  const waiting = scanner.waiting + scanner.waitingSignatures
  return (
    <main>
      <h1>{say('settings')}</h1>
      <div class="field">
        <label for="seconds">{say('setting_seconds')}</label>
        <select
          id="seconds"
          value={seconds}
          onChange={({ currentTarget }) => change({ ...settings, seconds: Number(currentTarget.value) })}
        >
          {SECONDS.map((each) => (
            <option key={each} value={each}>
              {each === 0 ? say('setting_stays') : unitsOf(each, 'second', pageLanguage(), 'long')}
            </option>
          ))}
        </select>
      </div>
      {SWITCHES.map((each) => (
        <label class="check" key={each}>
          <input
            type="checkbox"
            checked={settings[each]}
            onChange={({ currentTarget }) => change({ ...settings, [each]: currentTarget.checked })}
          />
          {say(`setting_${each}`)}
        </label>
      ))}
      <KioskSettings scanner={scanner} />
      <p class="hint">
        {dotted([
          battery !== null && say('battery', { level: battery }),
          waiting > 0 && say('waiting', { count: waiting }),
        ])}
      </p>
      <button type="button" class="second" onClick={() => void scanner.moveTo(null)}>
        {say('change_point')}
      </button>
      <button type="button" class="second" onClick={test}>
        {say('test_device')}
      </button>
      <button type="button" onClick={close}>
        {say('back')}
      </button>
    </main>
  )
}
