/** What the steward has set on this device. */
export interface Settings {
  /** For how many seconds a granted scan is shown; 0 until the next scan. */
  seconds: number
  /** Whether guests can be found by name. */
  search: boolean
  /** Whether signals are heard; they are felt in any case. */
  sound: boolean
  /** Whether the screen stays on while the app is in view. */
  awake: boolean
  /** Whether texts are larger. */
  large: boolean
  /** Whether buttons are where the left hand reaches them. */
  left: boolean
  /** The camera that was chosen; undefined for the one on the back. */
  camera?: string | undefined
}

/** From which to choose how long a granted scan is shown. */
export const SECONDS = [2, 3, 5, 10, 20, 0] as const

const NAME = 'gatehouse-scanner-settings'
const DEFAULTS: Settings = { seconds: 5, search: true, sound: true, awake: true, large: false, left: false }

/** What is set on this device, else the defaults. */
export function loadSettings(): Settings {
  try {
    const kept: Partial<Settings> = JSON.parse(localStorage.getItem(NAME) ?? '{}')
    const seconds = SECONDS.find((each) => each === kept.seconds) ?? DEFAULTS.seconds
    return { ...DEFAULTS, ...kept, seconds }
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
