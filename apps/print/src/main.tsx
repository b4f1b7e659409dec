import { start } from '../../shared/src/installation/start.ts'
import { Station } from './station.ts'
import { loadTexts } from './texts/texts.ts'
import { App } from './view/app.tsx'

await start(loadTexts, Station.open, (station, opened) => <App station={station} {...opened} />)
