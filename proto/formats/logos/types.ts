import { invalid } from '../../declaring/faults.ts'
import { messageOf } from '../../declaring/messages.ts'
import { isHarmlessSvg } from './harmless-svg.ts'

/** A type of pictures that a logo may have. */
export interface LogoType {
  media: string
  name: string
  suffix: 'svg' | 'png' | 'jpg'
  /** Whether bytes begin like a file of this type. */
  begins(bytes: Buffer): boolean
}

const startsWith = (bytes: Buffer, text: string): boolean => bytes.toString('latin1', 0, text.length) === text

/** All types of logos. */
export const types: readonly LogoType[] = [
  // Read as a whole: it is checked where it is known to be SVG.
  { media: 'image/svg+xml', name: 'SVG', suffix: 'svg', begins: (bytes) => bytes.subarray(0, 4096).includes('<') },
  { media: 'image/png', name: 'PNG', suffix: 'png', begins: (bytes) => startsWith(bytes, '\x89PNG\r\n\x1a\n') },
  { media: 'image/jpeg', name: 'JPEG', suffix: 'jpg', begins: (bytes) => startsWith(bytes, '\xff\xd8\xff') },
]

/** The types' media types. */
export const logoMedia = types.map(({ media }) => media)

/** Bytes that a logo may hold. */
export const MAX_LOGO_BYTES = 512 * 1024

/** The type of an uploaded logo. Throws a `Fault` unless its bytes are of that type and harmless. */
export function logoTypeOf(content_type: string, bytes: Buffer): LogoType {
  const type = types.find(({ media }) => media === content_type)
  if (!type?.begins(bytes)) throw invalid({ file: [messageOf('wrong_file_type', { type: type?.name ?? 'PNG' })] })
  if (!isHarmless(type, bytes)) throw invalid({ file: [messageOf('unsafe_svg')] })
  return type
}

/** Whether nothing in a file of a type runs or loads anything. */
export function isHarmless({ suffix }: LogoType, bytes: Buffer): boolean {
  return suffix !== 'svg' || isHarmlessSvg(bytes)
}
