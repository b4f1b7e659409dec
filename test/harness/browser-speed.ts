import type { Browser } from 'playwright-core'

/**
 * How fast the CPU is, on the scale of Lighthouse's `benchmarkIndex`: tens of long texts that are made, and of long lists that are copied, in a
 * second, on average. The fastest of three times, so that it tells of no moment when the machine had other work.
 */
const SPEED = `(() => {
  const inASecond = (work) => {
    const start = performance.now()
    let times = 0
    while (performance.now() - start < 250) work(times++)
    return (times * 1_000) / (performance.now() - start)
  }
  let text
  const append = () => {
    text = ''
    for (let index = 0; index < 10_000; index++) text += 'a'
  }
  const lists = [0, 1].map(() => Array.from({ length: 100_000 }, (_, index) => index))
  const copy = (time) => {
    const [from, to] = [lists[time % 2], lists[1 - (time % 2)]]
    for (let index = 0; index < from.length; index++) to[index] = from[index]
  }
  return Math.max(...[1, 2, 3].map(() => (inASecond(append) + inASecond(copy)) / 20))
})()`

/**
 * How many times slower than this machine, as it is now, a device is whose `benchmarkIndex` is known, for `Emulation.setCPUThrottlingRate`; at
 * least 1. Prints it.
 */
export async function slownessOf(browser: Browser, deviceSpeed: number): Promise<number> {
  const page = await browser.newPage()
  const speed = await page.evaluate<number>(SPEED)
  await page.close()
  const slower = Math.max(1, speed / deviceSpeed)
  console.log(
    `speed of this machine: ${Math.round(speed)}; of the device: ${deviceSpeed}, ${slower.toFixed(1)} times slower`,
  )
  return slower
}
