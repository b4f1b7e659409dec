import type { ConsoleSay } from '../texts/words.ts'

const NAME = /<em>([^<]+)<\/em>/g
/** What stands between a page and what is on it. */
const WITHIN = ' › '
const ESCAPED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '"': '&quot;' }

/** An English guide, with the names of pages and buttons, which are in italics, as the console has them in its own language. */
export async function inOwnWords(guide: string, say: ConsoleSay): Promise<string> {
  const { default: english } = await import('../texts/languages/en.json', { with: { type: 'json' } })
  // Of several texts with the same words the first one counts.
  const keys = new Map(
    Object.entries(english)
      .map(([key, words]) => [words, key] as const)
      .reverse(),
  )
  const own = (name: string): string => {
    const key = keys.get(name)
    return key !== undefined && say.knows(key) ? say(key).replace(/[&<"]/g, (each) => ESCAPED[each] ?? each) : name
  }
  return guide.replace(NAME, (_, names: string) => `<em>${names.split(WITHIN).map(own).join(WITHIN)}</em>`)
}
