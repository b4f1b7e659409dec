import { ACCESS_GRANTED } from '@gatehouse/door/decision.ts'
import { cases } from '@gatehouse/test/rounds.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { forEachGuest, PackedCheckIns, pack, type StringTables } from './packed-check-ins.ts'
import { StringTable } from './string-table.ts'
import type { CountedCheckIn } from './totals.ts'

const someTimes = fc.oneof(fc.integer({ min: 0, max: 20 }), fc.integer({ min: -8.64e15, max: 8.64e15 }))
const someCheckIns = fc.array(
  fc.record<CountedCheckIn>({
    arrival: someTimes,
    stamp: someTimes,
    accesspoint_id: fc.constantFrom('door', 'gate', 'stage'),
    guest_uid: fc.string({ maxLength: 2 }),
    access_status: fc.integer({ min: 0, max: 3 }),
  }),
  { maxLength: 100 },
)

const newStrings = (): StringTables => ({ points: new StringTable(), guests: new StringTable() })

function packed(checkIns: CountedCheckIn[], strings = newStrings()): PackedCheckIns {
  const all = new PackedCheckIns(strings)
  for (const checkIn of checkIns) all.add(checkIn)
  return all
}

/** Check-ins as they come out: refused ones without their guest. */
function shown(checkIns: CountedCheckIn[]): CountedCheckIn[] {
  return checkIns.map((each) => ({ ...each, guest_uid: each.access_status === ACCESS_GRANTED ? each.guest_uid : '' }))
}

test('check-ins come out in the order in which they were added', () => {
  fc.assert(
    fc.property(someCheckIns, (checkIns) => {
      const all = packed(checkIns)
      expect([...all]).toEqual(shown(checkIns))
      expect(all.size).toBe(checkIns.length)
    }),
    cases(100, 5_000),
  )
})

test('a split leaves out none and doubles none, and equals two packings', () => {
  fc.assert(
    fc.property(someCheckIns, someTimes, (checkIns, time) => {
      const [earlier, later] = packed(checkIns).split(time)
      expect([...earlier]).toEqual(shown(checkIns.filter(({ arrival }) => arrival < time)))
      expect([...later]).toEqual(shown(checkIns.filter(({ arrival }) => arrival >= time)))
      expect([...earlier.append(later)]).toHaveLength(checkIns.length)
    }),
    cases(100, 5_000),
  )
})

test('slices hold all check-ins, each in the slice in which it arrived', () => {
  fc.assert(
    fc.property(someCheckIns, fc.constantFrom(1, 3, 10_000), (checkIns, ms) => {
      const slices = packed(checkIns).slices(ms)
      for (const [from, slice] of slices) {
        expect(from % ms).toBeCloseTo(0)
        const within = checkIns.filter(({ arrival }) => arrival >= from && arrival < from + ms)
        expect([...slice]).toEqual(shown(within))
      }
      expect([...slices.values()].reduce((sum, { size }) => sum + size, 0)).toBe(checkIns.length)
    }),
    cases(100, 5_000),
  )
})

test('guests by point are the numbers of guests who were let in, each as often as it entered', () => {
  fc.assert(
    fc.property(someCheckIns, (checkIns) => {
      const strings = newStrings()
      const read: string[] = []
      forEachGuest(packed(checkIns, strings).guestsByPoint(), (guest, point) => {
        read.push(`${strings.guests?.strings[guest]} at ${strings.points.strings[point]}`)
      })
      const letIn = checkIns.filter(({ access_status }) => access_status === ACCESS_GRANTED)
      const expected = letIn.map(({ guest_uid, accesspoint_id }) => `${guest_uid} at ${accesspoint_id}`)
      expect(read.sort()).toEqual(expected.sort())
    }),
    cases(100, 5_000),
  )
})

test('guests by point hold numbers of any size, in two bytes each if all are small', () => {
  const some = fc.array(fc.oneof(fc.nat(3), fc.integer({ min: 2 ** 16 - 2, max: 2 ** 16 + 2 }), fc.nat(2 ** 32 - 1)))
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.oneof(fc.nat(3), fc.nat(2 ** 32 - 1)), some)), (byPoint) => {
      const read: [number, number][] = []
      const places = pack(byPoint)
      forEachGuest(places, (guest, point) => read.push([point, guest]))
      expect(read).toEqual(byPoint.flatMap(([point, guests]) => guests.map((guest) => [point, guest])))
      const fits = byPoint.flat(2).every((number) => number < 2 ** 16)
      expect(places.BYTES_PER_ELEMENT).toBe(fits ? 2 : 4)
    }),
    cases(100, 5_000),
  )
})

test('no guests are held without a table for them', () => {
  const strings = { points: new StringTable(), guests: undefined }
  const checkIn = { arrival: 1, stamp: 2, accesspoint_id: 'door', guest_uid: 'ada', access_status: ACCESS_GRANTED }
  expect([...packed([checkIn], strings)]).toEqual([{ ...checkIn, guest_uid: '' }])
})
