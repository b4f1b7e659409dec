import { writeFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { generate } from 'selfsigned'

/** Files of a certificate. */
export interface Certificate {
  /** Of the authority that signed it: who trusts it trusts the certificate. */
  ca: string
  cert: string
  key: string
}

/** Makes a certificate for this machine, by name and by address unless `names` says otherwise, and the authority that signs it, in a folder. */
export async function makeCertificate(folder: string, names = ['localhost', '127.0.0.1']): Promise<Certificate> {
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
        altNames: names.map((name) => (isIP(name) ? { type: 7, ip: name } : { type: 2, value: name })),
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
