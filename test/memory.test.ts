import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { manifestsIn } from '../deploy/k8s/manifests.ts'
import { startReplicaProcess } from './harness/replica.ts'
import { SsoSite } from './harness/sso-site.ts'
import { type System, startSystem } from './harness/system.ts'
import { TestEvent } from './harness/test-event.ts'
import { memoryOf } from './load/processes.ts'
import { deep } from './rounds.ts'

/** What telemetry takes besides, in MiB (docs/kubernetes.md#sizes). */
const TELEMETRY = 25
const VISITORS = 32
const SIGN_INS = 1_200
/** Names in the letters of each large font, in both weights, besides Latin ones. */
const NAMES = ['王小明', '佐藤さくら', '김민준', 'Ada', 'Наталья', 'فاطمة']
const BADGES = 1_000
const PAGE = 500
const AT_ONCE = 20

/** The memory, in MiB, that a process asks for on Kubernetes. */
async function requestOf(name: string): Promise<number> {
  const file = join(import.meta.dirname, `../deploy/k8s/base/processes/${name}.yaml`)
  const [deployment] = manifestsIn(await readFile(file, 'utf8'))
  return Number.parseInt(deployment?.spec.template.spec.containers[0].resources.requests.memory, 10)
}

/** The most memory, in MiB, that a process has held. */
function peakOf({ pid }: { pid: number }): number {
  const peak = Math.round(memoryOf({ it: pid }).it?.peak ?? 0)
  console.log(`memory at most: ${peak} MiB`)
  return peak
}

// The figures of docs/kubernetes.md: what grows with the load has come to its most only after a minute or two.
describe('a process holds no more memory than it asks for on Kubernetes', deep, () => {
  let system: System

  beforeAll(async () => {
    system = await startSystem()
  })
  afterAll(() => system?.stop())

  test('badges, with names in Chinese, Japanese and Korean letters', async () => {
    const replica = await startReplicaProcess('badges', system)
    const testEvent = await TestEvent.open(system)
    const design = { name: '贵宾 来賓 귀빈', badge_enabled: true, badge_qr_code_enabled: true }
    const { _id: guest_category_id } = await testEvent.make('guest_categories.json', design)
    for (let n = 0; n < BADGES; n += AT_ONCE)
      await Promise.all(
        Array.from({ length: AT_ONCE }, (_, index) => {
          const [first_name, company_name] = [NAMES[index % NAMES.length], NAMES[(index + 1) % NAMES.length]]
          return testEvent.make('guests.json', {
            guest_category_id,
            first_name,
            last_name: `${n + index}`,
            company_name,
          })
        }),
      )
    const missing = async (): Promise<number> => {
      const pages = Array.from({ length: BADGES / PAGE }, (_, n) =>
        testEvent.read(`guests.json?per_page=${PAGE}&page=${n + 1}`),
      )
      const guests: { badge_completed: boolean }[] = (await Promise.all(pages)).flat()
      return guests.filter(({ badge_completed }) => !badge_completed).length
    }
    await expect.poll(missing, { timeout: 200_000, interval: 1_000 }).toBe(0)
    const peak = peakOf(replica)
    await replica.stop()
    expect(peak + TELEMETRY).toBeLessThanOrEqual(await requestOf('badges'))
  })

  test('sso, while many people sign in by password at once', async () => {
    // All of the load is the other process's from now on.
    await system.stopSso()
    const replica = await startReplicaProcess('sso', system, { rate_limits: 'off' })
    const site = new SsoSite(system, system)
    const app = await site.app()
    let left = SIGN_INS
    const visit = async (): Promise<void> => {
      const { email } = await site.contact()
      for (; left > 0; left--) {
        const { status, body } = await site.token(app, await site.code(site.visitor(), app, email))
        expect(status).toBe(200)
        expect((await site.me(body.access_token)).status).toBe(200)
      }
    }
    await Promise.all(Array.from({ length: VISITORS }, visit))
    const peak = peakOf(replica)
    await replica.stop()
    expect(peak + TELEMETRY).toBeLessThanOrEqual(await requestOf('sso'))
  })
})
