const COMMENT = { begin: '<!--', end: '-->' }
const ROOT = /^\ufeff?\s*(?:<\?xml [^>]*\?>\s*)?<svg[\s>/]/
/** What runs, loads, embeds other documents, or changes links: elements in any namespace, attributes, parts of styles, entities. */
const ACTIVE = [
  /<(?:[\w.-]+:)?(?:script|foreignObject|iframe|embed|object|audio|video|link|a|animate|set|handler|listener)[\s/>]/i,
  /[\s"'/]on[a-z]+\s*=/i,
  /<!(?:DOCTYPE|ENTITY|ATTLIST)/i,
  /<\?(?!xml\s)/i,
  /href\s*=\s*(?!["'](?:#|data:image\/(?:png|jpeg);))/i,
  /url\(\s*(?!["']?\s*#)/i,
  /@import|javascript:|\\/i,
]

/**
 * Whether bytes are an SVG file in which nothing runs or loads. Browsers run nothing in images anyway, and the gateway sends files with a policy that
 * forbids it: this keeps such files from being handed on.
 */
export function isHarmlessSvg(bytes: Uint8Array): boolean {
  const text = withoutComments(decoded(bytes))
  return text !== undefined && ROOT.test(text) && !ACTIVE.some((pattern) => pattern.test(text))
}

/** The text of UTF-8; undefined for other bytes. */
function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Undefined if a comment does not end. Searched rather than matched: a pattern might take very long. */
function withoutComments(text: string | undefined): string | undefined {
  let rest = text
  let kept = ''
  while (rest !== undefined) {
    const begin = rest.indexOf(COMMENT.begin)
    if (begin < 0) return kept + rest
    const end = rest.indexOf(COMMENT.end, begin + COMMENT.begin.length)
    if (end < 0) return undefined
    kept += rest.slice(0, begin)
    rest = rest.slice(end + COMMENT.end.length)
  }
  return undefined
}
