import en from '../../apps/scanner/src/texts/languages/en.json' with { type: 'json' }
import type { Shown, Status } from './attempts.ts'

/** What a screen shows of a scan, as its elements say it. */
export interface Sight {
  /** When the screen showed it, in ms since 1970. */
  at: number
  /** How many scans the app has shown since it was opened, this one included. */
  number: number
  /** The signal by which the outcome looks, sounds and feels. */
  signal: string
  heading: string
  who: string
  texts: string[]
}

const STATUSES: { [signal: string]: Status } = { granted: 0, unknown: 1, not_authorized: 2, too_many: 3 }

/**
 * A script for a page: calls `seen` at each change of what the screen shows. It looks before the browser paints, so that no answer is shown that
 * it does not tell.
 */
export const WATCHING = `new MutationObserver(() => {
  const panel = document.querySelector('.outcome[data-number]')
  if (!panel) return
  const all = (what) => [...panel.querySelectorAll(what)].map(({ textContent }) => textContent)
  const sight = {
    number: Number(panel.dataset.number),
    signal: panel.className.replace('outcome ', ''),
    heading: all('h2')[0] ?? '',
    who: all('.who strong')[0] ?? '',
    texts: all('p:not(.who)'),
  }
  const told = JSON.stringify(sight)
  if (told === globalThis.lastTold) return
  globalThis.lastTold = told
  seen({ at: Date.now(), ...sight })
}).observe(document, { subtree: true, childList: true, attributes: true, characterData: true })`

/** What a sight says. */
export function shownIn({ signal, heading, texts }: Sight): Shown {
  const status = STATUSES[signal]
  if (signal === 'unconfirmed') return { by: 'device', status: 0 }
  if (signal === 'undecided') return { by: 'nobody' }
  if (signal === 'party') return { by: 'question' }
  if (status === undefined) return { by: 'app', text: [heading, ...texts].join(': ') }
  return { by: texts.includes(en.refused_alone) ? 'device' : 'server', status }
}
