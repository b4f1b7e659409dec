import { pageLanguage } from '../../../shared/src/view/now.ts'
import { unitsOf } from '../../../shared/src/view/time.ts'
import { SECONDS, type Settings } from '../storage/settings.ts'
import type { ViewProps } from './props.ts'

interface Props extends ViewProps {
  settings: Settings
  change: (settings: Settings) => void
  close: () => void
}

/** What a steward sets on this device. */
export function SettingsView({ scanner, say, settings, change, close }: Props) {
  const { seconds, search } = settings
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
      <label class="check">
        <input
          type="checkbox"
          checked={search}
          onChange={({ currentTarget }) => change({ ...settings, search: currentTarget.checked })}
        />
        {say('setting_search')}
      </label>
      <button type="button" class="second" onClick={() => void scanner.moveTo(null)}>
        {say('change_point')}
      </button>
      <button type="button" onClick={close}>
        {say('back')}
      </button>
    </main>
  )
}
