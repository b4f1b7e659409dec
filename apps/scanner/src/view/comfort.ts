import { useEffect, useState } from 'preact/hooks'
import { batteryLevel } from '../server/battery.ts'
import type { Settings } from '../storage/settings.ts'

const EVERY_MS = 60_000

/** Lets the page look, and the screen stay on, as the steward has set. */
export function useComfort({ large, left, awake }: Settings): void {
  useEffect(() => {
    const { classList } = document.documentElement
    classList.toggle('large', large)
    classList.toggle('left', left)
  }, [large, left])
  useEffect(() => (awake ? keepAwake() : undefined), [awake])
}

/** Keeps the screen on while the page is in view, where the browser can. Returns what ends that. */
function keepAwake(): () => void {
  let isOver = false
  let lock: WakeLockSentinel | undefined
  const ask = async (): Promise<void> => {
    if (document.visibilityState !== 'visible') return
    // Browsers refuse where the battery is low.
    const given = await navigator.wakeLock?.request('screen').catch(() => undefined)
    if (isOver) void given?.release()
    else lock = given
  }
  void ask()
  // The lock ends whenever the page is out of view.
  document.addEventListener('visibilitychange', ask)
  return () => {
    isOver = true
    document.removeEventListener('visibilitychange', ask)
    void lock?.release()
  }
}

/** How full the battery is, in percent; null where the browser does not tell. */
export function useBattery(): number | null {
  const [level, setLevel] = useState<number | null>(null)
  useEffect(() => {
    const ask = () => void batteryLevel().then(setLevel)
    ask()
    const timer = setInterval(ask, EVERY_MS)
    return () => clearInterval(timer)
  }, [])
  return level
}
