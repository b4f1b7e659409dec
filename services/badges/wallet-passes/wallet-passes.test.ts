import { createHash, createVerify } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  ISSUER,
  makePassCertificates,
  PASS_TYPE,
  type PassCertificates,
  SERVICE_ACCOUNT,
  TEAM,
  verifySignature,
} from '@gatehouse/test/harness/pass-certificates.ts'
import { filesOfPass } from '@gatehouse/test/harness/pass-files.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { type System, startSystem } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { slow } from '@gatehouse/test/rounds.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { applePassesOf, googlePassesOf, type WalletConfig } from './settings.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

describe('wallet passes', slow, () => {
  let folder: string
  let system: System
  let testEvent: TestEvent
  let category: string
  let guest: string
  let publicKey: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'passes-'))
    const made = await makePassCertificates(folder)
    publicKey = made.publicKey
    system = await startSystem({ with: ['badges'], badges: made.settings })
    await system.api('PUT', 'account.json', { name: 'Fairs Ltd', color: '#aa0033' })
    await system.api('PUT', 'account/logo.json', PNG, { headers: { 'content-type': 'image/png' } })
    testEvent = await TestEvent.open(system, {
      title: 'Fair of Engines',
      location: 'Hall 1, London',
      start_date: '2030-07-04T18:00:00Z',
      end_date: '2030-07-04T22:00:00Z',
      timezone: 'Europe/Paris',
    })
    category = await testEvent.category('Speakers')
    guest = await testEvent.guest(category, 'ada1815', { first_name: 'Ada', last_name: 'Lovelace', party_size: 3 })
  })
  afterAll(async () => {
    await system?.stop()
    await rm(folder, { recursive: true })
  })

  async function download(url: string): Promise<{ status: number; type: string | null; bytes: Buffer }> {
    const answer = await fetch(url, { redirect: 'manual' })
    return {
      status: answer.status,
      type: answer.headers.get('content-type'),
      bytes: Buffer.from(await answer.arrayBuffer()),
    }
  }

  const ofOrganizer = (id = guest): Promise<{ status: number; type: string | null; bytes: Buffer }> =>
    download(`${system.url}/api/v1/events/${testEvent.id}/guests/${id}/wallet.pkpass?auth_token=${system.auth_token}`)

  const links = async (id = guest): Promise<{ apple_url: string; google_url: string }> =>
    testEvent.read(`guests/${id}/wallet.json`)

  test('the pass for Apple Wallet is signed by the certificate of its Pass Type ID, and its manifest names each file', async () => {
    const { status, type, bytes } = await ofOrganizer()
    expect({ status, type }).toEqual({ status: 200, type: 'application/vnd.apple.pkpass' })
    const { 'manifest.json': manifest, signature, ...files } = await filesOfPass(bytes)
    await verifySignature(folder, manifest as Buffer, signature as Buffer)
    const hashes = Object.entries(files).map(([name, file]) => [name, createHash('sha1').update(file).digest('hex')])
    expect(JSON.parse(String(manifest))).toEqual(Object.fromEntries(hashes))
    await expect(verifySignature(folder, Buffer.from('{}'), signature as Buffer)).rejects.toThrow('Verification')
  })

  test('it has event, time in the zone of the event, place, guest, category, party and the code that scanners read', async () => {
    const files = await filesOfPass((await ofOrganizer()).bytes)
    const pass = JSON.parse(String(files['pass.json']))
    expect(pass).toMatchObject({
      formatVersion: 1,
      passTypeIdentifier: PASS_TYPE,
      teamIdentifier: TEAM,
      serialNumber: guest,
      description: 'Fair of Engines',
      organizationName: 'Fairs Ltd',
      backgroundColor: '#aa0033',
      foregroundColor: '#ffffff',
      webServiceURL: `${system.url}/api/v1/wallet/${testEvent.id}`,
      authenticationToken: expect.stringMatching(/^[\w-]{43}$/),
      barcodes: [{ format: 'PKBarcodeFormatQR', message: 'MECARD:UID:ada1815;;', messageEncoding: 'utf-8' }],
    })
    expect(Date.parse(pass.relevantDate)).toBe(Date.parse('2030-07-04T18:00:00Z'))
    const { primaryFields, secondaryFields, auxiliaryFields } = pass.eventTicket
    const values = [...primaryFields, ...secondaryFields, ...auxiliaryFields].map(({ key, value }) => [key, value])
    expect(Object.fromEntries(values)).toEqual({
      event: 'Fair of Engines',
      date: '2030-07-04T20:00:00+02:00',
      place: 'Hall 1, London',
      guest: 'Ada Lovelace',
      category: 'Speakers',
      persons: 3,
    })
    expect(files['logo.png']).toEqual(PNG)
    expect(Object.keys(files)).toEqual(expect.arrayContaining(['icon.png', 'icon@2x.png', 'icon@3x.png']))
    expect(String(files['de.lproj/pass.strings'])).toContain('"date" = "Datum"')
  })

  test('its public link gives the pass without a token, and no other secret does', async () => {
    const { apple_url } = await links()
    expect((await download(apple_url)).status).toBe(200)
    expect((await download(apple_url.replace(/[^/]+\.pkpass$/, `${'x'.repeat(43)}.pkpass`))).status).toBe(404)
    const other = await testEvent.guest(category, 'charles1791')
    expect((await download(apple_url.replace(guest, other))).status).toBe(404)
  })

  test('the link for Google Wallet leads to a token that the service account signed', async () => {
    const answer = await fetch((await links()).google_url, { redirect: 'manual' })
    expect(answer.status).toBe(302)
    const location = answer.headers.get('location') ?? ''
    expect(location).toMatch(/^https:\/\/pay\.google\.com\/gp\/v\/save\/[\w.-]+$/)
    const [head = '', claims = '', signature = ''] = location.slice(location.lastIndexOf('/') + 1).split('.')
    expect(createVerify('RSA-SHA256').update(`${head}.${claims}`).verify(publicKey, signature, 'base64url')).toBe(true)
    const token = JSON.parse(Buffer.from(claims, 'base64url').toString())
    expect(token).toMatchObject({ iss: SERVICE_ACCOUNT, aud: 'google', typ: 'savetowallet' })
    const { eventTicketClasses, eventTicketObjects } = token.payload
    expect(eventTicketClasses).toMatchObject([
      {
        id: `${ISSUER}.${testEvent.id}`,
        issuerName: 'Fairs Ltd',
        eventName: { defaultValue: { value: 'Fair of Engines' } },
        dateTime: { start: '2030-07-04T20:00:00+02:00', end: '2030-07-05T00:00:00+02:00' },
        venue: { name: { defaultValue: { value: 'Hall 1, London' } } },
      },
    ])
    expect(eventTicketObjects).toMatchObject([
      {
        id: `${ISSUER}.${guest}`,
        classId: `${ISSUER}.${testEvent.id}`,
        state: 'ACTIVE',
        ticketHolderName: 'Ada Lovelace',
        barcode: { type: 'QR_CODE', value: 'MECARD:UID:ada1815;;' },
      },
    ])
  })

  test('a guest without any but the code has a pass, and a deleted one has none', async () => {
    const bare = await testEvent.guest(category, 'bare')
    expect((await ofOrganizer(bare)).status).toBe(200)
    const { apple_url, google_url } = await links(bare)
    await testEvent.remove(`guests/${bare}.json`)
    for (const url of [apple_url, google_url]) expect((await download(url)).status).toBe(404)
    expect((await ofOrganizer(bare)).status).toBe(404)
  })

  test('another account gets no pass of a guest', async () => {
    const { auth_token } = await system.account('second')
    const path = `/api/v1/events/${testEvent.id}/guests/${guest}/wallet.pkpass`
    expect((await download(`${system.url}${path}?auth_token=${auth_token}`)).status).toBe(404)
  })

  test('without certificates the links are null, and a pass is refused with a reason', async () => {
    const bare = await TestEvent.open(await sharedSystem())
    const id = await bare.guest(await bare.category(), 'bare')
    expect(await bare.read(`guests/${id}/wallet.json`)).toEqual({ apple_url: null, google_url: null })
    const refused = await bare.api('GET', `guests/${id}/wallet.pkpass`)
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('Apple Wallet')])
  })
})

describe('the settings of wallet passes', slow, () => {
  let folder: string
  let settings: PassCertificates

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'passes-'))
    settings = (await makePassCertificates(folder)).settings
  })
  afterAll(async () => {
    await rm(folder, { recursive: true })
  })

  const errorOf = (changed: Partial<PassCertificates>): string => {
    const config = { ...settings, ...changed }
    try {
      applePassesOf(config as WalletConfig)
      googlePassesOf(config as WalletConfig)
      return ''
    } catch (error) {
      return String(error)
    }
  }

  test('name what is missing, unreadable or does not fit', () => {
    expect(errorOf({})).toBe('')
    expect(errorOf({ apple_pass_key_file: '' })).toContain('Apple Wallet needs APPLE_PASS_KEY_FILE too')
    expect(errorOf({ google_wallet_issuer_id: '' })).toContain('Google Wallet needs GOOGLE_WALLET_ISSUER_ID too')
    expect(errorOf({ apple_pass_key_file: join(folder, 'none') })).toContain('APPLE_PASS_KEY_FILE cannot be read')
    expect(errorOf({ apple_pass_certificate_file: settings.google_wallet_key_file })).toContain('cannot be read')
    expect(errorOf({ apple_pass_key_file: join(folder, 'wwdr.key') })).toContain('is not the key of')
    expect(errorOf({ apple_wwdr_certificate_file: settings.apple_pass_certificate_file })).toContain('did not issue')
    expect(errorOf({ google_wallet_key_file: settings.apple_pass_key_file })).toContain('GOOGLE_WALLET_KEY_FILE')
    const authority = {
      apple_pass_certificate_file: join(folder, 'wwdr.pem'),
      apple_pass_key_file: join(folder, 'wwdr.key'),
    }
    expect(errorOf(authority)).toContain('is not the certificate of a Pass Type ID')
  })
})
