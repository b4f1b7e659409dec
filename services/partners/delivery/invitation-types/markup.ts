import { directionOf, isolated, isolatedTogether } from '@gatehouse/proto/pages/direction.ts'
import { html, Markup } from '@gatehouse/proto/pages/markup.ts'
import { type NamedValues, type Placeholder, readPlaceholder } from '@gatehouse/proto/pages/placeholders.ts'
import { placeholders } from './placeholders.ts'

/*
 * The markup of messages (docs/invitations.md): paragraphs, lists of lines that begin with "- ", **bold**, *italic*, and
 * [text]({{link}}), since an e-mail links to no other host; a backslash takes a sign's meaning. It is read before values come in, so that a value
 * is text, whatever it contains.
 */

/** A part of a line: text, a value, or parts with a meaning. */
type Inline =
  | string
  | ({ kind: 'value' } & Placeholder)
  | { kind: 'strong' | 'em'; of: Inline[] }
  /** To the address that is the value of a placeholder. */
  | { kind: 'link'; of: Inline[]; to: string }

/** A paragraph, or a list. */
type Block = { kind: 'paragraph'; of: Inline[] } | { kind: 'list'; items: Inline[][] }

/** A message as it is read. */
export type ParsedMessage = Block[]

/** What a message may contain: placeholders, and those of them to which a text may link. The targets are words. */
export interface Vocabulary {
  names: readonly string[]
  targets: readonly string[]
}

/** The vocabulary of invitation types. */
export const INVITATIONS: Vocabulary = { names: placeholders, targets: ['link'] }

/** A vocabulary with the form of its tokens. */
type Reader = Pick<Vocabulary, 'names'> & { token: RegExp }

function readerOf({ names, targets }: Vocabulary): Reader {
  const target = String.raw`\{\{\s*(${targets.join('|')})\s*\}\}`
  const token = String.raw`\\([\\*[\]-])|\{\{([^{}]*)\}\}|\[([^[\]\n]{1,500})\]\(${target}\)|\*\*|\*|[^\\{[*]+|[\s\S]`
  return { names, token: new RegExp(token, 'g') }
}

/** Everything that looks like a link. */
const LINK = /(?<!\\)\[[^[\]\n]{1,500}\]\(([^()\n]{0,2000})\)/g
const TARGET = /^\{\{\s*(\w+)\s*\}\}$/
const ITEM = /^- +/
const MARKS = { '**': 'strong', '*': 'em' } as const
type Mark = keyof typeof MARKS

/** Reads a message. Whatever is no markup is text. */
export function readMessage(text: string, vocabulary: Vocabulary = INVITATIONS): ParsedMessage {
  const reader = readerOf(vocabulary)
  const blocks: Block[] = []
  for (const part of text
    .replaceAll(/\r\n?/g, '\n')
    .trim()
    .split(/\n\s*\n/)) {
    // A list may follow a line of text at once.
    let lines: string[] = []
    let items: Inline[][] = []
    const end = () => {
      if (lines.length > 0) blocks.push({ kind: 'paragraph', of: readInlines(lines.join('\n'), reader) })
      if (items.length > 0) blocks.push({ kind: 'list', items })
      lines = []
      items = []
    }
    for (const line of part.split('\n')) {
      const isItem = ITEM.test(line)
      if (isItem ? lines.length > 0 : items.length > 0) end()
      if (isItem) items.push(readInlines(line.replace(ITEM, ''), reader))
      else lines.push(line)
    }
    end()
  }
  return blocks
}

/** The targets of links that a message may not have, as they are written. */
export function unknownLinks(text: string | null | undefined, { targets } = INVITATIONS): string[] {
  return Array.from((text ?? '').matchAll(LINK)).flatMap(([, target = '']) =>
    targets.includes(TARGET.exec(target)?.[1] ?? '') ? [] : [target],
  )
}

/** Whether a message holds the link of the invitation. */
export function hasLink(message: ParsedMessage): boolean {
  return holds(message, 'link')
}

/** Whether a message holds a placeholder, or a link to its value. */
export function holds(message: ParsedMessage, name: string): boolean {
  const isIn = (parts: Inline[]): boolean =>
    parts.some((part) => {
      if (typeof part === 'string') return false
      if (part.kind === 'value') return part.name === name
      return (part.kind === 'link' && part.to === name) || isIn(part.of)
    })
  return message.some((block) => (block.kind === 'list' ? block.items.some(isIn) : isIn(block.of)))
}

/** A message as plain text. `alone` says what values become that are paragraphs of their own. */
export function textOf(
  message: ParsedMessage,
  values: NamedValues,
  alone: Readonly<Record<string, string>> = {},
): string {
  const written = (parts: Inline[]): string =>
    parts
      .map((part) => {
        if (typeof part === 'string') return part
        if (part.kind === 'value') return shownValue(part, values)
        if (part.kind === 'link' && values[part.to]) return `${written(part.of)} <${values[part.to]}>`
        return written(part.of)
      })
      .join('')
  const blocks = message.map((block) =>
    block.kind === 'list'
      ? block.items.map((item) => `- ${written(item)}`).join('\n')
      : (ofAlone(block.of, values, alone) ?? written(block.of)),
  )
  return isolatedTogether(`${blocks.join('\n\n')}\n`)
}

/** How the HTML of a message differs from plain tags. */
export interface Drawing {
  /** Values that are more than text, unless a text links to them. */
  drawn?: Readonly<Record<string, Markup>>
  /** The same of values that are paragraphs of their own. */
  alone?: Readonly<Record<string, Markup>>
  /** Draws a link that is a paragraph of its own. */
  button?: (url: string, label: Markup) => Markup
}

/** A message as HTML. All but its markup is escaped. */
export function htmlOf(
  message: ParsedMessage,
  values: NamedValues,
  { drawn = {}, alone = {}, button }: Drawing = {},
): Markup {
  const written = (parts: Inline[], isLinked = false): Markup[] =>
    parts.map((part) => {
      if (typeof part === 'string') return lines(part)
      if (part.kind === 'value') {
        const own = Object.hasOwn(drawn, part.name) && values[part.name] ? drawn[part.name] : undefined
        if (own && !isLinked) return own
        const value = shownValue(part, values)
        return part.name === 'link' && !isLinked ? anchor(value, [html`${value}`]) : html`${value}`
      }
      if (part.kind === 'link') {
        const url = values[part.to]
        return url ? anchor(url, written(part.of, true)) : html`${written(part.of, isLinked)}`
      }
      const inner = written(part.of, isLinked)
      return part.kind === 'strong' ? html`<strong>${inner}</strong>` : html`<em>${inner}</em>`
    })
  const paragraph = (parts: Inline[]): Markup[] => {
    const own = ofAlone(parts, values, alone)
    if (own) return [own]
    const part = onlyPartOf(parts)
    if (!button || typeof part !== 'object' || part.kind !== 'link' || part.to === 'unsubscribe_link')
      return written(parts)
    const url = values[part.to]
    return url ? [button(url, html`${written(part.of, true)}`)] : written(parts)
  }
  const whole = directionOf(message.map(lettersOf).join('')) ?? 'ltr'
  const blocks = message.map((block) =>
    block.kind === 'list'
      ? html`<ul dir="${directionOf(lettersOf(block)) ?? whole}">
${block.items.map((item) => html`<li>${written(item)}</li>\n`)}</ul>\n`
      : html`<p dir="${directionOf(lettersOf(block)) ?? whole}">${paragraph(block.of)}</p>\n`,
  )
  return new Markup(isolatedTogether(html`${blocks}`.text))
}

/** What a block says itself, whoever gets it: a name from right to left turns no sentence around. */
function lettersOf(block: Block): string {
  const own = (parts: Inline[]): string =>
    parts.map((part) => (typeof part === 'string' ? part : part.kind === 'value' ? '' : own(part.of))).join('')
  return block.kind === 'list' ? block.items.map(own).join('') : own(block.of)
}

/** What becomes of a value that is a paragraph of its own; undefined of an empty one, and of anything else. */
function ofAlone<T>(parts: Inline[], values: NamedValues, alone: Readonly<Record<string, T>>): T | undefined {
  const part = onlyPartOf(parts)
  const name = typeof part === 'object' && part.kind === 'value' && values[part.name] ? part.name : undefined
  return name !== undefined && Object.hasOwn(alone, name) ? alone[name] : undefined
}

/** The only part of a paragraph besides blanks. */
function onlyPartOf(parts: Inline[]): Inline | undefined {
  const [part, ...others] = parts.filter((each) => typeof each !== 'string' || each.trim() !== '')
  return others.length === 0 ? part : undefined
}

/** A link in an e-mail. */
export function anchor(url: string, of: Markup[]): Markup {
  return html`<a href="${url}">${of}</a>`
}

function lines(text: string): Markup {
  return new Markup(html`${text}`.text.replaceAll('\n', '<br>\n'))
}

function readInlines(text: string, reader: Reader): Inline[] {
  const whole: Inline[] = []
  /** Marks that wait for their second half, the innermost last. */
  const open: { mark: Mark; of: Inline[] }[] = []
  const inner = (): Inline[] => open.at(-1)?.of ?? whole
  /** Takes marks without a second half for text, down to a depth. */
  const giveUp = (depth: number) => {
    while (open.length > depth) {
      const { mark, of } = open.pop() as (typeof open)[number]
      inner().push(mark, ...of)
    }
  }
  for (const { 0: written, 1: sign, 2: name, 3: label, 4: to = '', index } of text.matchAll(reader.token)) {
    if (sign !== undefined) inner().push(sign)
    else if (name !== undefined) inner().push(placeholderOf(written, name, reader))
    else if (label !== undefined) inner().push({ kind: 'link', of: readInlines(label, reader), to })
    else if (written !== '*' && written !== '**') inner().push(written)
    else {
      const at = open.findLastIndex(({ mark }) => mark === written)
      const [before = ' ', after = ' '] = [text[index - 1], text[index + written.length]]
      if (at >= 0 && /\S/.test(before) && !(written === '*' && isWord(after))) {
        giveUp(at + 1)
        const of = open.pop()?.of ?? []
        inner().push({ kind: MARKS[written], of })
      } else if (at < 0 && /\S/.test(after) && !(written === '*' && isWord(before))) {
        open.push({ mark: written, of: [] })
      } else inner().push(written)
    }
  }
  giveUp(0)
  return whole
}

/** "5*3*2" has no italics. */
function isWord(sign: string): boolean {
  return /[A-Za-z0-9]/.test(sign)
}

function placeholderOf(written: string, inside: string, { names }: Reader): Inline {
  const known = readPlaceholder(inside, names)
  return known ? { kind: 'value', ...known } : written
}

/** Signs that make mail programs take a name for an address, `evil.example` or `http://…`; full stops of Chinese too. */
const ADDRESS_SIGN = /(?<=\S)([.:@。．｡])(?=\S)/gu
/** Invisible, and no place to break a line: what is typed is shown, and what is shown is no address. */
const WORD_JOINER = '\u2060'
/** Values that are addresses, or that nobody has typed. */
const SAFE = new Set(['link', 'email', 'qrcode', 'wallet', 'badge', 'unsubscribe_link', 'event_dates'])

/** A value as it stands in a message: names are kept from becoming links in mail programs. */
function shownValue({ name, fallback }: Placeholder, values: NamedValues): string {
  const value = values[name] ?? ''
  if (value === '') return fallback
  return SAFE.has(name) ? value : isolated(value.replaceAll(ADDRESS_SIGN, `$1${WORD_JOINER}`))
}
