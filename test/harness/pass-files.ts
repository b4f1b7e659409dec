import { Uint8ArrayReader, Uint8ArrayWriter, ZipReader } from '@zip.js/zip.js'

/** The files in a pass for Apple Wallet (`.pkpass`), by their names. */
export async function filesOfPass(bytes: Buffer): Promise<Record<string, Buffer>> {
  const zip = new ZipReader(new Uint8ArrayReader(new Uint8Array(bytes)))
  const files: Record<string, Buffer> = {}
  for (const entry of await zip.getEntries()) {
    if (entry.directory) continue
    files[entry.filename] = Buffer.from(await entry.getData(new Uint8ArrayWriter()))
  }
  await zip.close()
  return files
}
