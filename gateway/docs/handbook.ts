import { readdir, readFile } from 'node:fs/promises'
import { Fault } from '@gatehouse/proto/declaring/faults.ts'
import type { FastifyInstance } from 'fastify'
import { Marked } from 'marked'

/** The pages for operators, as Markdown. */
const FOLDER = new URL('../../docs/', import.meta.url)

const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Readable on a phone, by day and by night. */
const STYLE = `:root { color-scheme: light dark }
body { font: 1rem/1.5 system-ui, sans-serif; margin: 1rem auto; max-width: 70ch; overflow-wrap: anywhere; padding: 0 1rem }
table { border-collapse: collapse; display: block; overflow-x: auto }
td, th { border: 1px solid #8888; padding: .4rem .6rem; text-align: left; vertical-align: top }
pre { overflow-x: auto; padding: .6rem; border: 1px solid #8888 }
:target { outline: 3px solid #e9a100; outline-offset: .3rem }`

/**
 * Serves the pages of `docs/` at `/docs/handbook/<page>.md`, under which their links to each other work. `runbook_url` of alerts leads there: whoever
 * is woken has a phone at hand.
 */
export async function handbookRoutes(app: FastifyInstance): Promise<void> {
  const names = (await readdir(FOLDER).catch(() => [])).filter((name) => name.endsWith('.md'))
  const pages = new Map<string, Promise<string>>()
  app.get<{ Params: { page: string } }>('/docs/handbook/:page', async ({ params: { page } }, reply) => {
    if (!names.includes(page)) throw new Fault('not_found', `There is no page ${page}`)
    const html = pages.get(page) ?? pageOf(page, names)
    pages.set(page, html)
    reply.headers({ 'content-security-policy': POLICY, 'cache-control': 'no-cache', 'referrer-policy': 'no-referrer' })
    return reply.type('text/html; charset=utf-8').send(await html)
  })
}

async function pageOf(page: string, names: readonly string[]): Promise<string> {
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens)
        const isThere = /^(https:\/\/|#)/.test(href) || names.includes(href.replace(/#.*/, ''))
        return isThere ? `<a href="${href}">${text}</a>` : text
      },
      image: ({ text }) => text,
    },
  })
  const markdown = await readFile(new URL(page, FOLDER), 'utf8')
  const title = /^# (.*)$/m.exec(markdown)?.[1] ?? page
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Gatehouse</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${await marked.parse(markdown)}</main>
</body>
</html>
`
}

/** The anchor of a heading, as GitHub makes it. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\d _-]/gu, '')
    .replaceAll(' ', '-')
}
