import QRCode from 'qrcode'

/** Up to 15 % of the modules may be dirty or covered. */
const CORRECTION = { errorCorrectionLevel: 'M' } as const
/** Light modules on each side, which ISO/IEC 18004 requires. */
const QUIET_ZONE = 4
const PIXELS_PER_MODULE = 8

/** A QR code as PNG, 8 pixels a module. */
export function drawPng(content: string): Promise<Buffer> {
  return QRCode.toBuffer(content, { ...CORRECTION, type: 'png', margin: QUIET_ZONE, scale: PIXELS_PER_MODULE })
}

/** A QR code as SVG. */
export async function drawSvg(content: string): Promise<Buffer> {
  return Buffer.from(await QRCode.toString(content, { ...CORRECTION, type: 'svg', margin: QUIET_ZONE }))
}

/** The dark modules of a QR code as strips `[column, row, length]`, and how many modules a side has, quiet zone included. */
export function modulesOf(content: string): { side: number; strips: [number, number, number][] } {
  const { modules } = QRCode.create(content, CORRECTION)
  const strips: [number, number, number][] = []
  for (let row = 0; row < modules.size; row++) {
    for (let column = 0; column < modules.size; column++) {
      if (!modules.get(row, column)) continue
      const from = column
      while (column < modules.size && modules.get(row, column)) column++
      strips.push([from + QUIET_ZONE, row + QUIET_ZONE, column - from])
    }
  }
  return { side: modules.size + 2 * QUIET_ZONE, strips }
}
