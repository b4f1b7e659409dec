import { findTool } from '@gatehouse/local/test-tools'
import { type Browser, chromium, type LaunchOptions } from 'playwright-core'

/** Starts Chromium, which is fetched first if none is installed, with further arguments and options. */
export async function startChromium(args: readonly string[] = [], options: LaunchOptions = {}): Promise<Browser> {
  const { path, env } = await findTool('chromium', console.log)
  return chromium.launch({
    executablePath: path,
    env: env as Record<string, string>,
    args: ['--no-sandbox', ...args],
    ...options,
  })
}
