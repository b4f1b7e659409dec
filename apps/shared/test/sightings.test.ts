import { expect, test } from 'vitest'
import { Sightings } from '../src/camera/sightings.ts'

test('a code that is held before the camera is scanned once, and again after it was away for three seconds', () => {
  const sightings = new Sightings()
  expect(sightings.newIn(['ada'], 0)).toEqual(['ada'])
  expect(sightings.newIn(['ada'], 2_000)).toEqual([])
  expect(sightings.newIn([], 3_000)).toEqual([])
  expect(sightings.newIn(['ada'], 4_500)).toEqual([])
  expect(sightings.newIn(['bob', 'ada'], 4_600)).toEqual(['bob'])
  expect(sightings.newIn([], 4_700)).toEqual([])
  expect(sightings.newIn(['ada'], 8_000)).toEqual(['ada'])
})

test('a code that is still there at the next look was in view all the time, however late that look is', () => {
  const sightings = new Sightings()
  expect(sightings.newIn(['ada'], 0)).toEqual(['ada'])
  expect(sightings.newIn(['ada'], 60_000)).toEqual([])
  expect(sightings.newIn([], 60_100)).toEqual([])
  expect(sightings.newIn(['ada'], 63_000)).toEqual([])
  expect(sightings.newIn([], 63_100)).toEqual([])
  expect(sightings.newIn(['ada'], 67_000)).toEqual(['ada'])
})
