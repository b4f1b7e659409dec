/** A piece of HTML that is safe to put into another. */
export class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toString(): string {
    return this.text
  }
}

type Value = Markup | string | number | undefined | false | (Markup | string)[]

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** HTML from a template: whatever is put in is escaped, unless it is markup already. Nothing comes of undefined and false. */
export function html(strings: TemplateStringsArray, ...values: Value[]): Markup {
  return new Markup(strings.map((text, index) => text + (index < values.length ? written(values[index]) : '')).join(''))
}

function written(value: Value): string {
  if (value === undefined || value === false) return ''
  if (Array.isArray(value)) return value.map(written).join('')
  return value instanceof Markup ? value.text : escaped(String(value))
}

/** A text whose every sign means itself, in HTML text and in quoted attributes. */
function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign)
}
