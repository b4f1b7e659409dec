import { Busboy, type BusboyHeaders } from '@fastify/busboy'
import { UPLOAD } from '../resource.ts'

/** A form as a browser sends it with a file. */
export interface UploadForm {
  fields: Map<string, string>
  /** The file's content; absent if none was chosen. */
  file?: Buffer
}

const LIMITS = {
  fields: 10,
  files: 1,
  parts: 11,
  headerPairs: 20,
  fieldSize: UPLOAD.maxBytes,
  fileSize: UPLOAD.maxBytes,
}

/** Reads a form of one file. Undefined if it cannot be read. */
export async function readUploadForm(bytes: Uint8Array, content_type: string): Promise<UploadForm | undefined> {
  const { promise, resolve } = Promise.withResolvers<UploadForm | undefined>()
  const form: UploadForm = { fields: new Map() }
  try {
    const reader = new Busboy({ headers: { 'content-type': content_type } as BusboyHeaders, limits: LIMITS })
    reader.on('field', (name, value) => form.fields.set(name, value))
    reader.on('file', (_name, stream, filename) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        // A browser sends an empty one without name if none was chosen.
        const content = Buffer.concat(chunks)
        if (content.length > 0 || filename) form.file = content
      })
      stream.on('error', () => resolve(undefined))
    })
    reader.on('error', () => resolve(undefined))
    reader.on('finish', () => resolve(form))
    reader.end(bytes)
  } catch {
    resolve(undefined)
  }
  return promise
}
