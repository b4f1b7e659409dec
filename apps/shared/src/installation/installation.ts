const FIRST_PAUSE_MS = 1_000
const MAX_PAUSE_MS = 60_000

/** Installs the app in the browser, so that it starts without a network. Tries again while it is open, since the first visit may be on a bad network. */
export async function install(container: ServiceWorkerContainer): Promise<void> {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
    const registration = await container.register('service-worker.js').catch(() => undefined)
    if (registration && (await isInstalled(registration))) return
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
}

/** Whether the app is installed, once that is decided. An earlier version starts without a network too. */
async function isInstalled({ installing, waiting, active }: ServiceWorkerRegistration): Promise<boolean> {
  if (waiting ?? active) return true
  if (!installing) return false
  while (installing.state === 'installing')
    await new Promise((resolve) => installing.addEventListener('statechange', resolve, { once: true }))
  return installing.state !== 'redundant'
}
