// @module-tag slow
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import { Encrypter } from '@gatehouse/proto/storage/encryption.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { storedText } from '@gatehouse/test/harness/stored-text.ts'
import { SECRETS_KEY } from '@gatehouse/test/harness/system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { MongoClient } from 'mongodb'
import { describe, expect, inject, test } from 'vitest'
import { events } from './resource.ts'

const system = await sharedSystem()

describe('the settings of an event for exhibitors and their apps', () => {
  const ciphering = (event_id: string) => clientOf(system.bus, events).ciphering({ body: { event_id } })
  const change = (testEvent: TestEvent, fields: object) => system.api('PUT', `events/${testEvent.id}.json`, fields)

  test('QR codes are not ciphered by default: no key, no IV', async () => {
    const testEvent = await TestEvent.open(system)
    expect((await system.api('GET', `events/${testEvent.id}.json`)).body.qr_code_ciphering_enabled).toBe(false)
    expect(await ciphering(testEvent.id)).toEqual({ enabled: false, for_devices: false, key: null, iv: null })
  })

  test('switched on, at creation or later, it has a key of 32 bytes and an IV of 16, which no other event has', async () => {
    const made = await TestEvent.open(system, { qr_code_ciphering_enabled: true })
    const changed = await TestEvent.open(system)
    expect((await change(changed, { qr_code_ciphering_enabled: 'true' })).status).toBe(204)
    const both = [await ciphering(made.id), await ciphering(changed.id)]
    for (const { enabled, key, iv } of both) {
      expect(enabled).toBe(true)
      expect(Buffer.from(key ?? '', 'base64')).toHaveLength(32)
      expect(Buffer.from(iv ?? '', 'base64')).toHaveLength(16)
    }
    expect(new Set(both.flatMap(({ key, iv }) => [key, iv])).size).toBe(4)
  })

  test('key and IV stay through other changes, and when it is switched off and on again', async () => {
    const testEvent = await TestEvent.open(system, { qr_code_ciphering_enabled: true })
    const first = await ciphering(testEvent.id)
    await change(testEvent, { title: 'Other', qr_code_ciphering_enabled: true })
    expect(await ciphering(testEvent.id)).toEqual(first)
    await change(testEvent, { qr_code_ciphering_enabled: false })
    expect(await ciphering(testEvent.id)).toEqual({ enabled: false, for_devices: false, key: null, iv: null })
    await change(testEvent, { qr_code_ciphering_enabled: true })
    expect(await ciphering(testEvent.id)).toEqual(first)
  })

  test('switched on by many at once, it has one key, which all of them see', async () => {
    const testEvent = await TestEvent.open(system)
    const seen = await Promise.all(
      Array.from({ length: 30 }, async () => {
        expect((await change(testEvent, { qr_code_ciphering_enabled: true })).status).toBe(204)
        return (await ciphering(testEvent.id)).key
      }),
    )
    expect(new Set(seen).size).toBe(1)
  })

  test('key and IV are sealed in the store, and no answer about the event holds them', async () => {
    const testEvent = await TestEvent.open(system, { qr_code_ciphering_enabled: true })
    const { key, iv } = await ciphering(testEvent.id)
    const stored = await storedText(inject('mongodbUrl'), system.namespace)
    const init = { headers: { prefer: 'return=representation' } }
    const shown = await system.api('PUT', `events/${testEvent.id}.json`, { title: 'X' }, init)
    const answers = [
      shown.text,
      (await system.api('GET', `events/${testEvent.id}.json`)).text,
      (await system.api('GET', `events/${testEvent.id}.xml`)).text,
      (await system.api('GET', 'events.json')).text,
    ]
    for (const secret of [key as string, iv as string]) {
      const raw = Buffer.from(secret, 'base64').toString('latin1')
      for (const text of [stored, ...answers]) {
        expect(text).not.toContain(secret)
        expect(text).not.toContain(raw)
      }
    }
    for (const text of answers) expect(text).not.toMatch(/"ciphering"|<ciphering/)
    const mongo = await MongoClient.connect(inject('mongodbUrl'))
    const [document] = await mongo.db(`${system.namespace}_guests`).collection('events').find({ title: 'X' }).toArray()
    await mongo.close()
    expect(JSON.parse(new Encrypter(SECRETS_KEY).decrypt(document?.ciphering))).toEqual({ key, iv })
  })

  test('a client cannot set key or IV', async () => {
    const sealed = new Encrypter(SECRETS_KEY).encrypt(JSON.stringify({ key: 'mine', iv: 'mine' }))
    const testEvent = await TestEvent.open(system, { ciphering: sealed, qr_code_ciphering_key: 'mine' })
    await change(testEvent, { ciphering: sealed, qr_code_ciphering_enabled: true })
    expect((await ciphering(testEvent.id)).key).toHaveLength(44)
  })

  test('exhibitors see five fields of a guest unless the organizer says which', async () => {
    const testEvent = await TestEvent.open(system)
    const read = async () => (await system.api('GET', `events/${testEvent.id}.json`)).body.lead_guest_fields
    expect(await read()).toEqual(['email', 'first_name', 'last_name', 'company_name', 'uid'])
    await change(testEvent, { lead_guest_fields: ['uid', 'shoe size'] })
    expect(await read()).toEqual(['uid', 'shoe size'])
    await change(testEvent, { lead_guest_fields: [] })
    expect(await read()).toEqual([])
    for (const wrong of [[''], [{}], 'email', Array(101).fill('x')]) {
      const refused = await change(testEvent, { lead_guest_fields: wrong })
      expect(refused.status).toBe(422)
      expect(Object.keys(refused.body.errors)[0]).toMatch(/^lead_guest_fields/)
    }
  })

  test('an event that is older than these fields has their defaults', async () => {
    const testEvent = await TestEvent.open(system)
    const mongo = await MongoClient.connect(inject('mongodbUrl'))
    const stored = mongo.db(`${system.namespace}_guests`).collection<{ _id: string }>('events')
    const $unset = { lead_guest_fields: 1, qr_code_ciphering_enabled: 1, device_qr_code_key_enabled: 1 } as const
    await stored.updateOne({ _id: testEvent.id }, { $unset })
    await mongo.close()
    const read = await system.api('GET', `events/${testEvent.id}.json`)
    expect(read.status, read.text).toBe(200)
    const { lead_guest_fields, qr_code_ciphering_enabled, device_qr_code_key_enabled } = read.body
    expect([lead_guest_fields.length, qr_code_ciphering_enabled, device_qr_code_key_enabled]).toEqual([5, false, false])
    expect((await system.api('GET', 'events.json')).status).toBe(200)
    await change(testEvent, { qr_code_ciphering_enabled: true })
    expect((await ciphering(testEvent.id)).enabled).toBe(true)
  })

  test('other services learn whether exhibitors may create leads; an event that does not exist is not found', async () => {
    const client = clientOf(system.bus, events)
    const [on, off] = [await TestEvent.open(system), await TestEvent.open(system, { network_enabled: false })]
    expect(await client.network({ body: { event_id: on.id } })).toEqual({ network_enabled: true })
    expect(await client.network({ body: { event_id: off.id } })).toEqual({ network_enabled: false })
    for (const ask of [client.network, client.ciphering]) {
      await expect(ask({ body: { event_id: 'nobody' } })).rejects.toMatchObject({ code: 'not_found' })
    }
  })
})
