import { createServer } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { listen } from './listening.ts'

/** A span as a collector gets it. */
export interface ReceivedSpan {
  /** The process: `gatehouse-gateway`. */
  service: string
  traceId: string
  spanId: string
  parentSpanId: string
  name: string
  kind: number
  attributes: Record<string, unknown>
  links: { traceId: string; spanId: string }[]
  /** 2: failed. */
  status: number
  traceState: string
}

/** A point of a metric as a collector gets it. */
export interface ReceivedPoint {
  service: string
  name: string
  unit: string
  attributes: Record<string, unknown>
  /** What was counted or read; of a histogram how often. */
  value: number
}

/** A collector of a test: a web server that takes OTLP in JSON. */
export interface OtlpReceiver {
  /** The value of `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  url: string
  spans: ReceivedSpan[]
  points: ReceivedPoint[]
  close(): Promise<void>
}

interface Attribute {
  key: string
  value: Record<string, unknown>
}

const attributesOf = (given: Attribute[] = []): Record<string, unknown> =>
  Object.fromEntries(given.map(({ key, value }) => [key, Object.values(value)[0]]))

// biome-ignore lint/suspicious/noExplicitAny: the format of OTLP, of which little is read
type Message = any

const measuredIn = ({ asInt, asDouble, count }: Message): number => Number(asInt ?? asDouble ?? count)

/** Starts a collector. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = []
  const points: ReceivedPoint[] = []
  const take: Record<string, (message: Message) => void> = {
    '/v1/traces': ({ resourceSpans }) => {
      for (const { resource, scopeSpans } of resourceSpans) {
        const service = String(attributesOf(resource.attributes)['service.name'])
        for (const span of scopeSpans.flatMap((scope: Message) => scope.spans))
          spans.push({
            ...span,
            service,
            parentSpanId: span.parentSpanId ?? '',
            attributes: attributesOf(span.attributes),
            links: span.links ?? [],
            status: span.status?.code ?? 0,
            traceState: span.traceState ?? '',
          })
      }
    },
    '/v1/metrics': ({ resourceMetrics }) => {
      for (const { resource, scopeMetrics } of resourceMetrics) {
        const service = String(attributesOf(resource.attributes)['service.name'])
        for (const { name, unit, ...data } of scopeMetrics.flatMap((scope: Message) => scope.metrics))
          for (const point of Object.values<Message>(data).flatMap(({ dataPoints }) => dataPoints ?? []))
            points.push({ service, name, unit, attributes: attributesOf(point.attributes), value: measuredIn(point) })
      }
    },
  }
  const server = createServer(async (request, response) => {
    const bytes = Buffer.concat(await request.toArray())
    const text = request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes
    take[request.url ?? '']?.(JSON.parse(text.toString()))
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  const { host, close } = await listen(server)
  return { url: `http://${host}`, spans, points, close }
}
