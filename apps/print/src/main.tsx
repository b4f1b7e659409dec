import { render } from 'preact'
import { install } from '../../shared/src/installation/installation.ts'
import { takeCode } from '../../shared/src/installation/taken-code.ts'
import { Station } from './station.ts'
import { loadTexts } from './texts/texts.ts'
import { App } from './view/app.tsx'

const root = document.querySelector('#app') as HTMLElement
let code = takeCode()
const say = await loadTexts()
document.title = say('title')

let station: Station | undefined
const draw = (): void => {
  if (station) render(<App station={station} say={say} code={code} drop={() => setCode('')} />, root)
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
station = await Station.open(draw)
draw()
// Without https there is none.
if (navigator.serviceWorker) await install(navigator.serviceWorker)
