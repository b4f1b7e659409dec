import { writeFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { generate } from 'selfsigned'

/** The keys of an authority, in PEM. */
interface KeyPair {
  privateKey: string
  publicKey: string
}

/** Files of a certificate. */
export interface Certificate {
  /** Of the authority that signed it: who trusts it trusts the certificate. */
  ca: string
  cert: string
  key: string
  /** Makes another certificate of the same names, in the same files. The authority's is another one too, of the same key. */
  renew(): Promise<void>
}

const OPTIONS = { keyType: 'ec' as const, algorithm: 'sha256' }

/** Makes a certificate for this machine, by name and by address unless `names` says otherwise, and the authority that signs it, in a folder. */
export async function makeCertificate(folder: string, names = ['localhost', '127.0.0.1']): Promise<Certificate> {
  const [ca, cert, key] = ['ca.pem', 'cert.pem', 'key.pem'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  const altNames = names.map((name) =>
    isIP(name) ? { type: 7 as const, ip: name } : { type: 2 as const, value: name },
  )
  const write = async (keys?: KeyPair): Promise<KeyPair> => {
    const authority = await generate([{ name: 'commonName', value: 'Gatehouse tests' }], {
      ...OPTIONS,
      ...(keys && { keyPair: keys }),
      extensions: [
        { name: 'basicConstraints', cA: true, critical: true },
        { name: 'keyUsage', keyCertSign: true, critical: true },
      ],
    })
    const made = await generate([{ name: 'commonName', value: 'localhost' }], {
      ...OPTIONS,
      ca: { key: authority.private, cert: authority.cert },
      extensions: [{ name: 'subjectAltName', altNames }],
    })
    const texts = { [ca]: authority.cert, [cert]: made.cert, [key]: made.private }
    for (const [file, text] of Object.entries(texts)) await writeFile(file, text, { mode: 0o600 })
    return { privateKey: authority.private, publicKey: authority.public }
  }
  const keys = await write()
  return { ca, cert, key, renew: async () => void (await write(keys)) }
}
