import { PNG } from 'pngjs'

/** The sides of an icon in pixels, by its file. A pass without icon is not shown at all. */
const ICONS = { 'icon.png': 29, 'icon@2x.png': 58, 'icon@3x.png': 87 } as const

/** The icons of passes in a colour: a ticket, which stands for the event on the lock screen. */
export function iconsIn(colour: string): Record<string, Buffer> {
  return Object.fromEntries(Object.entries(ICONS).map(([name, side]) => [name, iconOf(colour, side)]))
}

function iconOf(colour: string, side: number): Buffer {
  const png = new PNG({ width: side, height: side })
  const rgb = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const isTicket = isOnTicket((x + 0.5) / side, (y + 0.5) / side)
      png.data.set([...(isTicket ? [255, 255, 255] : rgb), 255], (y * side + x) * 4)
    }
  }
  return PNG.sync.write(png)
}

/** Whether a point of the unit square is on the ticket: a rectangle with a notch in each short side. */
function isOnTicket(x: number, y: number): boolean {
  const isInside = x > 0.16 && x < 0.84 && y > 0.3 && y < 0.7
  const isInNotch = Math.min(Math.hypot(x - 0.16, y - 0.5), Math.hypot(x - 0.84, y - 0.5)) < 0.09
  return isInside && !isInNotch
}
