import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from './harness/free-port.ts'
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from './harness/otlp-receiver.ts'
import type { Process } from './harness/process.ts'
import { startReplica } from './harness/replica.ts'
import { type System, startSystem } from './harness/system.ts'
import { TestEvent } from './harness/test-event.ts'

/** The number of a kind of spans in OTLP. */
const SERVER = 2

// Takes ten seconds: gateway and services run as processes, as telemetry is that of a process.

describe('a system whose processes send telemetry', () => {
  let collector: OtlpReceiver
  let system: System
  const processes: Process[] = []
  const ports: Record<string, number> = {}

  beforeAll(async () => {
    collector = await startOtlpReceiver()
    const port = await freePort()
    const started = await startSystem({ gateways: 0, guests: 0, checkins: 0, gateway: { port } })
    const url = `http://127.0.0.1:${port}`
    system = {
      ...started,
      url,
      api: (method, path, body, init) => started.api(method, path, body, { base: url, ...init }),
    }
    const telemetry = {
      otel_exporter_otlp_endpoint: collector.url,
      otel_exporter_otlp_protocol: 'http/json',
      otel_bsp_schedule_delay: 100,
      otel_metric_export_interval: 200,
    }
    for (const name of ['guests', 'checkin', 'gateway']) {
      ports[name] = await freePort()
      const own = name === 'gateway' ? { host: '127.0.0.1', port, rate_limits: 'off' } : {}
      processes.push(await startReplica(name, system, { ...telemetry, ...own, operations_port: ports[name] }))
    }
  })
  afterAll(async () => {
    await Promise.all(processes.map((process) => process.stop()))
    await system?.stop()
    await collector?.close()
  })

  /** A trace of a client's own, as its header and id. */
  const newTrace = () => {
    const id = crypto.randomUUID().replaceAll('-', '')
    const parentId = id.slice(0, 16)
    return { id, parentId, traceparent: `00-${id}-${parentId}-01` }
  }
  const ofTrace = (id: string): ReceivedSpan[] => collector.spans.filter(({ traceId }) => traceId === id)

  test('a check-in is one trace from the client through gateway, bus and service to the stores', async () => {
    const testEvent = await TestEvent.open(system)
    const [category, point] = [await testEvent.category(), await testEvent.point()]
    await testEvent.link(category, point, 1)
    await testEvent.guest(category, 'ada1815')
    const trace = newTrace()
    const headers = { traceparent: trace.traceparent, tracestate: 'vendor=value' }
    const scan = { accesspoint_id: point, guest_uid: 'ada1815' }
    expect((await testEvent.api('POST', 'access_controls.json', scan, { headers })).status).toBe(201)
    await expect
      .poll(() => ofTrace(trace.id).map(({ service, name }) => `${service} ${name}`))
      .toEqual(
        expect.arrayContaining([
          'gatehouse-gateway POST /api/v1/events/:event_id/access_controls',
          'gatehouse-gateway checkin.access_controls.create',
          'gatehouse-checkin checkin.access_controls.create',
          'gatehouse-checkin guests.guests.resolve',
          'gatehouse-guests guests.guests.resolve',
          'gatehouse-guests find guests',
          'gatehouse-checkin insert access_controls',
          'gatehouse-checkin eval',
        ]),
      )
    const spans = new Map(ofTrace(trace.id).map((span) => [span.spanId, span]))
    const [root] = [...spans.values()].filter(({ parentSpanId }) => !spans.has(parentSpanId))
    expect(root).toMatchObject({ kind: SERVER, parentSpanId: trace.parentId, traceState: 'vendor=value' })
    expect(root?.attributes).toEqual({
      'http.request.method': 'POST',
      'http.route': '/api/v1/events/:event_id/access_controls',
      'http.response.status_code': 201,
      'url.scheme': 'http',
    })
    // The spans of the services hang together: each has a parent in the trace but the first.
    expect([...spans.values()].filter(({ parentSpanId }) => !spans.has(parentSpanId))).toHaveLength(1)
  })
})
