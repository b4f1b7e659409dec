import { createHash } from 'node:crypto'
import { html, Markup } from '@gatehouse/proto/pages/markup.ts'
import { KEPT } from '@gatehouse/proto/process/mail-folder.ts'
import type { Email } from 'postal-mime'

/** A page with its Content-Security-Policy. */
export interface DevPage {
  body: string
  policy: string
}

const STYLE = `body{margin:0 auto;max-width:60rem;padding:1rem;font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
table{width:100%;border-collapse:collapse}th,td{padding:.25rem .5rem .25rem 0;border-bottom:1px solid #ccc;text-align:start;vertical-align:top}
pre{padding:1rem;background:#f3f4f6;white-space:pre-wrap}iframe{width:100%;height:24rem;border:1px solid #ccc}`

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** What an e-mail may do in its frame: nothing but open links. The policy says the same, for whoever opens the part alone. */
const SANDBOX = 'allow-popups allow-popups-to-escape-sandbox'
const PART_POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  "form-action 'none'",
  "frame-ancestors 'self'",
  `sandbox ${SANDBOX}`,
].join('; ')

/** The list of e-mails. */
export function listPage(mails: { name: string; at: Date; mail: Email }[]): DevPage {
  const rows = mails.map(
    ({ name, at, mail }) => html`<tr><td>${at.toISOString()}</td><td>${receiverOf(mail)}</td>
<td><a href="/dev/mail/${name}">${mail.subject || '(no subject)'}</a></td></tr>
`,
  )
  return page(
    'E-mails',
    html`<h1>E-mails</h1>
<p>Kept here in place of sending them, since no SMTP_URL is set: the newest ${KEPT}.</p>
${mails.length === 0 ? html`<p>There are none yet.</p>` : html`<table><tr><th>Time</th><th>To</th><th>Subject</th></tr>\n${rows}</table>`}`,
  )
}

/** One e-mail: its text, its HTML in a frame, and its headers. */
export function mailPage(name: string, mail: Email, bytes: Buffer): DevPage {
  const [head = ''] = bytes.toString('latin1').split('\r\n\r\n', 1)
  const attachments = mail.attachments.map(
    ({ filename, mimeType }) => html`<li>${filename ?? '(no name)'} (${mimeType})</li>`,
  )
  return page(
    mail.subject || '(no subject)',
    html`<p><a href="/dev/mail">All e-mails</a></p>
<h1>${mail.subject || '(no subject)'}</h1>
<p>To ${receiverOf(mail)}</p>
<pre>${linked(mail.text ?? '')}</pre>
${mail.html !== undefined && html`<iframe title="HTML" sandbox="${SANDBOX}" src="/dev/mail/${name}/html"></iframe>`}
${attachments.length > 0 && html`<h2>Attachments</h2>\n<ul>${attachments}</ul>`}
<h2>Headers</h2>
<pre>${head}</pre>`,
  )
}

/** The HTML part of an e-mail with its own pictures, for the frame. Its links open in windows of their own. */
export function partPage({ html: part = '', attachments }: Email): DevPage {
  const shown = part.replaceAll(/\bcid:([\w.@-]+)/g, (written, id: string) => {
    const picture = attachments.find(({ contentId }) => contentId === `<${id}>`)
    return picture ? `data:${picture.mimeType};base64,${picture.content}` : written
  })
  return { body: `<!doctype html><base target="_blank">${shown}`, policy: PART_POLICY }
}

function page(title: string, content: Markup): DevPage {
  const { text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${new Markup(STYLE)}</style>
</head>
<body>
${content}
</body>
</html>
`
  return { body: text, policy: POLICY }
}

function receiverOf({ to = [] }: Email): string {
  return to.map(({ address }) => address ?? '').join(', ')
}

/** A text whose web addresses are links. */
function linked(text: string): (Markup | string)[] {
  return text
    .split(/(https?:\/\/[^\s<>"]+)/)
    .map((part, index) =>
      index % 2 === 1 ? html`<a href="${part}" target="_blank" rel="noreferrer">${part}</a>` : part,
    )
}
