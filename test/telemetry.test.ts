// @module-tag slow
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findPlatform } from '@gatehouse/local/platform'
import { reservePort } from '@gatehouse/local/ports'
import { openCampaign, TestInvitee } from '@gatehouse/partners/test-invitee'
import { declared } from '@gatehouse/proto/telemetry/metrics.ts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { mainOf, serviceNames } from '../services/services.ts'
import { type MailServer, startMailServer } from './harness/mail-server.ts'
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from './harness/otlp-receiver.ts'
import { makePassCertificates } from './harness/pass-certificates.ts'
import { asking, type OwnPrometheus, startPrometheus } from './harness/prometheus.ts'
import { startReceiver } from './harness/receiver.ts'
import { retried } from './harness/retried.ts'
import { type SpeakingProcess, startSpeaking } from './harness/speaking-process.ts'
import { SECRETS_KEY, type System, startSystem } from './harness/system.ts'
import { TestEvent } from './harness/test-event.ts'
import { deep } from './rounds.ts'
import { all } from './tables/table.ts'
import { labelOf, World } from './tables/world.ts'

// Takes fifteen seconds: all processes of the system run, since telemetry is that of a process, and every action is called.

/** Kinds of spans in OTLP. */
const SERVER = 2
const CLIENT = 3
const [EVENTS, AUDIT] = ['outbox="events"', 'outbox="audit"']

const names = ['gateway', ...serviceNames]

describe('a system whose processes send telemetry', deep, () => {
  let collector: OtlpReceiver
  let mailServer: MailServer
  let started: System
  let system: System
  let settings: Record<string, string>
  let folder: string
  const processes: Record<string, SpeakingProcess> = {}

  beforeAll(async () => {
    ;[collector, mailServer] = await Promise.all([startOtlpReceiver(), startMailServer()])
    const port = await reservePort()
    // It makes the first account; its sso service then gives way to one that is a process too.
    started = await startSystem({ gateways: 0, guests: 0, checkins: 0, gateway: { port } })
    await started.stopSso()
    const url = `http://127.0.0.1:${port}`
    const api: System['api'] = (method, path, body, init) => started.api(method, path, body, { base: url, ...init })
    system = { ...started, url, api }
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-telemetry-'))
    const passes = Object.entries((await makePassCertificates(folder)).settings)
    settings = {
      ...Object.fromEntries(passes.map(([name, value]) => [name.toUpperCase(), value])),
      MONGODB_URL: inject('mongodbUrl'),
      NATS_URL: inject('natsUrl'),
      REDIS_URL: inject('redisUrl'),
      NAMESPACE: system.namespace,
      SECRETS_KEY,
      PUBLIC_URL: url,
      HOST: '127.0.0.1',
      PORT: String(port),
      RATE_LIMITS: 'off',
      SMTP_URL: mailServer.url,
      MAIL_FROM: 'noreply@gatehouse.example',
      GATEHOUSE_ALLOW_PRIVATE_HOOKS: '1',
      HOOK_RETRY_DELAYS: '0.1,0.1,0.1',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '100',
      OTEL_METRIC_EXPORT_INTERVAL: '500',
    }
    for (const name of names) {
      processes[name] = startSpeaking(mainOf(name), { ...settings, OPERATIONS_PORT: '0' })
    }
    await Promise.all(Object.values(processes).map(({ ready }) => ready()))
  })
  afterAll(async () => {
    await Promise.all(Object.values(processes).map(({ stop }) => stop()))
    await system?.stop()
    await Promise.all([mailServer?.stop(), collector?.close(), rm(folder, { recursive: true, force: true })])
  })

  /** A trace of a client's own. */
  const newTrace = () => {
    const id = crypto.randomUUID().replaceAll('-', '')
    const parentId = id.slice(0, 16)
    return { id, parentId, headers: { traceparent: `00-${id}-${parentId}-01`, tracestate: 'vendor=value' } }
  }
  const ofTrace = (id: string): ReceivedSpan[] => collector.spans.filter(({ traceId }) => traceId === id)
  const spoken = ({ service, name }: ReceivedSpan) => `${service.replace('gatehouse-', '')} ${name}`
  /** Waits until a trace has spans with these processes and names. */
  const awaited = async (id: string, wanted: string[]): Promise<ReceivedSpan[]> => {
    await expect.poll(() => ofTrace(id).map(spoken)).toEqual(expect.arrayContaining(wanted))
    return ofTrace(id)
  }
  /** The address of the operations port of a process, which its log says. */
  const operationsUrl = (name: string): string =>
    /"url":"([^"]+)","msg":"operations port is open"/.exec(processes[name]?.said.out ?? '')?.[1] ?? ''
  /** A page of it. */
  const operations = (name: string, path: string, init?: RequestInit) => fetch(`${operationsUrl(name)}${path}`, init)
  /** The values of a metric of a process, by its labels. */
  const measured = async (name: string, metric: string): Promise<Record<string, number>> => {
    const lines = (await (await operations(name, '/metrics')).text()).split('\n')
    const found = lines.flatMap((line) => /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [])
    const values: Record<string, number> = {}
    for (let at = 0; at < found.length; at += 4) {
      if (found[at + 1] === metric) values[found[at + 2] ?? ''] = Number(found[at + 3])
    }
    return values
  }
  /** An event with a point where guests of its category may enter once. */
  const openEvent = async () => {
    const testEvent = await TestEvent.open(system)
    const [category, point] = [await testEvent.category(), await testEvent.point()]
    await testEvent.link(category, point, 1)
    return { testEvent, category, point }
  }

  test('a check-in is one trace from the client through gateway, bus and services to the stores', async () => {
    const { testEvent, category, point } = await openEvent()
    await testEvent.guest(category, 'ada1815')
    const { id, parentId, headers } = newTrace()
    const scan = { accesspoint_id: point, guest_uid: 'ada1815' }
    const place = { 'gatehouse.event.id': testEvent.id, 'gatehouse.accesspoint.id': point }
    expect((await testEvent.api('POST', 'access_controls.json', scan, { headers })).status).toBe(201)
    const spans = await awaited(id, [
      'gateway POST /api/v1/events/:event_id/access_controls',
      'gateway checkin.access_controls.create',
      'checkin checkin.access_controls.create',
      'checkin guests.guests.resolve',
      'guests guests.guests.resolve',
      'guests find guests',
      'checkin checkin.flush',
      'checkin insert access_controls',
      'checkin eval',
    ])
    const byId = new Map(spans.map((span) => [span.spanId, span]))
    const [root, ...others] = spans.filter(({ parentSpanId }) => !byId.has(parentSpanId))
    expect(others).toEqual([])
    expect(root).toMatchObject({ kind: SERVER, parentSpanId: parentId, traceState: 'vendor=value' })
    expect(root?.attributes).toEqual({
      'http.request.method': 'POST',
      'http.route': '/api/v1/events/:event_id/access_controls',
      'http.response.status_code': 201,
      'url.scheme': 'http',
      ...place,
    })
    const decided = spans.find(({ name, kind }) => name === 'checkin.access_controls.create' && kind === SERVER)
    expect(decided?.attributes).toMatchObject(place)
    const insert = spans.find(({ name }) => name === 'insert access_controls')
    expect(byId.get(insert?.parentSpanId ?? '')?.name).toBe('checkin.flush')
    expect(insert).toMatchObject({
      kind: CLIENT,
      attributes: {
        'db.system.name': 'mongodb',
        'db.namespace': `${system.namespace}_checkin`,
        'db.operation.name': 'insert',
        'db.collection.name': 'access_controls',
      },
    })
  })

  test('a flush of many scans is a span in the trace of one of them, and it and the others link to each other', async () => {
    const { testEvent, category, point } = await openEvent()
    const uids = Array.from({ length: 24 }, (_, n) => `many${n}`)
    await Promise.all(uids.map((uid) => testEvent.guest(category, uid)))
    const traces = uids.map(newTrace)
    await Promise.all(
      uids.map((guest_uid, n) =>
        testEvent.api(
          'POST',
          'access_controls.json',
          { accesspoint_id: point, guest_uid },
          { headers: traces[n]?.headers ?? {} },
        ),
      ),
    )
    for (const { id } of traces) await awaited(id, ['checkin checkin.access_controls.create'])
    const own = new Set(traces.map(({ id }) => id))
    const flushes = collector.spans.filter(({ name, traceId }) => name === 'checkin.flush' && own.has(traceId))
    // Each request is in the trace of a flush, or linked to one; to two if the first flush found that the door had to look its guest up again.
    const covered = new Set(flushes.flatMap(({ traceId, links }) => [traceId, ...links.map((link) => link.traceId)]))
    expect(covered).toEqual(own)
    expect(flushes.length).toBeLessThan(uids.length)
    for (const { spanId, links } of flushes) {
      for (const link of links) {
        const linked = collector.spans.find((span) => span.spanId === link.spanId)
        expect(linked?.links.map((back) => back.spanId)).toContain(spanId)
      }
    }
  })

  test('a trace goes on through the outbox to the delivery of a webhook, also if that fails at first', async () => {
    const { testEvent, category, point } = await openEvent()
    let isWell = false
    const moody = await startReceiver(() => ({ status: isWell ? 204 : 500 }))
    const hook = {
      url: `${moody.url}/secret-path`,
      event_types: ['guest.created', 'check_in.created'],
      event_id: testEvent.id,
    }
    expect((await retried(() => system.api('POST', 'webhooks.json', hook))).status).toBe(201)
    const [ofGuest, ofScan] = [newTrace(), newTrace()]
    const guest = { guest_category_id: category, uid: 'grace1906' }
    expect((await testEvent.api('POST', 'guests.json', guest, { headers: ofGuest.headers })).status).toBe(201)
    await awaited(ofGuest.id, ['hooks process domain', 'hooks POST'])
    isWell = true
    const scan = { accesspoint_id: point, guest_uid: 'grace1906' }
    expect((await testEvent.api('POST', 'access_controls.json', scan, { headers: ofScan.headers })).status).toBe(201)
    // Its entry stays until the notification window ends.
    await expect.poll(async () => (await measured('checkin', 'gatehouse_outbox_depth'))[EVENTS]).toBeGreaterThan(0)
    expect((await measured('checkin', 'gatehouse_outbox_oldest_age_seconds'))[EVENTS]).toBeGreaterThan(0)
    await moody.until((received) => received.some(({ json }) => json.type === 'check_in.created'))
    const [delivered] = (await awaited(ofScan.id, ['hooks POST'])).filter(({ name }) => name === 'POST')
    expect(delivered).toMatchObject({ kind: CLIENT, status: 0 })
    expect(delivered?.attributes).toEqual({
      'http.request.method': 'POST',
      'gatehouse.event.type': 'check_in.created',
      'http.response.status_code': 204,
    })
    const failed = ofTrace(ofGuest.id).find(({ name, status }) => name === 'POST' && status === 2)
    expect(failed?.attributes).toMatchObject({ 'http.response.status_code': 500, 'error.type': '500' })
    const outcomes = await measured('hooks', 'gatehouse_webhook_deliveries_total')
    expect(outcomes).toMatchObject({
      'outcome="delivered"': expect.any(Number),
      'outcome="refused"': expect.any(Number),
    })
    // What hooks logs of the failure has the ids of the trace.
    const logged = () => processes.hooks?.said.out.split('\n').filter((line) => line.includes('not delivered')) ?? []
    await expect.poll(logged).not.toEqual([])
    const { trace_id, span_id } = JSON.parse(logged()[0] ?? '{}')
    expect([trace_id, span_id]).toEqual([ofGuest.id, failed?.spanId])
    await moody.close()
  })

  test('a trace goes on to the e-mail of an invitation, and that of an acceptance to its confirmation', async () => {
    const campaign = await openCampaign(system, { category: { confirmation_email_enabled: true } })
    const taken = Promise.withResolvers<void>()
    mailServer.plan(() => () => taken.promise)
    const { id, headers } = newTrace()
    expect((await campaign.invite(['grace@example.org'], { headers })).status).toBe(201)
    // While the mail server has it, the turn is in work.
    await expect.poll(async () => (await measured('mail', 'gatehouse_queue_depth'))['queue="mail"']).toBe(1)
    expect((await measured('mail', 'gatehouse_queue_oldest_age_seconds'))['queue="mail"']).toBeGreaterThan(0)
    taken.resolve()
    await expect.poll(() => mailServer.mails.map(({ to }) => to[0])).toContain('grace@example.org')
    const sent = (await awaited(id, ['mail mail.hand_over'])).find(({ name }) => name === 'mail.hand_over')
    expect(sent).toMatchObject({ kind: CLIENT, status: 0, attributes: { 'gatehouse.mail.outcome': 'sent' } })
    expect(await measured('mail', 'gatehouse_mail_handovers_total')).toEqual({ 'outcome="sent"': 1 })
    // Whoever accepts gets an e-mail that belongs to the trace of the acceptance.
    const invitee = await TestInvitee.invite(campaign)
    const acceptance = newTrace()
    const body = new URLSearchParams({ answer: 'accepted' })
    const accepted = await fetch(invitee.link, { method: 'POST', body, headers: acceptance.headers })
    expect(accepted.status).toBe(200)
    await awaited(acceptance.id, ['guests guests.guests.create_invited', 'mail mail.hand_over'])
  })

  test('a traceparent that is wrong is ignored: the request begins a trace of its own', async () => {
    const { id, headers } = newTrace()
    const wrong = [
      `01${headers.traceparent.slice(2)}x`,
      `00-${'0'.repeat(32)}-${'b'.repeat(16)}-01`,
      `00-${id}-zz-01`,
      id,
    ]
    const before = collector.spans.length
    for (const traceparent of wrong) {
      expect((await system.api('GET', 'account.json', undefined, { headers: { traceparent } })).status).toBe(200)
    }
    const roots = () =>
      collector.spans
        .slice(before)
        .filter(({ name, parentSpanId }) => name === 'GET /api/v1/account' && parentSpanId === '')
    await expect.poll(() => roots().length).toBe(wrong.length)
    expect(new Set(roots().map(({ traceId }) => traceId)).size).toBe(wrong.length)
    expect(ofTrace(id)).toEqual([])
  })

  test('a trace that its client or the sampler of the gateway leaves out is not recorded anywhere', deep, async () => {
    const { id, parentId, headers: sampled } = newTrace()
    const traceparent = `00-${id}-${parentId}-00`
    expect((await system.api('GET', 'account.json', undefined, { headers: { traceparent } })).status).toBe(200)
    const port = await reservePort()
    const deaf = startSpeaking(mainOf('gateway'), {
      ...settings,
      PORT: String(port),
      OTEL_TRACES_SAMPLER: 'always_off',
    })
    await deaf.ready()
    const init = { headers: sampled, base: `http://127.0.0.1:${port}` }
    expect((await started.api('GET', 'account.json', undefined, init)).status).toBe(200)
    await deaf.stop()
    const { id: later, headers } = newTrace()
    expect((await system.api('GET', 'account.json', undefined, { headers })).status).toBe(200)
    await awaited(later, ['gateway GET /api/v1/account', 'sso sso.accounts.read'])
    expect(ofTrace(id)).toEqual([])
  })

  test('/metrics and the collector say exactly what happened: the numbers of decisions by status, requests and lookups', async () => {
    const { testEvent, category, point } = await openEvent()
    await testEvent.guest(category, 'counted')
    const before = await measured('checkin', 'gatehouse_checkin_decisions_total')
    const requests = await measured('gateway', 'http_server_request_duration_seconds_count')
    const commandsBefore = await measured('checkin', 'db_client_operation_duration_seconds_count')
    await Promise.all(Array.from({ length: 9 }, () => testEvent.scan(point, 'counted')))
    const scan = { accesspoint_id: point, guest_uid: 'nobody' }
    const init = { headers: { 'idempotency-key': crypto.randomUUID() } }
    for (let n = 0; n < 3; n++)
      expect((await testEvent.api('POST', 'access_controls.json', scan, init)).status).toBe(201)
    const after = await measured('checkin', 'gatehouse_checkin_decisions_total')
    const grown = (labels: string) => (after[labels] ?? 0) - (before[labels] ?? 0)
    expect([grown('status="granted"'), grown('status="too_many_check_ins"'), grown('status="guest_unknown"')]).toEqual([
      1, 8, 1,
    ])
    const route =
      'http_request_method="POST",http_response_status_code="201",http_route="/api/v1/events/:event_id/access_controls"'
    const answered = await measured('gateway', 'http_server_request_duration_seconds_count')
    expect((answered[route] ?? 0) - (requests[route] ?? 0)).toBe(12)
    const granted = { name: 'gatehouse.checkin.decisions', unit: '{check-in}', attributes: { status: 'granted' } }
    const scans = {
      name: 'http.server.request.duration',
      unit: 's',
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/api/v1/events/:event_id/access_controls',
        'http.response.status_code': 201,
      },
    }
    // A flush asks Redis, and stores in MongoDB.
    const ofStore = (system: string, operation: string) => ({
      service: 'gatehouse-checkin',
      name: 'db.client.operation.duration',
      unit: 's',
      attributes: { 'db.system.name': system, 'db.operation.name': operation },
      value: expect.any(Number),
    })
    const inserts = 'db_system_name="mongodb",db_operation_name="insert"'
    const commands = (await measured('checkin', 'db_client_operation_duration_seconds_count'))[inserts]
    expect((commands ?? 0) - (commandsBefore[inserts] ?? 0)).toBeGreaterThan(0)
    await expect
      .poll(() => collector.points)
      .toEqual(
        expect.arrayContaining([
          { service: 'gatehouse-checkin', ...granted, value: after['status="granted"'] },
          { service: 'gatehouse-gateway', ...scans, value: answered[route] },
          { ...ofStore('mongodb', 'insert'), value: commands },
          ofStore('redis', 'evalsha'),
        ]),
      )
    expect(await measured('checkin', 'gatehouse_checkin_flush_size_count')).toEqual({ '': expect.any(Number) })
    const lookups = await measured('gateway', 'gatehouse_cache_lookups_total')
    expect(lookups['cache="tokens",result="hit"']).toBeGreaterThan(12)
  })

  test('queues, outboxes, memory and event loop are read for each scrape', async () => {
    for (const [name, queue] of Object.entries({ mail: 'mail', hooks: 'hooks', badges: 'badges' })) {
      await expect.poll(() => measured(name, 'gatehouse_queue_depth')).toEqual({ [`queue="${queue}"`]: 0 })
      expect(await measured(name, 'gatehouse_queue_oldest_age_seconds')).toEqual({ [`queue="${queue}"`]: 0 })
    }
    for (const name of ['guests', 'checkin', 'leads', 'partners']) {
      await expect.poll(() => measured(name, 'gatehouse_outbox_depth')).toEqual({ [EVENTS]: 0, [AUDIT]: 0 })
      expect(await measured(name, 'gatehouse_outbox_oldest_age_seconds')).toEqual({ [EVENTS]: 0, [AUDIT]: 0 })
    }
    for (const name of names) {
      expect((await measured(name, 'process_memory_usage_bytes'))['']).toBeGreaterThan(20 * 1024 * 1024)
      expect((await measured(name, 'nodejs_eventloop_delay_p99_seconds'))['']).toBeGreaterThanOrEqual(0)
    }
  })

  test('every process answers /livez and /readyz on its operations port, and nothing else; the public port has no metrics', async () => {
    for (const name of names) {
      for (const path of ['/livez', '/readyz']) {
        // A store that answers late on a busy machine makes a process unready for that time.
        const seen = async () => {
          const answer = await operations(name, path)
          return [name, path, answer.status, await answer.json()]
        }
        await expect.poll(seen).toEqual([name, path, 200, { status: 'ok' }])
      }
      expect((await operations(name, '/')).status).toBe(404)
      expect((await operations(name, '/metrics?x')).status).toBe(404)
    }
    expect((await operations('guests', '/metrics', { method: 'POST' })).status).toBe(405)
    expect((await fetch(`${system.url}/metrics`)).status).toBe(404)
    // A port that is taken is said.
    const { port } = new URL(operationsUrl('promo'))
    const second = startSpeaking(mainOf('promo'), { ...settings, OPERATIONS_PORT: port })
    await expect.poll(() => second.said.err).toContain(`promo: OPERATIONS_PORT ${port} cannot be used`)
    await second.stop()
  })

  describe('when every action was called, and once more with a broken body where it takes one', deep, () => {
    // It comes from Debian, as the stores do.
    const hasPrometheus = findPlatform() !== undefined
    let prometheus: OwnPrometheus | undefined
    let world: World
    let start: number
    beforeAll(async () => {
      start = Date.now() / 1000
      const targets = names.map((name) => [`gatehouse-${name}`, new URL(operationsUrl(name)).host])
      if (hasPrometheus) prometheus = await startPrometheus(asking(Object.fromEntries(targets)))
      world = await World.of(system, all)
      for (const row of all) {
        const { status, text } = await retried(() => world.send(row))
        expect(status, `${labelOf(row)}: ${text}`).toBeLessThan(400)
        if (!row.action.body) continue
        const broken = JSON.stringify(await world.bodyOf(row)).slice(0, -1)
        expect((await world.send(row, { body: broken })).status).toBe(400)
      }
    })
    afterAll(() => prometheus?.stop())

    test.runIf(hasPrometheus)(
      'every graph of the dashboard has data in Prometheus, but for what did not happen',
      async () => {
        const file = join(import.meta.dirname, '../deploy/observability/gatehouse.json')
        const { panels } = JSON.parse(await readFile(file, 'utf8')) as {
          panels: { type: string; title: string; targets: { expr: string }[] }[]
        }
        const graphs = panels.filter(({ type }) => type !== 'row')
        // A rate needs two scrapes that differ.
        const scan = all.find(({ resource, name }) => resource.many === 'access_controls' && name === 'create')
        const empty = async () => {
          if (scan) await world.send(scan)
          const found = graphs.map(async ({ title, targets }) => {
            const hasValues = await Promise.all(targets.map(({ expr }) => prometheus?.hasValues(expr, start)))
            return hasValues.some(Boolean) ? [] : title
          })
          return (await Promise.all(found)).flat()
        }
        await expect.poll(empty).toEqual(['Refused by a quota', 'Refused early, as there is too much to do'])
      },
    )

    test('no log, span or metric has a token, an e-mail address or a name', async () => {
      await Promise.all(Object.values(processes).map(({ stop }) => stop()))
      const said = Object.values(processes).map(({ said: { out, err } }) => out + err)
      const sent = [...collector.spans, ...collector.points].map((sent) => JSON.stringify(sent))
      for (const text of said) expect(text).toContain('"msg":"ready"')
      const everything = [...said, ...sent].join('\n')
      // Samples, which all texts of the requests are, and what the tests above have sent.
      const secrets = [
        /sample[-_]\d+/i,
        /[\w.+-]+@[\w-]+\.\w+/,
        /\bg[hs]_\w{10}/,
        /whsec_/,
        /secret-path/,
        /Lovelace|grace1906|ada1815/,
      ]
      for (const secret of secrets) expect(everything.match(secret)?.[0]).toBeUndefined()
      expect(everything).not.toContain(system.auth_token)
    })
  })
})

test('without settings only the API of OpenTelemetry is loaded, and no operations port is opened', async () => {
  const listing = `data:text/javascript,${encodeURIComponent(`
    import { registerHooks } from 'node:module'
    registerHooks({ load: (url, context, next) => (process.stderr.write(url + '\\n'), next(url, context)) })`)}`
  const settings = {
    MONGODB_URL: inject('mongodbUrl'),
    NATS_URL: inject('natsUrl'),
    NAMESPACE: `off-${crypto.randomUUID().slice(0, 8)}`,
  }
  const loadedWith = async (further: Record<string, string>) => {
    const off = startSpeaking(mainOf('promo'), { ...settings, ...further }, [`--import=${listing}`])
    await off.ready()
    await off.stop()
    return off.said
  }
  const [off, on, alone] = await Promise.all([
    loadedWith({}),
    loadedWith({ OPERATIONS_PORT: '0' }),
    // Nothing listens there.
    loadedWith({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await reservePort()}` }),
  ])
  expect(off.err).toContain('services/promo/service.ts')
  expect(off.err).toContain('@opentelemetry/api')
  expect(off.err).not.toMatch(/@opentelemetry\/(?!api\/)/)
  expect(off.out).not.toContain('operations port')
  // The same look finds them where metrics are on, and no tracing with them.
  expect(on.err).toContain('@opentelemetry/sdk-metrics')
  expect(on.err).not.toContain('@opentelemetry/sdk-trace')
  expect(on.out).toContain('operations port')
  // A collector that is away does not keep a process from working, and ending.
  expect(alone.err).toContain('@opentelemetry/sdk-trace')
  expect(alone.out).toContain('"msg":"stopped"')
})

test('docs/telemetry.md lists every metric with its unit and attributes', async () => {
  const docs = await readFile(join(import.meta.dirname, '../docs/telemetry.md'), 'utf8')
  const rows = docs.split('\n').map((line) => line.replaceAll(/ +/g, ' '))
  const missing = Object.values(declared).flatMap(({ name, unit, attributes }) => {
    const labels = attributes.map((each) => ` \`${each}\``).join(',')
    const row = `| \`${name}\` | \`${unit}\` |${labels} |`
    return rows.some((line) => line.startsWith(row)) ? [] : [row]
  })
  expect(missing).toEqual([])
})
