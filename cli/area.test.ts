// @module-tag slow
import { printed } from '@gatehouse/test/harness/command-line.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { TestEvent } from '@gatehouse/test/harness/test-event.ts'
import { expect, test } from 'vitest'

const system = await sharedSystem()

test('area creates areas, and lists them with the persons inside', async () => {
  const event = await TestEvent.open(system)
  const gatehouse = (...args: string[]): Promise<string> => printed(system, 'area', ...args, '--event', event.id)
  const hall = (await gatehouse('create', '--name', 'Hall', '--capacity', '40')).trim()
  const { _id: garden, capacity } = JSON.parse(await gatehouse('create', '--name', 'Garden', '--json'))
  expect(capacity).toBe(null)
  const [category, point] = [await event.category(), await event.point()]
  await event.change(`accesspoints/${point}.json`, { area_id: hall })
  await event.link(category, point)
  await event.guest(category, 'ada')
  await event.scan(point, 'ada')
  expect(await gatehouse('list')).toBe(`${hall}\tHall\t1 of 40 inside\n${garden}\tGarden\t0 inside\n`)
  await expect(gatehouse('create', '--name', 'Hall', '--capacity', 'many')).rejects.toThrow('It takes a whole number')
})
