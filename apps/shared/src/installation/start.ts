import { render, type VNode } from 'preact'
import { install } from './installation.ts'
import { takeCode } from './taken-code.ts'

/** What a view of an app gets beside what the app works with. */
interface Opened<Say> {
  say: Say
  /** The code of the address, by which this device is enrolled; empty if there is none. */
  code: string
  /** Forgets the code. */
  drop: () => void
}

/**
 * Starts an app: opens what it works with, draws its view, again after each change and for each code that comes by the address, and has the
 * browser keep the app.
 */
export async function start<Work, Say extends (key: 'title') => string>(
  loadTexts: () => Promise<Say>,
  open: (changed: () => void) => Promise<Work>,
  view: (work: Work, opened: Opened<Say>) => VNode,
): Promise<void> {
  const root = document.querySelector('#app') as HTMLElement
  let code = takeCode()
  const say = await loadTexts()
  document.title = say('title')

  let work: Work | undefined
  const draw = (): void => {
    if (work) render(view(work, { say, code, drop: () => setCode('') }), root)
  }
  const setCode = (given: string): void => {
    code = given
    draw()
  }
  // The app may be open already.
  addEventListener('hashchange', () => {
    const given = takeCode()
    if (given) setCode(given)
  })
  work = await open(draw)
  draw()
  // Without https there is none.
  if (navigator.serviceWorker) await install(navigator.serviceWorker)
}
