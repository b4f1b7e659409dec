import { gzipSync } from 'node:zlib'
import viewer from '@scalar/fastify-api-reference'
import fastify from 'fastify'

// A separate program, run by docs.ts: the package is one module with the viewer's script as a string of 5 MB, which a process that loads it never
// frees; a worker thread left 45 MB behind. It writes the compressed script to standard output. `@scalar/api-reference` has the same script, with
// 272 packages instead of 14.
const app = fastify()
await app.register(viewer, { routePrefix: '/', configuration: { url: '/openapi.json' } })
const { rawPayload } = await app.inject('/js/scalar.js')
process.stdout.write(gzipSync(rawPayload))
