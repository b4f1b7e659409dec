import type { Writable } from 'node:stream'
import { isScreen } from './terminal.ts'

const QUIET_ZONE = 4
const DARK_ON_LIGHT = '\x1b[30;107m'
const RESET = '\x1b[0m'

/** A QR code for a stream: dark on light on a terminal, whatever its colours are, since not every reader takes it the other way round. */
export async function drawQrCode(text: string, stream: Writable): Promise<string> {
  const { default: QRCode } = await import('qrcode')
  // The library's own drawing for terminals has one light module around it; readers want four (ISO/IEC 18004).
  const drawn = await QRCode.toString(text, { type: 'utf8', margin: QUIET_ZONE })
  return isScreen(stream) ? drawn.replace(/^.+$/gm, `${DARK_ON_LIGHT}$&${RESET}`) : drawn
}
