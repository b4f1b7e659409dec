/** HTML that is safe to include. */
export class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toString(): string {
    return this.text
  }
}

type MarkupValue = Markup | string | number | undefined | false | (Markup | string)[]

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** HTML from a template. Values are escaped unless they are markup; undefined and false are left out. */
export function html(strings: TemplateStringsArray, ...values: MarkupValue[]): Markup {
  return new Markup(strings.map((text, index) => text + (index < values.length ? written(values[index]) : '')).join(''))
}

function written(value: MarkupValue): string {
  if (value === undefined || value === false) return ''
  if (Array.isArray(value)) return value.map(written).join('')
  return value instanceof Markup ? value.text : escaped(String(value))
}

/** Escaped text for HTML content and quoted attributes. */
function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign)
}
