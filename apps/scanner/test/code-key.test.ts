import { createCipheriv, randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { GuestList } from '../src/offline/guest-list.ts'
import { type CodeKey, deciphered, importCodeKey } from '../src/scanning/code-key.ts'
import type { ScanOutcome } from '../src/scanning/outcome.ts'
import type { StoredScan } from '../src/scanning/scan.ts'
import { ScanProcessor } from '../src/scanning/scan-processor.ts'
import type { Clock } from '../src/server/clock.ts'
import { ScanTimes } from '../src/server/scan-times.ts'
import type { ServerClient } from '../src/server/server.ts'
import type { ScanStore } from '../src/storage/scans.ts'

/** A key of an event with what it ciphers, as the server does it. */
async function newKey() {
  const [key, iv] = [randomBytes(32), randomBytes(16)]
  const cipher = (text: string): string => {
    const ciphering = createCipheriv('aes-256-cbc', key, iv)
    return `E:${Buffer.concat([ciphering.update(text), ciphering.final()]).toString('base64')}`
  }
  return { cipher, codeKey: await importCodeKey({ key: key.toString('base64'), iv: iv.toString('base64') }) }
}

describe('the key of ciphered codes', () => {
  test('opens what the event has ciphered, with blanks around it', async () => {
    const { cipher, codeKey } = await newKey()
    const card = 'MECARD:UID:ada;N:Lovelace,Ada;ORG:解析;;'
    expect(await deciphered(` ${cipher(card)}\n`, codeKey)).toBe(card)
  })

  test('opens nothing else: no code of another event, though padding fits by chance, and nothing malformed', async () => {
    const [{ codeKey, cipher }, other] = [await newKey(), await newKey()]
    const foreign = Array.from({ length: 2_000 }, (_, number) => other.cipher(`MECARD:UID:${number};;`))
    for (const content of [...foreign, 'E:', 'E:x', 'E:!', 'E:AAAA', cipher('ada')])
      expect([content, await deciphered(content, codeKey)]).toEqual([content, undefined])
  })

  test('deciphers and does nothing else: no script can read it', async () => {
    const { key } = (await newKey()).codeKey
    expect([key.extractable, key.usages]).toEqual([false, ['decrypt']])
    for (const format of ['raw', 'jwk'] as const) await expect(crypto.subtle.exportKey(format, key)).rejects.toThrow()
  })
})

describe('a ciphered code', () => {
  /** Scans a code. Returns what was shown, what is kept and what the server was asked. */
  async function scanned(content: string, codeKey: CodeKey | undefined, isUp = false) {
    const [shown, kept, asked]: [ScanOutcome[], StoredScan[], string[]] = [[], [], []]
    const processor = new ScanProcessor({
      device_id: 'device',
      event_id: 'event',
      store: {
        hasLetIn: async () => false,
        add: async (scan: StoredScan) => {
          kept.push(scan)
          return { ...scan, sequence: 1 }
        },
        put: async () => {},
      } as unknown as ScanStore,
      guestList: {
        decide: async () => ({ status: 0, name: null, category: 'VIP' }),
        uidOf: async (uid: string) => uid,
        partyAt: async () => undefined,
      } as unknown as GuestList,
      server: {
        times: new ScanTimes(),
        checkIn: async ({ guest_uid }: StoredScan) => {
          asked.push(`check in ${guest_uid}`)
          return { guest_uid, access_status: 3 }
        },
        decipher: async () => {
          asked.push('decipher')
          return 'MECARD:UID:ada;;'
        },
        guest: async () => undefined,
      } as unknown as ServerClient,
      reachability: { isUp, lose: () => {} },
      clock: { now: () => new Date() } as unknown as Clock,
      codeKey: () => codeKey,
      show: (outcome) => shown.push(outcome),
      settled: () => {},
    })
    await processor.scan(content, 'door')
    return { shown: shown.at(-1), kept, asked }
  }

  test('is decided without a network by a device that has the key', async () => {
    const { cipher, codeKey } = await newKey()
    const { shown, kept } = await scanned(cipher('MECARD:UID:ada;N:Lovelace,Ada;;'), codeKey)
    expect(shown).toMatchObject({ kind: 'decided', status: 0, isConfirmed: false, name: 'Ada Lovelace' })
    expect(kept).toMatchObject([{ guest_uid: 'ada', decided_offline: 0, state: 'waiting' }])
  })

  test('waits undecided where a device has no key', async () => {
    const { shown, kept } = await scanned((await newKey()).cipher('MECARD:UID:ada;;'), undefined)
    expect(shown).toMatchObject({ kind: 'undecided' })
    expect(kept).toMatchObject([{ guest_uid: null, decided_offline: null, state: 'waiting' }])
  })

  test('of another event is no guest’s for a device that has the key, and becomes no scan', async () => {
    const [{ codeKey }, other] = [await newKey(), await newKey()]
    for (const content of [other.cipher('MECARD:UID:ada;;'), 'E:x'])
      expect(await scanned(content, codeKey)).toMatchObject({ shown: { kind: 'unread' }, kept: [] })
  })

  test('is judged by the server where that answers; it deciphers only for a device without the key', async () => {
    const { cipher, codeKey } = await newKey()
    const content = cipher('MECARD:UID:ada;;')
    const [withKey, without] = [await scanned(content, codeKey, true), await scanned(content, undefined, true)]
    expect([withKey.asked, without.asked]).toEqual([['check in ada'], ['decipher', 'check in ada']])
    for (const { shown } of [withKey, without]) expect(shown).toMatchObject({ status: 3, isConfirmed: true })
  })
})
