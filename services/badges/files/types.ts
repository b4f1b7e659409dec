/** A type of file that guests may have. None of them can run a script in a browser. */
export interface FileType {
  media: string
  name: string
  /** What a path to it may end in; the first is the usual one. */
  suffixes: [string, ...string[]]
  /** Whether bytes begin as such a file does. */
  begins(bytes: Buffer): boolean
}

const ascii = (bytes: Buffer, from: number, text: string): boolean =>
  bytes.toString('latin1', from, from + text.length) === text

/** The types that files may have. */
export const types: readonly FileType[] = [
  { media: 'application/pdf', name: 'PDF', suffixes: ['pdf'], begins: (bytes) => ascii(bytes, 0, '%PDF-') },
  { media: 'image/png', name: 'PNG', suffixes: ['png'], begins: (bytes) => ascii(bytes, 0, '\x89PNG\r\n\x1a\n') },
  { media: 'image/jpeg', name: 'JPEG', suffixes: ['jpg', 'jpeg'], begins: (bytes) => ascii(bytes, 0, '\xff\xd8\xff') },
  {
    media: 'image/webp',
    name: 'WebP',
    suffixes: ['webp'],
    begins: (bytes) => ascii(bytes, 0, 'RIFF') && ascii(bytes, 8, 'WEBP'),
  },
  {
    media: 'image/gif',
    name: 'GIF',
    suffixes: ['gif'],
    begins: (bytes) => ascii(bytes, 0, 'GIF87a') || ascii(bytes, 0, 'GIF89a'),
  },
]

/** The type with a media type. */
export function typeOf(media: string): FileType {
  const type = types.find((each) => each.media === media)
  if (!type) throw new Error(`${media} is no type of file`)
  return type
}
