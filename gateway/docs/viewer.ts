import { gzipSync } from 'node:zlib'
import viewer from '@scalar/fastify-api-reference'
import fastify from 'fastify'

// A program of its own (docs.ts runs it): the package is one module that holds the viewer's script, 5 MB, as a text, and what loads
// it keeps it. It writes the script to standard output, compressed.
const app = fastify()
await app.register(viewer, { routePrefix: '/', configuration: { url: '/openapi.json' } })
const { rawPayload } = await app.inject('/js/scalar.js')
process.stdout.write(gzipSync(rawPayload))
