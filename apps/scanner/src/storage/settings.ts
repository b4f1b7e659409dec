/** What the steward has set on this device. */
export interface Settings {
  /** For how many seconds a granted scan is shown; 0 until the next scan. */
  seconds: number
  /** Whether guests can be found by name. */
  search: boolean
}

/** From which to choose how long a granted scan is shown. */
export const SECONDS = [2, 3, 5, 10, 20, 0] as const

const NAME = 'gatehouse-scanner-settings'
const DEFAULTS: Settings = { seconds: 5, search: true }

/** What is set on this device, else the defaults. */
export function loadSettings(): Settings {
  try {
    const { seconds, search }: Partial<Settings> = JSON.parse(localStorage.getItem(NAME) ?? '{}')
    return {
      seconds: SECONDS.find((each) => each === seconds) ?? DEFAULTS.seconds,
      search: search ?? DEFAULTS.search,
    }
  } catch {
    return DEFAULTS
  }
}

/** Keeps what is set. It holds until the app is closed where the browser keeps nothing. */
export function saveSettings(settings: Settings): void {
  try {
    localStorage.setItem(NAME, JSON.stringify(settings))
  } catch {
    // A full disk must not end the app.
  }
}
