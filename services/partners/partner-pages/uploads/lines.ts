/** A recipient as a line of text gives it. */
export interface RecipientLine {
  email: string
  first_name?: string
  last_name?: string
}

/**
 * The recipients of a line: addresses, each alone or with a name (`Ada Lovelace <ada@example.org>`, `"Lovelace, Ada" <…>`, `Ada ada@example.org`),
 * several of them separated by commas or semicolons. What has no `@` belongs to what follows it.
 */
export function entriesOf(line: string): RecipientLine[] {
  const entries: string[] = []
  let held = ''
  for (const piece of pieces(line)) {
    held = held === '' ? piece : `${held},${piece}`
    if (!piece.includes('@')) continue
    entries.push(held)
    held = ''
  }
  if (held.trim() !== '') entries.push(held)
  return entries.map(entryOf)
}

/** The parts of a line between commas and semicolons outside quotes. */
function pieces(line: string): string[] {
  const found: string[] = []
  let isQuoted = false
  let from = 0
  for (let at = 0; at < line.length; at++) {
    const sign = line[at]
    if (sign === '"') isQuoted = !isQuoted
    if (isQuoted || (sign !== ',' && sign !== ';')) continue
    found.push(line.slice(from, at))
    from = at + 1
  }
  found.push(line.slice(from))
  return found.filter((piece) => piece.trim() !== '')
}

function entryOf(text: string): RecipientLine {
  const [open, close] = [text.lastIndexOf('<'), text.lastIndexOf('>')]
  if (open >= 0 && close > open) return { email: text.slice(open + 1, close).trim(), ...namesOf(text.slice(0, open)) }
  const words = text.split(/\s+/)
  const email = words.find((word) => word.includes('@'))
  if (email === undefined) return { email: text.trim() }
  return { email: unquoted(email), ...namesOf(words.filter((word) => word !== email).join(' ')) }
}

/** `Lovelace, Ada` and `Ada Lovelace` as first and last name; a single word is a first name. */
function namesOf(text: string): Partial<RecipientLine> {
  const name = unquoted(text.trim())
  if (name === '') return {}
  const comma = name.indexOf(',')
  if (comma >= 0) return { first_name: name.slice(comma + 1).trim(), last_name: name.slice(0, comma).trim() }
  const space = name.lastIndexOf(' ')
  return space < 0
    ? { first_name: name }
    : { first_name: name.slice(0, space).trim(), last_name: name.slice(space + 1) }
}

function unquoted(text: string): string {
  return text.replaceAll('"', '').trim()
}
