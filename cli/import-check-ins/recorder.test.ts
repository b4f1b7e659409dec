import { type Arrival, CheckInRecorder } from '@gatehouse/imports/check-ins/recorder.ts'
import { causeOf } from '@gatehouse/imports/problem.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { slow } from '@gatehouse/test/rounds.ts'
import { expect, test } from 'vitest'
import { BusEventSystem } from '../import/bus-event-system.ts'

const system = await sharedSystem()

test('stored check-ins are told from new ones, by the page and guest by guest', slow, async () => {
  const make = async (path: string, body: object): Promise<string> => (await system.api('POST', path, body)).body._id
  const event = await make('events.json', { account_id: system.account_id, title: 'Gala' })
  const [door, side] = [
    await make(`events/${event}/accesspoints.json`, { name: 'Door' }),
    await make(`events/${event}/accesspoints.json`, { name: 'Side' }),
  ]
  const arrival = (guest_uid: string, accesspoint_id: string, time: string, isMinute = false): Arrival => ({
    ...{ guest_uid, accesspoint_id, at: new Date(`2026-05-04T${time}Z`), isMinute },
  })
  const there = await BusEventSystem.open(system.bus, event)
  const recorder = new CheckInRecorder(there)
  const known = [arrival('A', door, '18:00:30'), arrival('A', side, '18:30:00'), arrival('B', door, '19:00:00')]
  const recorded = await recorder.record(known)
  expect(recorded).toEqual(known.map(() => ({ refusal: causeOf('stored_as_refused', { refusal: 'unknown_guest' }) })))
  const other = [
    arrival('A', door, '18:30:00'),
    arrival('A', door, '18:00:00'),
    arrival('C', door, '18:00:30'),
    arrival('B', door, '19:01:00', true),
  ]
  const sameMinute = arrival('A', door, '18:00:00', true)
  for (const pages of [1, 0]) {
    const found = await new CheckInRecorder(there, pages).stored([...known, ...other, sameMinute])
    expect(found).toEqual(new Set([...known, sameMinute]))
  }
})
