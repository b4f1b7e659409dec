/** A code that is out of view for this long is shown again when it comes back. */
const FORGOTTEN_AFTER_MS = 3_000

/** Which codes are in view: each is scanned once, however long it is held before the camera, and however seldom a busy phone looks. */
export class Sightings {
  /** Since when a look has not seen a code any more; undefined while it is in view. */
  readonly #goneSince = new Map<string, number | undefined>()

  /** Those of the codes in view that have just come into view. */
  newIn(contents: readonly string[], now: number): string[] {
    for (const [content, since = now] of this.#goneSince) {
      if (now - since > FORGOTTEN_AFTER_MS) this.#goneSince.delete(content)
      else this.#goneSince.set(content, since)
    }
    const fresh = contents.filter((content) => !this.#goneSince.has(content))
    for (const content of contents) this.#goneSince.set(content, undefined)
    return fresh
  }
}
