import { coloursOf } from './colour.ts'
import { html, Markup } from './markup.ts'

/** Whose e-mail it is, and in which language. */
export interface MailBranding {
  /** As people know the organizer. */
  name: string
  /** Of the bar and the buttons, `#rrggbb`. */
  colour: string | null
  /** Where anybody may load the logo; null: there is none that mail programs show. */
  logo: string | null
  language: string
}

/** What an e-mail says. */
interface MailContent {
  title: string
  content: Markup
  /** What stands below the card, such as the way to unsubscribe. */
  foot?: Markup | undefined
}

const FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
const TABLE = new Markup('role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"')
/** Mail programs that drop it show the light colours, which are inline, and links as they do. */
const STYLE = `.card a,.quiet a{color:#1f4fd8}@media (prefers-color-scheme:dark){.page{background:#11151c!important}.card{background:#1c222c!important;border-color:#2c3440!important;color:#e8eaed!important}.quiet{color:#aab2bd!important}.card a,.quiet a{color:#9db6ff!important}.card a.button{color:inherit!important}.logo{padding:4px 8px!important;border-radius:4px;background:#ffffff!important;color:#1a1d21!important}}`

/** Returns the HTML part of an e-mail: the logo or the name of the organizer above a card. It is made of tables with inline styles, since mail programs keep little else. */
export function mailDocument(
  { name, colour, logo, language }: MailBranding,
  { title, content, foot }: MailContent,
): string {
  const { background } = coloursOf(colour)
  const head = logo
    ? html`<img src="${logo}" class="logo" alt="${name}" height="48" style="display:block;height:48px;width:auto;max-width:100%;object-fit:contain;border:0">`
    : html`<strong>${name}</strong>`
  return html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${title}</title><style>${new Markup(STYLE)}</style></head>
<body class="page" style="margin:0;padding:0;background:#f3f4f6">
<table ${TABLE} class="page" style="background:#f3f4f6"><tr><td align="center" style="padding:24px 12px">
<table ${TABLE} style="max-width:600px">
<tr><td height="6" style="height:6px;background:${background};border-radius:8px 8px 0 0;font-size:0;line-height:0">&nbsp;</td></tr>
<tr><td class="card" align="left" style="padding:24px;background:#ffffff;border:1px solid #d5d9df;border-top:0;border-radius:0 0 8px 8px;color:#1a1d21;${FONT};font-size:16px;line-height:1.5;text-align:start;word-break:break-word">
<div style="padding-bottom:16px">${head}</div>
<div class="content">
${content}</div>
</td></tr>
${foot && html`<tr><td class="quiet" align="left" style="padding:16px 24px 0;color:#4b5563;${FONT};font-size:13px;line-height:1.5">${foot}</td></tr>\n`}</table>
</td></tr></table>
</body></html>
`.text
}

/** Returns a link that looks like a button, in the colour of the organizer. */
export function mailButton(colour: string | null, url: string, label: Markup): Markup {
  const { background, text } = coloursOf(colour)
  const style = `display:inline-block;margin:4px 8px 4px 0;padding:12px 24px;border-radius:8px;background:${background};color:${text};font-weight:bold;text-decoration:none`
  return html`<a href="${url}" class="button" style="${style}"><span style="color:${text}">${label}</span></a>`
}

/**
 * Returns a QR code as e-mails show it: on white, whatever the colours of the mail program, so that it can be scanned. Below it is what it says,
 * for guests whose phones do not show pictures.
 */
export function mailQrCode(source: string, label: string, code: string): Markup {
  return html`<img src="${source}" alt="${label}" width="256" height="256" style="display:block;padding:12px;background:#ffffff;border-radius:8px"><span dir="ltr" style="display:block;width:280px;max-width:100%;padding-top:4px;font-family:ui-monospace,Menlo,Consolas,monospace;font-size:14px;text-align:center">${code}</span>`
}

/** Returns the address of a logo if mail programs show files of its type, which they do not of SVG. */
export function mailLogoOf(url: string | null | undefined): string | null {
  return url && /\.(png|jpg)$/.test(url) ? url : null
}
