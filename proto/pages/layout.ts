import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { coloursOf } from './colour.ts'
import type { Language, Say } from './languages.ts'
import { html, Markup } from './markup.ts'

/** The account and language of pages, whose texts have these keys besides those of the layout. */
export interface PageBranding<Key extends string = never> {
  /** The account's name, as people know it. */
  name: string
  /** The account's colour, `#rrggbb`. */
  colour: string | null
  /** The path of the account's logo. */
  logo?: string | null
  language: Language
  say: Say<Key | 'error' | 'colon'>
}

/** A page with the headers that restrict it in the browser. */
export interface HtmlPage {
  status: number
  body: string
  headers: Record<string, string>
}

/** The tokens of all apps and pages: `--name: light-dark(light, dark)`. */
const TOKEN = /(--[\w-]+): light-dark\((.+), (.+)\);/g
const tokens = readFileSync(new URL('base.css', import.meta.url), 'utf8')
  .matchAll(TOKEN)
  .toArray()
const tokensIn = (scheme: 2 | 3): string => tokens.map((token) => `${token[1]}:${token[scheme]}`).join(';')
/** As apps have them, for browsers that lack `light-dark()` too: guests bring old phones. */
const COLOURS = `:root{color-scheme:light dark;${tokensIn(2)}}@media (prefers-color-scheme:dark){:root{${tokensIn(3)}}.logo{padding:.25rem .5rem;border-radius:.25rem;background:#fff}}`
const FONTS = 'system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Noto Sans JP","Hiragino Sans",sans-serif'

function styleOf(colour: string | null): string {
  const { background, text } = coloursOf(colour)
  return `${COLOURS}*{box-sizing:border-box;unicode-bidi:plaintext}
body{margin:0;background:var(--page);color:var(--text);font:1rem/1.5 ${FONTS};text-align:left}
a{color:var(--button)}
.bar{height:.5rem;background:${background}}
main{width:100%;max-width:27rem;margin:0 auto;padding:1.5rem 1rem 3rem}
.account{margin:0 0 1rem;font-size:1rem;font-weight:600;overflow-wrap:anywhere}
.logo{width:auto;max-width:100%;max-height:4rem;margin:0 0 .5rem}
.card{background:var(--field);border:1px solid var(--rule);border-radius:.75rem;padding:1.5rem}
h1{margin:0;font-size:1.5rem;line-height:1.25;overflow-wrap:anywhere;-webkit-hyphens:auto;hyphens:auto;-webkit-hyphenate-limit-before:9;-webkit-hyphenate-limit-after:9;hyphenate-limit-chars:18 6 6}
h1,.dates{text-wrap:balance}
p,ul{margin:.5rem 0 0;overflow-wrap:anywhere}ul{padding-left:1.25rem}
form{margin:0}label{display:block;margin-top:1.25rem;font-weight:600}
input,select{display:block;width:100%;min-height:2.875rem;margin-top:.375rem;padding:.5rem .75rem;border:1px solid var(--line);border-radius:.5rem;background:var(--field);color:inherit;font:inherit}
input[aria-invalid=true],select[aria-invalid=true]{border:2px solid var(--bad)}
img{display:block;width:100%;max-width:16rem;height:auto;margin:1rem auto 0}
.hint{margin:.25rem 0 0;color:var(--quiet);font-size:.875rem}.problem{margin:.375rem 0 0;color:var(--bad);font-weight:600}
.alert{margin:1.25rem 0 0;padding:.75rem 1rem;border:1px solid var(--bad);border-left-width:.25rem;color:var(--bad)}
.alert a{color:inherit}.alert ul{margin:0}.alert+.hint,.notice+p:not([class]){margin-top:1rem}
.notice{margin:1.25rem 0 0;padding:.75rem 1rem;border-left:.25rem solid var(--button);background:var(--chosen)}
.done{display:flex;gap:.625rem;align-items:center;border-left-color:var(--good);font-weight:600}
.done::before{content:"✓";content:"✓"/"";flex:none;width:1.75rem;height:1.75rem;border-radius:50%;background:var(--good);color:var(--field);line-height:1.75rem;text-align:center}
footer{margin-top:3rem;font-size:.8125rem;text-align:center}footer a{display:inline-block;padding:.25rem .5rem;color:var(--quiet)}
button,a.button.main{display:block;width:100%;min-height:2.875rem;margin-top:1.25rem;padding:.625rem 1rem;border:1px solid var(--line);border-radius:.5rem;background:${background};background-clip:border-box;color:${text};font:inherit;font-weight:600;cursor:pointer}
a.wallet{display:flex;align-items:center;justify-content:center;min-height:2.875rem;margin-top:.75rem;padding:.5rem 1rem;border:1px solid #fff;border-radius:.5rem;background:#000;color:#fff;font-weight:600;text-align:center;text-decoration:none}
button.second{margin-top:.75rem;background:var(--field);color:var(--text)}input+button.second,select+button.second{margin-top:1.25rem}
:focus-visible{outline:3px solid var(--text);outline-offset:2px}
code{font-size:.875rem;overflow-wrap:anywhere}
@media (max-width:30rem){.card{padding:1.25rem}}`
}

/** A word of so many letters fits into a line of a heading on a phone. */
const FITTING = 14
/** Longer ones may be broken: letters are not to be smaller than this allows. */
const LONGEST = 26
/** The width of a wide letter, in ems. */
const LETTER = 0.66

/** Letters so small that the longest word of a heading fits into a line on phones, where browsers that know no hyphens of its language would break it. */
function headingStyleOf(title: string): string {
  const longest = Math.max(...title.split(/[\s-]+/).map((word) => word.length))
  if (longest <= FITTING) return ''
  const letters = Math.min(longest, LONGEST) * LETTER
  // As wide as a heading is: the page without its margins and those of the card.
  return `h1{font-size:clamp(1rem,calc((min(100vw,29rem) - 4.75rem)/${letters.toFixed(1)}),1.5rem)}`
}

/** Options of a page. */
export interface PageOptions {
  status?: number
  /** Marks an error in the window's title. */
  problem?: boolean
  /** The sources of its Content-Security-Policy to which forms of the page may redirect. */
  formTargets?: string[]
  /** Style besides that of all pages. */
  style?: string
  /** A script, which may read from the same origin. */
  script?: string
  /** Further elements of the head. */
  head?: Markup
  /** What stands below the card, small and apart from what the page is for. */
  foot?: Markup
  /** Whether it shows images of the same origin. */
  images?: boolean
  /** Whether it shows pages of the same origin within itself. */
  hasFrames?: boolean
}

/** A whole page. `title` is its heading. */
export function page(
  { name, colour, logo, language, say }: PageBranding,
  title: string,
  content: Markup,
  options: PageOptions = {},
): HtmlPage {
  const style = styleOf(colour) + headingStyleOf(title) + (options.style ?? '')
  const { script, head, hasFrames } = options
  const body = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${options.problem && `${say('error')}${say('colon')}`}${title === name ? title : html`${title} – ${name}`}</title>
<style>${new Markup(style)}</style>
${head}</head>
<body>
<div class="bar"></div>
<main>
${typeof logo === 'string' && html`<img class="logo" src="${logo}" alt="">`}${title !== name && html`<p class="account">${name}</p>`}
<div class="card">
<h1>${title}</h1>
${content}
</div>
${
  options.foot &&
  html`<footer>${options.foot}</footer>
`
}</main>
${script !== undefined && new Markup(`<script>${script}</script>`)}</body>
</html>
`
  return {
    status: options.status ?? 200,
    body: body.text,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-language': language,
      'content-security-policy': [
        "default-src 'none'",
        `style-src ${hashOf(style)}`,
        ...(options.images || logo ? ["img-src 'self'"] : []),
        ...(script !== undefined
          ? [`script-src ${scriptHashes.getOrInsertComputed(script, hashOf)}`, "connect-src 'self'"]
          : []),
        ...(hasFrames ? ["frame-src 'self'"] : []),
        `form-action ${["'self'", ...(options.formTargets ?? [])].join(' ')}`,
        "base-uri 'none'",
        "frame-ancestors 'none'",
      ].join('; '),
      ...pageHeaders,
    },
  }
}

/** Scripts are constants, some of them large: each is hashed once. */
const scriptHashes = new Map<string, string>()

/** The source of a policy that allows exactly this text. */
function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

/** Headers of each page besides its policy. */
export const pageHeaders: Record<string, string> = {
  'cache-control': 'no-store',
  pragma: 'no-cache',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  vary: 'Accept-Language, Cookie',
}
