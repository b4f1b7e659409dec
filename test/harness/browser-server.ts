import { findTool } from '@gatehouse/local/test-tools'
import { type BrowserServer, chromium, type LaunchOptions } from 'playwright-core'

/** Starts the browser of the run, to which tests connect by its `wsEndpoint`. */
export async function startBrowserServer(): Promise<BrowserServer> {
  return chromium.launchServer({ ...(await launchOptions()), host: '127.0.0.1' })
}

/** How to start Chromium with further arguments. It is fetched first if none is installed. */
export async function launchOptions(args: readonly string[] = []): Promise<LaunchOptions> {
  const { path, env } = await findTool('chromium', console.log)
  return { executablePath: path, env: env as Record<string, string>, args: ['--no-sandbox', ...args] }
}
