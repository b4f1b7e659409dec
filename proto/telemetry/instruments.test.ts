import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus'
import { MeterProvider } from '@opentelemetry/sdk-metrics'
import { beforeEach, describe, expect, test } from 'vitest'
import { Counter, Gauge, Histogram } from './instruments.ts'

describe('instruments', () => {
  let meter: ReturnType<MeterProvider['getMeter']>
  let collected: () => Promise<string[]>

  beforeEach(() => {
    const reader = new PrometheusExporter({ preventServerStart: true })
    meter = new MeterProvider({ readers: [reader] }).getMeter('test')
    const serializer = new PrometheusSerializer(undefined, false, undefined, true, true)
    collected = async () => {
      const text = serializer.serialize((await reader.collect()).resourceMetrics)
      return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    }
  })

  const named = <const A extends string>(name: string, attributes: readonly A[] = []) => ({
    name,
    unit: 's',
    description: '',
    attributes,
  })
  const depth = () => new Gauge(named('depth', ['queue']))

  test('do nothing until they are connected', async () => {
    const [counter, histogram, gauge] = [
      new Counter(named('count', ['kind'])),
      new Histogram(named('took'), [1]),
      depth(),
    ]
    counter.add(1, { kind: 'a' })
    histogram.record(1)
    Gauge.observe([gauge], { queue: 'a' }, () => expect.fail('it is not connected'))
    for (const each of [counter, histogram, gauge]) each.connect(meter)
    expect(await collected()).toEqual([])
  })

  test('a counter adds up by the values of its attributes, whatever their order', async () => {
    const counter = new Counter(named('lookups', ['cache', 'result']))
    counter.connect(meter)
    counter.add(2, { cache: 'a', result: 'hit' })
    counter.add(3, { result: 'hit', cache: 'a' })
    counter.add(1, { cache: 'a', result: 'miss' })
    counter.add(0, { cache: 'b', result: 'hit' })
    const all = ['lookups_total{cache="a",result="hit"} 5', 'lookups_total{cache="a",result="miss"} 1']
    expect(await collected()).toEqual(all)
    // Reading it changes nothing.
    expect(await collected()).toEqual(all)
  })

  test('a reading which fails or hangs is left out, and another does not begin before it ends', async () => {
    const gauge = depth()
    gauge.connect(meter)
    const hanging = Promise.withResolvers<number[]>()
    let begun = 0
    Gauge.observe([gauge], { queue: 'well' }, () => [1])
    Gauge.observe([gauge], { queue: 'failing' }, () => Promise.reject(new Error('away')))
    Gauge.observe([gauge], { queue: 'hanging' }, () => {
      begun++
      return hanging.promise
    })
    const both = [collected(), collected()]
    for (const lines of await Promise.all(both)) expect(lines).toEqual(['depth{queue="well"} 1'])
    expect(begun).toBe(1)
    hanging.resolve([7])
    expect(await collected()).toContain('depth{queue="hanging"} 7')
  })

  test('gauges which are read together get one reading', async () => {
    const [one, other] = [depth(), new Gauge(named('age', ['queue']))]
    let begun = 0
    for (const each of [one, other]) each.connect(meter)
    Gauge.observe([one, other], { queue: 'mail' }, () => [++begun, 5])
    expect(await collected()).toEqual(['depth{queue="mail"} 1', 'age{queue="mail"} 5'])
    expect(begun).toBe(1)
  })
})
