import fastifyStatic from '@fastify/static'
import type { Resource } from '@gatehouse/proto/resource.ts'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { contentTypes } from './formats.ts'
import { openApiDocument } from './openapi.ts'

/**
 * The page may load from the gateway and from nowhere else, and run no script but the files below. Swagger UI sets its
 * styles through the DOM, which a policy without `unsafe-inline` allows; its icons are `data:` images.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Gatehouse API</title>
<link rel="icon" href="/docs/assets/favicon-32x32.png">
<link rel="stylesheet" href="/docs/assets/swagger-ui.css">
</head>
<body>
<noscript>This page needs JavaScript. The same is at <a href="/openapi.json">openapi.json</a>.</noscript>
<div id="page"></div>
<script src="/docs/assets/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`

// Without validatorUrl: null the page would ask a server of Swagger's to judge the document.
const START = `SwaggerUIBundle({
  dom_id: '#page',
  url: '/openapi.json',
  validatorUrl: null,
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
})
`

/** `/openapi.json` and the page at `/docs` that shows it; both need no token, and the page nothing but this gateway. */
export async function docsRoutes(app: FastifyInstance, resources: readonly Resource[]): Promise<void> {
  const document = JSON.stringify(openApiDocument(resources))
  app.get('/openapi.json', async (_request, reply) =>
    reply.type(contentTypes.json).header('access-control-allow-origin', '*').send(document),
  )
  for (const path of ['/docs', '/docs/']) {
    app.get(path, async (_request, reply) => guarded(reply).type('text/html; charset=utf-8').send(PAGE))
  }
  app.get('/docs/start.js', async (_request, reply) =>
    guarded(reply).type('text/javascript; charset=utf-8').send(START),
  )
  // Of @fastify/swagger-ui only the files: swagger-ui-dist, where they come from, depends on a package that reports installs.
  await app.register(fastifyStatic, {
    root: new URL('static', import.meta.resolve('@fastify/swagger-ui/package.json')),
    prefix: '/docs/assets/',
    allowedPath: (path) => /^\/(swagger-ui\.css|swagger-ui-bundle\.js|favicon-32x32\.png)$/.test(path),
    index: false,
    decorateReply: false,
    maxAge: '1h',
    setHeaders: (reply) => {
      reply.header('x-content-type-options', 'nosniff')
    },
  })
}

function guarded(reply: FastifyReply): FastifyReply {
  return reply
    .header('content-security-policy', POLICY)
    .header('x-content-type-options', 'nosniff')
    .header('referrer-policy', 'no-referrer')
}
