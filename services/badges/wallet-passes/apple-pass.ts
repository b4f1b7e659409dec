import { createHmac } from 'node:crypto'
import { derivedKey } from '@gatehouse/proto/storage/tokens.ts'
import type { PKPass } from 'passkit-generator'
import type { PassContent } from './content.ts'
import { iconsIn } from './images.ts'
import { type Label, labels } from './labels.ts'
import type { ApplePasses } from './settings.ts'

/** What a pass tells a device about updates. */
export interface UpdateSource {
  /** The base address of the update web service. */
  webServiceURL: string
  authenticationToken: string
}

/** Where devices ask for updates, and the secrets with which they do. */
export class UpdateSources {
  readonly #key: Buffer
  readonly #url: string

  constructor({ public_url, secrets_key }: { public_url: string; secrets_key: string }) {
    this.#key = derivedKey(secrets_key, 'wallet passes')
    this.#url = `${public_url.replace(/\/+$/, '')}/api/v1/wallet`
  }

  /** What the pass of a guest says of updates. */
  of(event_id: string, guest_id: string): UpdateSource {
    return { webServiceURL: `${this.#url}/${event_id}`, authenticationToken: this.tokenOf(event_id, guest_id) }
  }

  /** The secret of a guest's pass. */
  tokenOf(event_id: string, guest_id: string): string {
    return createHmac('sha256', this.#key)
      .update(JSON.stringify([event_id, guest_id]))
      .digest('base64url')
  }
}

/** Returns the signed pass of a guest for Apple Wallet (`.pkpass`). */
export async function applePassOf(
  signing: ApplePasses,
  content: PassContent,
  logo: Buffer | undefined,
  updates: UpdateSource,
): Promise<Uint8Array> {
  const { guest_id, event_id, title, organizer, colours, qr_code, starts } = content
  const pass = await newPass(signing, {
    serialNumber: guest_id,
    description: title,
    organizationName: organizer,
    groupingIdentifier: event_id,
    backgroundColor: colours.background,
    foregroundColor: colours.text,
    labelColor: colours.text,
    ...(logo ? {} : { logoText: organizer }),
    ...updates,
    files: { ...iconsIn(colours.background), ...(logo && { 'logo.png': logo, 'logo@2x.png': logo }) },
  })
  addFields(pass, content)
  if (starts !== null) pass.setRelevantDate(new Date(starts))
  pass.setBarcodes({ message: qr_code, format: 'PKBarcodeFormatQR', messageEncoding: 'utf-8' })
  return pass.getAsBuffer()
}

/** Returns the pass of a guest who is gone: it says nothing but that it is void. */
export async function voidedPassOf(signing: ApplePasses, guest_id: string, updates: UpdateSource): Promise<Uint8Array> {
  const pass = await newPass(signing, {
    serialNumber: guest_id,
    description: 'Void',
    organizationName: signing.teamIdentifier,
    voided: true,
    ...updates,
    files: iconsIn('#6b7280'),
  })
  pass.type = 'eventTicket'
  return pass.getAsBuffer()
}

interface PassProps {
  files: Record<string, Buffer>
  [name: string]: unknown
}

async function newPass(signing: ApplePasses, { files, ...props }: PassProps): Promise<PKPass> {
  const { certificate: signerCert, key: signerKey, authority: wwdr } = signing
  const { passTypeIdentifier, teamIdentifier } = signing
  // Installations without certificates never read the library.
  const { PKPass } = await import('passkit-generator')
  return new PKPass(files, { signerCert, signerKey, wwdr }, { passTypeIdentifier, teamIdentifier, ...props })
}

function addFields(pass: PKPass, content: PassContent): void {
  const { title, starts, location, name, category, party_size, organizer } = content
  pass.type = 'eventTicket'
  pass.primaryFields.push({ key: 'event', label: '', value: title })
  if (starts !== null) {
    const date = { key: 'date', label: 'date', value: starts, ignoresTimeZone: true } as const
    pass.secondaryFields.push({ ...date, dateStyle: 'PKDateStyleMedium', timeStyle: 'PKDateStyleShort' })
  }
  if (location !== null) pass.secondaryFields.push({ key: 'place', label: 'place', value: location })
  if (name !== '') pass.auxiliaryFields.push({ key: 'guest', label: 'guest', value: name })
  pass.auxiliaryFields.push({ key: 'category', label: 'category', value: category })
  if (party_size > 1) pass.auxiliaryFields.push({ key: 'persons', label: 'persons', value: party_size })
  pass.backFields.push({ key: 'organizer', label: 'organizer', value: organizer })
  for (const [language, texts] of Object.entries(labels)) pass.localize(language, texts satisfies Record<Label, string>)
}
