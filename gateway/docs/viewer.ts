import { gzipSync } from 'node:zlib'
import viewer from '@scalar/fastify-api-reference'
import fastify from 'fastify'

// A separate program, which docs.ts runs: the package is one module with the viewer's script as a string of 5 MB, which a process that
// loads it never frees. It writes the compressed script to standard output.
const app = fastify()
await app.register(viewer, { routePrefix: '/', configuration: { url: '/openapi.json' } })
const { rawPayload } = await app.inject('/js/scalar.js')
process.stdout.write(gzipSync(rawPayload))
