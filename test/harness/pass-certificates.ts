import { execFile } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Files of settings for wallet passes. */
export interface PassCertificates {
  apple_pass_certificate_file: string
  apple_pass_key_file: string
  apple_wwdr_certificate_file: string
  google_wallet_issuer_id: string
  google_wallet_key_file: string
}

export const PASS_TYPE = 'pass.org.example.gatehouse'
export const TEAM = 'TEAM123456'
export const ISSUER = '3388000000012345678'
export const SERVICE_ACCOUNT = 'passes@example.iam.gserviceaccount.com'

/** The settings, and the public key of the service account. */
interface MadeCertificates {
  settings: PassCertificates
  publicKey: string
}

/** Makes certificates as Apple and Google issue them, by an authority of our own, in a folder. */
export async function makePassCertificates(folder: string): Promise<MadeCertificates> {
  const file = (name: string) => join(folder, name)
  const openssl = (...args: string[]) => run('openssl', args, { cwd: folder })
  const newKey = ['-newkey', 'rsa:2048', '-nodes', '-sha256', '-days', '2']
  await openssl('req', '-x509', ...newKey, '-subj', '/CN=Test WWDR', '-keyout', 'wwdr.key', '-out', 'wwdr.pem')
  const subject = `/UID=${PASS_TYPE}/CN=Pass Type ID/OU=${TEAM}/O=Gatehouse tests`
  const signed = ['-CA', 'wwdr.pem', '-CAkey', 'wwdr.key']
  await openssl('req', '-x509', ...newKey, ...signed, '-subj', subject, '-keyout', 'pass.key', '-out', 'pass.pem')
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
  await writeFile(file('google.json'), JSON.stringify({ client_email: SERVICE_ACCOUNT, private_key: privateKey }))
  const settings = {
    apple_pass_certificate_file: file('pass.pem'),
    apple_pass_key_file: file('pass.key'),
    apple_wwdr_certificate_file: file('wwdr.pem'),
    google_wallet_issuer_id: ISSUER,
    google_wallet_key_file: file('google.json'),
  }
  return { settings, publicKey }
}

/** Verifies the signature of a pass's manifest as devices do. Throws unless the authority of the certificate stands behind it. */
export async function verifySignature(folder: string, manifest: Buffer, signature: Buffer): Promise<void> {
  await Promise.all([
    writeFile(join(folder, 'manifest.json'), manifest),
    writeFile(join(folder, 'signature'), signature),
  ])
  const args = ['-inform', 'DER', '-in', 'signature', '-content', 'manifest.json', '-CAfile', 'wwdr.pem']
  await run('openssl', ['smime', '-verify', ...args, '-purpose', 'any', '-binary', '-out', '/dev/null'], {
    cwd: folder,
  })
}
