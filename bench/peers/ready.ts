/** Tells the bench that this peer serves, at `url` if it listens. The process ends by SIGTERM, after `stop`. */
export function ready(url?: string, stop: () => unknown = () => {}): void {
  console.log(JSON.stringify({ msg: 'ready', url }))
  process.once('SIGTERM', async () => {
    await stop()
    process.exit(0)
  })
}
