/** What a device tests of itself before an event, in the order in which it is shown. */
export const TESTS = ['camera', 'sound', 'vibration', 'network', 'clock', 'guest_list', 'code'] as const
/** One of them. */
export type TestName = (typeof TESTS)[number]
/** How a test ended. */
export type TestOutcome = 'passed' | 'failed' | 'skipped'
/** How all of them ended, as the server takes it. */
export type SelfTestResult = Record<TestName, TestOutcome> & { tested_at: string }

/** A clock may differ from the server's by this, in ms. Scans are corrected by the difference, but not if somebody sets the clock meanwhile. */
const CLOCK_MS = 30_000
/** A network that is slower makes the scanner decide by itself. */
const IN_TIME_MS = 700
/** Whether an answer that took so long is one by which the scanner is online. */
export function isInTime(ms: number): boolean {
  return ms <= IN_TIME_MS
}

/** Whether a clock is near enough to the server's. */
export function isRight(offset: number): boolean {
  return Math.abs(offset) <= CLOCK_MS
}

/** The outcomes once all tests have ended; undefined before. */
export function completed(
  outcomes: Readonly<Partial<Record<TestName, TestOutcome | undefined>>>,
): Record<TestName, TestOutcome> | undefined {
  const isComplete = TESTS.every((test) => outcomes[test] !== undefined)
  return isComplete ? (outcomes as Record<TestName, TestOutcome>) : undefined
}

/** The tests that failed. */
export function failedOf(outcomes: Readonly<Partial<Record<TestName, TestOutcome | undefined>>>): TestName[] {
  return TESTS.filter((test) => outcomes[test] === 'failed')
}
