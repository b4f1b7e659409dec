import { metrics } from '@opentelemetry/api'
import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus'
import { MeterProvider } from '@opentelemetry/sdk-metrics'
import { beforeAll, expect, test } from 'vitest'
import { countLookups, instruments, observeGauges, turnOn } from './metrics.ts'

let collected: () => Promise<string[]>

beforeAll(() => {
  // Nothing is measured before an SDK is registered.
  countLookups('early', 1, 1)
  observeGauges([instruments.queueDepth], { queue: 'mail' }, () => expect.fail('no SDK is registered'))
  const reader = new PrometheusExporter({ preventServerStart: true })
  metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }))
  turnOn()
  const serializer = new PrometheusSerializer(undefined, false, undefined, true, true)
  collected = async () => {
    const text = serializer.serialize((await reader.collect()).resourceMetrics)
    return text.split('\n').filter((line) => line.startsWith('gatehouse_'))
  }
})

test('lookups in caches are counted from the start of telemetry on, hits and misses apart', async () => {
  countLookups('a', 2, 0)
  countLookups('a', 3, 1)
  const lookups = (await collected()).filter((line) => line.includes('lookups'))
  expect(lookups).toEqual([
    'gatehouse_cache_lookups_total{cache="a",result="hit"} 5',
    'gatehouse_cache_lookups_total{cache="a",result="miss"} 1',
  ])
})

test('a reading that fails or hangs is left out, and another does not begin before it ends', async () => {
  const hanging = Promise.withResolvers<number[]>()
  let begun = 0
  observeGauges([instruments.queueDepth], { queue: 'mail' }, async () => [1])
  observeGauges([instruments.queueDepth], { queue: 'hooks' }, () => Promise.reject(new Error('away')))
  observeGauges([instruments.queueDepth], { queue: 'badges' }, () => {
    begun++
    return hanging.promise
  })
  const depths = async () => (await collected()).filter((line) => line.includes('depth'))
  for (const lines of await Promise.all([depths(), depths()]))
    expect(lines).toEqual(['gatehouse_queue_depth{queue="mail"} 1'])
  expect(begun).toBe(1)
  hanging.resolve([7])
  expect(await depths()).toContain('gatehouse_queue_depth{queue="badges"} 7')
})

test('gauges that are read together get one reading', async () => {
  let begun = 0
  const { outboxDepth, outboxAge } = instruments
  observeGauges([outboxDepth, outboxAge], { outbox: 'events' }, async () => [++begun, 5])
  const lines = await collected()
  expect(lines).toContain('gatehouse_outbox_depth{outbox="events"} 1')
  expect(lines).toContain('gatehouse_outbox_oldest_age{outbox="events"} 5')
  expect(begun).toBe(1)
})
