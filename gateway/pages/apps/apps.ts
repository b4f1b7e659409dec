import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { apps, type Build, buildOf } from '@gatehouse/apps/built'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { accepts, hasAlready } from '../../http/request.ts'

/** Apps load from the gateway alone, and run no scripts but their own; `wasm-unsafe-eval` is for WebAssembly of their own. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  // Badges are drawn with their logos in them.
  "img-src 'self' data:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const HEADERS = {
  'permissions-policy': 'camera=(self), geolocation=(), microphone=()',
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
}

/** The page in which the console shows e-mails, whose styles are in their text. */
const FRAME = 'mail-frame.html'
/** It has no origin, so that nothing in it gets at the console, and runs nothing but its own script. */
const FRAME_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  'sandbox allow-scripts',
].join('; ')

function securityOf(app: string, file: string): Record<string, string> {
  if (file === FRAME) return { 'x-frame-options': 'SAMEORIGIN', 'content-security-policy': FRAME_POLICY }
  const framing = app === 'console' ? `; frame-src 'self'` : ''
  return { 'content-security-policy': POLICY + framing }
}

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
}

/** The encodings in which files may lie beside the plain ones, the smallest first. */
const ENCODINGS = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
]

const PAGE = 'index.html'
/** Names in this folder hold a hash of the content. */
const HASHED = 'assets/'

/** Serves the apps for people, each under its name. One that was never built is left out. Who opens the address alone in a browser is led to the console. */
export async function appRoutes(app: FastifyInstance): Promise<void> {
  app.get('/', async (_request, reply) => reply.redirect('/console/', 302))
  for (const name of apps) {
    const build = await buildOf(name)
    if (build) await addBuild(app, name, build)
    else app.log.warn({ app: name }, 'the app is not built: npm run build:apps')
  }
}

/**
 * A route for each file: what is no file of the build has no path. The files are read now, some 2 MB, since the next build removes the folder while
 * this gateway still runs.
 */
export async function addBuild(app: FastifyInstance, name: string, build: Build): Promise<void> {
  app.get(`/${name}`, async (_request, reply) => reply.redirect(`/${name}/`, 308))
  for (const file of build.files) {
    const type = TYPES[extname(file)]
    if (!type) continue
    const send = await senderOf(build, file, type, securityOf(name, file))
    app.get(`/${name}/${file === PAGE ? '' : file}`, send)
  }
}

/** Sends a file as the client takes it. Those with a hash in their names are kept for good, others are asked for again. */
async function senderOf(
  { folder, files, version }: Build,
  file: string,
  type: string,
  security: Record<string, string>,
) {
  const plain = await readFile(join(folder, file))
  const beside = ENCODINGS.filter(({ suffix }) => files.includes(file + suffix))
  const encoded = await Promise.all(
    beside.map(async ({ name, suffix }) => ({ name, bytes: await readFile(join(folder, file + suffix)) })),
  )
  const isHashed = file.startsWith(HASHED)
  const caching = isHashed ? 'public, max-age=31536000, immutable' : 'no-cache'
  // Weak, since it stands for all encodings.
  const etag = `W/"${version}"`
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    reply
      .headers({ ...HEADERS, ...security })
      .type(type)
      .header('cache-control', caching)
      .header('etag', etag)
      .header('vary', 'accept-encoding')
    if (hasAlready(request, etag)) return reply.code(304).send()
    const taken = encoded.find(({ name }) => accepts(request, name))
    if (taken) reply.header('content-encoding', taken.name)
    return reply.send(taken?.bytes ?? plain)
  }
}
