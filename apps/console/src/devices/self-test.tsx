import type { Item } from '../server/server.ts'
import type { Times } from '../texts/times.ts'
import { type ConsoleSay, named } from '../texts/words.ts'
import { Nothing } from '../view/cell.tsx'
import { useConsole } from '../view/console.ts'
import { useTimes } from '../view/times.ts'

/** How a device's last test of itself ended, and when: the outcome first, since columns are narrow. Printers do not test themselves. */
export function SelfTest({ item: { kind, self_test } }: { item: Item }) {
  const { say, locale } = useConsole()
  const times = useTimes()
  if (kind === 'printer') return <Nothing />
  if (!self_test) return <span class="quiet">{say('self_test_none')}</span>
  if (!hasFailed({ kind, self_test }))
    return <>✓ {say('self_test_passed', { time: times.at((self_test as Test).tested_at) })}</>
  return <span class="status-1">✗ {failureWords(say, times, locale, { self_test })}</span>
}

/** A device's test of itself: when it was, and how each part ended. */
type Test = { tested_at: string } & Record<string, string>

/** Whether something failed in a device's last test of itself. */
export function hasFailed({ kind, self_test }: Item): boolean {
  return kind !== 'printer' && failuresOf(self_test as Test | null).length > 0
}

/** Says what failed in a device's last test of itself, and when that was. */
export function failureWords(say: ConsoleSay, times: Times, locale: string, device: Item): string {
  const self_test = device.self_test as Test
  const failed = failuresOf(self_test).map((name) => named(say, 'self_test', name))
  const tests = new Intl.ListFormat(locale).format(failed)
  return say('self_test_failed', { time: times.at(self_test.tested_at), tests })
}

function failuresOf(self_test: Test | null): string[] {
  return Object.entries(self_test ?? {}).flatMap(([name, outcome]) => (outcome === 'failed' ? [name] : []))
}
