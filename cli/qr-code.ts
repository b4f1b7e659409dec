import type { Writable } from 'node:stream'
import { isScreen } from './terminal.ts'

/** A QR code for a stream: dark on light on a terminal, whatever its colours are, since not every reader takes it the other way round. */
export async function drawQrCode(text: string, stream: Writable): Promise<string> {
  const { default: QRCode } = await import('qrcode')
  return QRCode.toString(text, isScreen(stream) ? { type: 'terminal', small: true } : { type: 'utf8' })
}
