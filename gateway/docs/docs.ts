import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { shared } from '@gatehouse/proto/concurrency/shared.ts'
import { DEFAULT_PUBLIC_URL } from '@gatehouse/proto/process/public-url.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { contentTypes } from '../http/answers.ts'
import { accepts, hasAlready } from '../http/request.ts'
import own from '../package.json' with { type: 'json' }

/**
 * The page may load only from the gateway, and run only its own two scripts. The viewer sets its layout by hundreds of `style` attributes,
 * which neither a nonce nor a hash allows, so only styles may be inline.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const TITLE = 'Gatehouse API'
const JAVASCRIPT = 'text/javascript; charset=utf-8'

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1d3557"/>
<path d="M7 26V12l9-6 9 6v14h-6v-7a3 3 0 0 0-6 0v7z" fill="#fff"/></svg>
`

// By default the viewer loads fonts from its maker's servers and offers their services.
const START = `Scalar.createApiReference('#page', ${JSON.stringify(
  {
    url: '/openapi.json',
    // The page may ask no other host, and people may open it by another address than the public one.
    servers: [{ url: '/', description: 'This gateway' }],
    theme: 'default',
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    hideClientButton: true,
    orderSchemaPropertiesBy: 'preserve',
    showDeveloperTools: 'never',
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
    metaData: { title: TITLE },
  },
  null,
  2,
)})
`

/** The path of the viewer's script. It names the version, so that browsers may cache the script for good. */
const VIEWER = `/docs/scalar-${own.dependencies['@scalar/fastify-api-reference']}.js`

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${TITLE}</title>
<link rel="icon" href="/docs/icon.svg" type="image/svg+xml">
</head>
<body>
<noscript>This page needs JavaScript. Its content is also at <a href="/openapi.json">openapi.json</a>.</noscript>
<div id="page"></div>
<script src="${VIEWER}"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`

/** The API documents: the whole one, and the one in JSON alone from which clients are generated. */
const documents = ['openapi.json', 'openapi-client.json']

/**
 * Serves the API documents, which name this gateway by its address, and the page at `/docs` that shows the whole one. They need no token, and the
 * page needs no other server.
 */
export async function docsRoutes(app: FastifyInstance, publicUrl: string): Promise<void> {
  const viewer = packed(readViewer)
  for (const name of documents) {
    const document = packed(() => readDocument(name, publicUrl))
    app.get(`/${name}`, async (request, reply) => {
      const file = await document()
      reply.type(contentTypes.json).header('access-control-allow-origin', '*').header('cache-control', 'no-cache')
      return sendPacked(request, reply, file)
    })
  }
  app.get(VIEWER, async (request, reply) => {
    const file = await viewer()
    guarded(reply).type(JAVASCRIPT).header('cache-control', 'public, max-age=31536000, immutable')
    return sendPacked(request, reply, file)
  })
  const files = [
    { path: '/docs', type: 'text/html; charset=utf-8', text: PAGE },
    { path: '/docs/', type: 'text/html; charset=utf-8', text: PAGE },
    { path: '/docs/start.js', type: JAVASCRIPT, text: START },
    { path: '/docs/icon.svg', type: 'image/svg+xml', text: ICON },
  ]
  for (const { path, type, text } of files)
    app.get(path, async (_request, reply) => guarded(reply).type(type).header('cache-control', 'no-cache').send(text))
}

/** A committed document with the address of this gateway, compressed. A test proves that it is the one that the declarations give. */
async function readDocument(name: string, publicUrl: string): Promise<Buffer> {
  const text = await readFile(new URL(`../openapi/${name}`, import.meta.url), 'utf8')
  const own = JSON.stringify(publicUrl.replace(/\/+$/, '')).slice(0, -1)
  return promisify(gzip)(text.replaceAll(`: "${DEFAULT_PUBLIC_URL}`, () => `: ${own}`))
}

/** The viewer's script, compressed. */
async function readViewer(): Promise<Buffer> {
  const program = join(import.meta.dirname, 'viewer.ts')
  const options = { encoding: 'buffer', maxBuffer: 16 * 1024 * 1024, timeout: 60_000, env: {} } as const
  return (await promisify(execFile)(process.execPath, [program], options)).stdout
}

/** A large file. */
interface Packed {
  /** Compressed. */
  bytes: Buffer
  plain: () => Promise<Buffer>
  /** A weak one, since it stands for the uncompressed answer too. */
  etag: string
}

/** Reads a file at the first request, and again only if that fails. */
function packed(read: () => Promise<Buffer>): () => Promise<Packed> {
  let reading: Promise<Packed> | undefined
  return () => {
    reading ??= read().then(
      (bytes) => ({
        bytes,
        plain: unpacked(bytes),
        etag: `W/"${createHash('sha256').update(bytes).digest('base64url')}"`,
      }),
      (error: unknown) => {
        reading = undefined
        throw error
      },
    )
    return reading
  }
}

/** Returns the uncompressed bytes: one copy for all answers that are under way, however slowly they are read, and none between them. */
function unpacked(bytes: Buffer): () => Promise<Buffer> {
  let last: WeakRef<Buffer> | undefined
  const unpack = shared(() => promisify(gunzip)(bytes))
  return async () => {
    const known = last?.deref()
    if (known) return known
    const plain = await unpack()
    last = new WeakRef(plain)
    return plain
  }
}

async function sendPacked(request: FastifyRequest, reply: FastifyReply, file: Packed): Promise<FastifyReply> {
  const { bytes, plain, etag } = file
  reply.header('vary', 'accept-encoding').header('etag', etag)
  if (hasAlready(request, etag)) return reply.code(304).send()
  return accepts(request, 'gzip') ? reply.header('content-encoding', 'gzip').send(bytes) : reply.send(await plain())
}

function guarded(reply: FastifyReply): FastifyReply {
  return reply
    .header('content-security-policy', POLICY)
    .header('x-content-type-options', 'nosniff')
    .header('referrer-policy', 'no-referrer')
}
