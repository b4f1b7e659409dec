import { start } from '../../shared/src/installation/start.ts'
import { Leads } from './leads.ts'
import { loadTexts } from './texts/texts.ts'
import { App } from './view/app.tsx'

await start(loadTexts, Leads.open, (leads, opened) => <App leads={leads} {...opened} />)
