import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { generate } from 'selfsigned'

/** Files of a certificate for this machine: `localhost` and 127.0.0.1. */
export interface Certificate {
  /** Of the authority that signed it: who trusts it trusts the certificate. */
  ca: string
  cert: string
  key: string
}

/** Makes a certificate for this machine, and the authority that signs it, in a folder. */
export async function makeCertificate(folder: string): Promise<Certificate> {
  const options = { keyType: 'ec' as const, algorithm: 'sha256' }
  const authority = await generate([{ name: 'commonName', value: 'Gatehouse tests' }], {
    ...options,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, critical: true },
    ],
  })
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }], {
    ...options,
    ca: { key: authority.private, cert: authority.cert },
    extensions: [
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 7, ip: '127.0.0.1' },
        ],
      },
    ],
  })
  const write = async (name: string, text: string): Promise<string> => {
    const file = join(folder, name)
    await writeFile(file, text, { mode: 0o600 })
    return file
  }
  return {
    ca: await write('ca.pem', authority.cert),
    cert: await write('cert.pem', cert),
    key: await write('key.pem', key),
  }
}
