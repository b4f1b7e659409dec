/** The longest element that is read, in characters. */
const MAX_ELEMENT = 16 * 1024 ** 2

const QUOTE = 34
const BACKSLASH = 92
const OPEN_BRACE = 123
const OPEN_BRACKET = 91
const CLOSE_BRACE = 125
const CLOSE_BRACKET = 93
/** How deep the elements are: the document, its object, a list in it. */
const DEPTH = 3

/** An element of a list in the object that a document is about. */
export interface JsonElement {
  list: string
  text: string
}

/**
 * Cuts the objects of the lists out of a document `{"event": {"orders": [{…}, …], …}}`, without holding the document. Throws one sentence for an element
 * that is too long.
 */
export class JsonElements {
  #depth = 0
  #isString = false
  #isEscaped = false
  /** The last string of the object's own level, which is the key of what follows. */
  #key = ''
  #string = ''
  #element = ''

  /** The elements that end in this piece. */
  push(piece: string): JsonElement[] {
    const found: JsonElement[] = []
    let from = this.#depth > DEPTH ? 0 : -1
    for (let at = 0; at < piece.length; at++) {
      const code = piece.charCodeAt(at)
      if (this.#isString) {
        this.#inString(code, piece[at] as string)
        continue
      }
      if (code === QUOTE) {
        this.#isString = true
        this.#string = ''
      } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
        if (this.#depth === DEPTH) from = at
        if (this.#depth === DEPTH - 1) this.#key = this.#string
        this.#depth++
      } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
        this.#depth--
        if (this.#depth !== DEPTH) continue
        found.push({ list: this.#key, text: this.#element + piece.slice(from, at + 1) })
        this.#element = ''
        from = -1
      }
    }
    if (from >= 0) this.#element += piece.slice(from)
    if (this.#element.length > MAX_ELEMENT) throw new Error('The file has an order that is too long to be read')
    return found
  }

  #inString(code: number, sign: string): void {
    if (this.#isEscaped) this.#isEscaped = false
    else if (code === BACKSLASH) this.#isEscaped = true
    else if (code === QUOTE) this.#isString = false
    // Within elements no key is looked for.
    if (this.#isString && this.#depth < DEPTH) this.#string += sign
  }
}
