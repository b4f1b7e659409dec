import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { optionalText } from '../declaring/fields.ts'
import { type ConfigOf, ConfigurationError } from './config.ts'

const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?'
const NAME = `^(?:${LABEL}(?:\\.${LABEL})*)?$`

/** The settings of signatures of e-mail (DKIM, RFC 6376). */
export const dkimSettings = {
  dkim_domain: optionalText({ pattern: NAME, description: 'Signs e-mail for this domain, mostly that of MAIL_FROM' }),
  dkim_selector: optionalText({
    pattern: NAME,
    description: 'Receivers look the public key up at <selector>._domainkey.<domain>',
  }),
  dkim_private_key: optionalText({ maxLength: 20_000, description: 'An RSA key, PEM' }),
  dkim_private_key_file: optionalText({ maxLength: 4_000, description: 'The file of the key, in place of the key' }),
}

/** The settings as read. */
export type DkimConfig = Partial<ConfigOf<typeof dkimSettings>>

/**
 * What a signature covers. nodemailer's own list lacks List-Unsubscribe-Post, without which mail programs do not offer to unsubscribe with one
 * click (RFC 8058, section 4).
 */
const SIGNED =
  'From:Reply-To:Subject:Date:Message-ID:To:MIME-Version:Content-Type:Content-Transfer-Encoding:List-Unsubscribe:List-Unsubscribe-Post'

/** The option by which nodemailer signs; undefined without settings. Throws one sentence that names what is missing or wrong. */
export function dkimOf({ dkim_domain, dkim_selector, dkim_private_key, dkim_private_key_file }: DkimConfig) {
  const given = {
    DKIM_DOMAIN: dkim_domain,
    DKIM_SELECTOR: dkim_selector,
    DKIM_PRIVATE_KEY: dkim_private_key || dkim_private_key_file,
  }
  if (!Object.values(given).some(Boolean)) return undefined
  if (dkim_private_key && dkim_private_key_file) {
    throw new ConfigurationError('DKIM_PRIVATE_KEY and DKIM_PRIVATE_KEY_FILE exclude each other')
  }
  const missing = Object.entries(given).flatMap(([name, value]) => (value ? [] : [name]))
  if (missing.length > 0) throw new ConfigurationError(`DKIM needs ${missing.join(' and ')} too`)
  const privateKey = dkim_private_key_file
    ? keyOf('DKIM_PRIVATE_KEY_FILE', () => readFileSync(dkim_private_key_file, 'utf8'))
    : // Files of settings have no line ends in a value.
      keyOf('DKIM_PRIVATE_KEY', () => (dkim_private_key ?? '').replaceAll('\\n', '\n'))
  return { domainName: dkim_domain ?? '', keySelector: dkim_selector ?? '', privateKey, headerFieldNames: SIGNED }
}

/** Reads a key, and checks it: nodemailer sends without a signature if it cannot sign. */
function keyOf(setting: string, read: () => string): string {
  try {
    const pem = read()
    const { asymmetricKeyType, asymmetricKeyDetails } = createPrivateKey(pem)
    if (asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= 1024) return pem
  } catch {
    // The error may repeat parts of the key.
    throw new ConfigurationError(`${setting} is not a private key in PEM`)
  }
  throw new ConfigurationError(`${setting} is not an RSA key of 1024 bits or more`)
}
