/** A code which is out of view for this long is shown anew when it comes back. */
const FORGOTTEN_AFTER_MS = 3_000

/** Which codes are in view: each is scanned once, however long it is held before the camera. */
export class Sightings {
  readonly #lastSeen = new Map<string, number>()

  /** Those of the codes in view which have just come into view. */
  newIn(contents: readonly string[], now: number): string[] {
    for (const [content, at] of this.#lastSeen) if (now - at > FORGOTTEN_AFTER_MS) this.#lastSeen.delete(content)
    const fresh = contents.filter((content) => !this.#lastSeen.has(content))
    for (const content of contents) this.#lastSeen.set(content, now)
    return fresh
  }
}
