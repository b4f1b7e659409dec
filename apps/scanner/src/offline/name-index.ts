import type { KnownGuest } from '@gatehouse/door/snapshot.ts'

/** Finds guests by the beginnings of their names, companies and positions, in any case and with or without accents. */
export class NameIndex {
  /** The words of each guest, made at the first search: a list has up to hundreds of thousands. */
  readonly #texts = new WeakMap<KnownGuest, string>()

  /** The first guests with these words, by their keys. */
  find(guests: ReadonlyMap<string, KnownGuest>, words: string, most: number): [string, KnownGuest][] {
    const wanted = plain(words)
      .split(' ')
      .filter(Boolean)
      .map((word) => ` ${word}`)
    const found: [string, KnownGuest][] = []
    if (wanted.length === 0) return found
    for (const [key, guest] of guests) {
      const text = this.#textOf(guest)
      if (!wanted.every((word) => text.includes(word))) continue
      found.push([key, guest])
      if (found.length === most) break
    }
    return found
  }

  #textOf(guest: KnownGuest): string {
    let text = this.#texts.get(guest)
    if (text === undefined) {
      const { first_name, last_name, company_name, position } = guest
      const words = [first_name, last_name, company_name, position].filter(Boolean).join(' ')
      text = words === '' ? '' : ` ${plain(words)}`
      this.#texts.set(guest, text)
    }
    return text
  }
}

/** A text in lower case, without accents, with one space between words. */
export function plain(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number}]+/gu, ' ')
    .trim()
}
