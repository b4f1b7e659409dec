/*
 * Control characters in what a terminal shows: a tenant's name could move the cursor, change the title of the window or turn a line around, and so
 * show an operator something else than there is.
 */

/** C0 but tab and line feed, DEL, C1, separators of lines and paragraphs, and controls of direction. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: These are looked for.
const CONTROLS = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** A text whose control characters are written as JSON writes them (`\u001b`): JSON stays the same JSON. */
export function escapeControls(text: string): string {
  return text.replace(CONTROLS, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** The same for a value within a line: it has neither tabs nor line feeds either. */
export function escapeValue(value: string): string {
  return escapeControls(value).replace(/[\t\n]/g, (found) => (found === '\t' ? '\\t' : '\\n'))
}
