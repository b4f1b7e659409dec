import { knownZone, type Times, timesIn } from '../texts/times.ts'
import { useConsole } from './console.ts'
import { useEvent } from './event.ts'

/** The times of a view. */
export function useTimes(): Times {
  const { locale } = useConsole()
  const { event, isAwaited } = useEvent()
  const times = timesIn(locale, event && knownZone(String(event.timezone)))
  // The same time in another zone would be read as another time.
  return isAwaited ? { ...times, at: () => '…', near: () => ({ time: '…', isSameDay: true }) } : times
}
