import type { Item } from '../server/server.ts'
import { named } from '../texts/words.ts'
import { Nothing } from '../view/cell.tsx'
import { useConsole } from '../view/console.ts'
import { useTimes } from '../view/times.ts'

/** How a device's last test of itself ended, and when: the outcome first, since columns are narrow. Printers do not test themselves. */
export function SelfTest({ item: { kind, self_test } }: { item: Item }) {
  const { say, locale } = useConsole()
  const times = useTimes()
  if (kind === 'printer') return <Nothing />
  if (!self_test) return <span class="quiet">{say('self_test_none')}</span>
  const { tested_at, ...outcomes } = self_test as Record<string, string>
  const failed = Object.keys(outcomes).filter((name) => outcomes[name] === 'failed')
  const time = times.at(String(tested_at))
  if (failed.length === 0) return <>✓ {say('self_test_passed', { time })}</>
  const tests = new Intl.ListFormat(locale).format(failed.map((name) => named(say, 'self_test', name)))
  return <span class="status-1">✗ {say('self_test_failed', { time, tests })}</span>
}
