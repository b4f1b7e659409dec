/** As badges have it: up to 15 % of the modules may be covered, with the margin that ISO/IEC 18004 requires. */
const QR_CODE = { type: 'svg', errorCorrectionLevel: 'M', margin: 4 } as const

/** Returns a text as a QR code: an SVG document. */
export async function qrCodeOf(text: string): Promise<string> {
  // Loaded for the first code only: it takes over 10 MiB.
  const { default: QRCode } = await import('qrcode')
  return QRCode.toString(text, QR_CODE)
}
