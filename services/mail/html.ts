const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => ESCAPES[sign] as string)
}

/** The HTML part of a plain text: all of it is escaped, and nothing but the invitation's own link becomes one. */
export function htmlOf(text: string, link: string): string {
  const paragraphs = text.trim().split(/\n\s*\n/)
  const anchor = `<a href="${escaped(link)}">${escaped(link)}</a>`
  const shown = paragraphs.map((paragraph) => {
    const lines = paragraph.split('\n').map((line) => line.split(link).map(escaped).join(anchor))
    return `<p>${lines.join('<br>\n')}</p>`
  })
  return `<!doctype html>\n<html><head><meta charset="utf-8"></head><body>\n${shown.join('\n')}\n</body></html>\n`
}
