import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { optionalText, text } from '@gatehouse/proto/declaring/fields.ts'
import { type ConfigOf, ConfigurationError } from '@gatehouse/proto/process/config.ts'

/** Google's own, which keys name too. */
const TOKEN_URL = 'https://oauth2.googleapis.com/token'

const PATH = { maxLength: 4_000 }

/** The settings of passes for Apple Wallet and Google Wallet. They hold for the installation; without them there are no passes. */
export const walletSettings = {
  apple_pass_certificate_file: optionalText({
    ...PATH,
    description: 'The Pass Type ID certificate that signs passes for Apple Wallet, PEM',
  }),
  apple_pass_key_file: optionalText({ ...PATH, description: 'The RSA key of that certificate, PEM' }),
  apple_wwdr_certificate_file: optionalText({
    ...PATH,
    description: "The certificate of Apple's authority that issued it (Worldwide Developer Relations), PEM",
  }),
  apns_url: text({
    default: 'https://api.push.apple.com',
    pattern: '^https://[^\\s/?#]+$',
    description: "Apple's push notification service, which tells devices of changed passes",
  }),
  apns_ca_file: optionalText({
    ...PATH,
    description: 'The authority of APNS_URL, PEM, where that is a proxy with a certificate of your own',
  }),
  google_wallet_url: text({
    default: 'https://walletobjects.googleapis.com',
    pattern: '^https?://[^\\s/?#]+$',
    description: 'The REST API of Google Wallet, by which saved passes are changed',
  }),
  google_wallet_issuer_id: optionalText({
    pattern: '^[0-9]*$',
    maxLength: 32,
    description: 'The issuer in the Google Pay and Wallet console',
  }),
  google_wallet_key_file: optionalText({
    ...PATH,
    description: 'The JSON key of the service account that signs passes for Google Wallet',
  }),
}

/** The settings as read. */
export type WalletConfig = ConfigOf<typeof walletSettings>

/** What passes for Apple Wallet are signed with. */
export interface ApplePasses {
  certificate: string
  key: string
  authority: string
  /** Both are in the certificate's subject. */
  passTypeIdentifier: string
  teamIdentifier: string
}

/** What passes for Google Wallet are signed with. */
export interface GooglePasses {
  issuer: string
  email: string
  key: string
  /** Where the service account gets access tokens. */
  tokenUrl: string
}

/** Reads what passes for Apple Wallet are signed with; undefined without settings. Throws one sentence that names what is missing or wrong. */
export function applePassesOf(config: WalletConfig): ApplePasses | undefined {
  const files = {
    APPLE_PASS_CERTIFICATE_FILE: config.apple_pass_certificate_file,
    APPLE_PASS_KEY_FILE: config.apple_pass_key_file,
    APPLE_WWDR_CERTIFICATE_FILE: config.apple_wwdr_certificate_file,
  }
  if (!isGiven('Apple Wallet', files)) return undefined
  const certificate = readPem('APPLE_PASS_CERTIFICATE_FILE', files.APPLE_PASS_CERTIFICATE_FILE, certificateOf)
  const authority = readPem('APPLE_WWDR_CERTIFICATE_FILE', files.APPLE_WWDR_CERTIFICATE_FILE, certificateOf)
  const key = readPem('APPLE_PASS_KEY_FILE', files.APPLE_PASS_KEY_FILE, rsaKeyOf)
  if (!certificate.read.checkPrivateKey(key.read))
    throw new ConfigurationError('APPLE_PASS_KEY_FILE is not the key of APPLE_PASS_CERTIFICATE_FILE')
  if (!certificate.read.checkIssued(authority.read))
    throw new ConfigurationError('APPLE_WWDR_CERTIFICATE_FILE did not issue APPLE_PASS_CERTIFICATE_FILE')
  const passTypeIdentifier = /^UID=(.+)$/m.exec(certificate.read.subject)?.[1]
  const teamIdentifier = /^OU=(.+)$/m.exec(certificate.read.subject)?.[1]
  if (passTypeIdentifier === undefined || teamIdentifier === undefined)
    throw new ConfigurationError('APPLE_PASS_CERTIFICATE_FILE is not the certificate of a Pass Type ID')
  // The library reads PKCS #1 alone.
  const pkcs1 = key.read.export({ type: 'pkcs1', format: 'pem' }).toString()
  return { certificate: certificate.pem, key: pkcs1, authority: authority.pem, passTypeIdentifier, teamIdentifier }
}

/** Reads what passes for Google Wallet are signed with; undefined without settings. Throws as {@link applePassesOf}. */
export function googlePassesOf({
  google_wallet_issuer_id: issuer,
  google_wallet_key_file: file,
}: WalletConfig): GooglePasses | undefined {
  if (!isGiven('Google Wallet', { GOOGLE_WALLET_ISSUER_ID: issuer, GOOGLE_WALLET_KEY_FILE: file })) return undefined
  const { read } = readPem('GOOGLE_WALLET_KEY_FILE', file, (text) => {
    const { client_email: email, private_key: key, token_uri = TOKEN_URL } = JSON.parse(text) as Record<string, unknown>
    if (typeof email !== 'string' || typeof key !== 'string' || typeof token_uri !== 'string')
      throw new Error('not a key of a service account')
    rsaKeyOf(key)
    return { email, key, tokenUrl: token_uri }
  })
  return { issuer: issuer ?? '', ...read }
}

function isGiven(wallet: string, settings: Record<string, string | null>): boolean {
  const missing = Object.entries(settings).flatMap(([name, value]) => (value ? [] : [name]))
  if (missing.length === Object.keys(settings).length) return false
  if (missing.length > 0) throw new ConfigurationError(`${wallet} needs ${missing.join(' and ')} too`)
  return true
}

function readPem<T>(setting: string, file: string | null, read: (text: string) => T): { pem: string; read: T } {
  try {
    const pem = readFileSync(file ?? '', 'utf8')
    return { pem, read: read(pem) }
  } catch {
    // The error may repeat parts of the key.
    throw new ConfigurationError(`${setting} cannot be read`)
  }
}

function certificateOf(pem: string): X509Certificate {
  return new X509Certificate(pem)
}

function rsaKeyOf(pem: string) {
  const key = createPrivateKey(pem)
  if (key.asymmetricKeyType !== 'rsa') throw new Error('not an RSA key')
  return key
}
