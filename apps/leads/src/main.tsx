import { render } from 'preact'
import { install } from '../../shared/src/installation/installation.ts'
import { takeCode } from '../../shared/src/installation/taken-code.ts'
import { Leads } from './leads.ts'
import { loadTexts } from './texts/texts.ts'
import { App } from './view/app.tsx'

const root = document.querySelector('#app') as HTMLElement
let code = takeCode()
const say = await loadTexts()
document.title = say('title')

let leads: Leads | undefined
const draw = (): void => {
  if (leads) render(<App leads={leads} say={say} code={code} drop={() => setCode('')} />, root)
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
leads = await Leads.open(draw)
draw()
// Without https there is none.
if (navigator.serviceWorker) await install(navigator.serviceWorker)
