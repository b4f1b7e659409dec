/** A permitted type of guests' files. None of these can run a script in a browser. */
export interface FileType {
  media: string
  name: string
  /** Suffixes of its path; the first is used in links. */
  suffixes: [string, ...string[]]
  /** Whether bytes begin like a file of this type. */
  begins(bytes: Buffer): boolean
}

const ascii = (bytes: Buffer, from: number, text: string): boolean =>
  bytes.toString('latin1', from, from + text.length) === text

/** All permitted types. */
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

/** The type of a media type. Throws if it is not permitted. */
export function typeOf(media: string): FileType {
  const type = types.find((each) => each.media === media)
  if (!type) throw new Error(`${media} is not an allowed file type`)
  return type
}

/** The suffixes of a stored file's path; none if an earlier version did not store its type. */
export function suffixesOf(media: string | undefined): readonly string[] {
  return types.find((each) => each.media === media)?.suffixes ?? []
}
