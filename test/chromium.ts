import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const PATH = '/usr/bin/chromium'

/** Whether Debian's Chromium is there. Without it pages are not looked at in a browser, and a warning says so. */
export const hasChromium = existsSync(PATH)
if (!hasChromium)
  console.warn(`No Chromium at ${PATH} (Debian: apt-get install chromium): no page is looked at in a browser.`)

/** Starts it. */
export function startChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: PATH, args: ['--no-sandbox'] })
}
