import { type Browser, chromium, type LaunchOptions } from 'playwright-core'
import { inject } from 'vitest'
import { launchOptions } from './browser-server.ts'

/** The browser of the run, in which each caller sees only what it opens itself; with arguments or options one of its own. */
export async function startChromium(args: readonly string[] = [], options: LaunchOptions = {}): Promise<Browser> {
  if (args.length > 0 || Object.keys(options).length > 0)
    return chromium.launch({ ...(await launchOptions(args)), ...options })
  const answer = await fetch(inject('browserUrl'))
  const text = await answer.text()
  if (!answer.ok) throw new Error(text)
  return chromium.connect(text)
}
