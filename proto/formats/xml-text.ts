const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\r': '&#13;' }
// Characters that XML 1.0 cannot represent become U+FFFD.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const SPECIAL = /[&<>"\r\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu

/** A text as the content of an XML element or attribute. */
export function escapeText(text: string): string {
  return text.replace(SPECIAL, (character) => escapes[character] ?? '\ufffd')
}
