import { start } from '../../shared/src/installation/start.ts'
import { Scanner } from './scanner.ts'
import { loadTexts } from './texts/texts.ts'
import { App } from './view/app.tsx'

await start(loadTexts, Scanner.open, (scanner, opened) => <App scanner={scanner} {...opened} />)
