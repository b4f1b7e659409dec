import { OwnDatabase } from '@gatehouse/test/harness/own-database.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { GuestStore } from '../guests/store.ts'
import type { StoredGuest } from '../guests/stored-guest.ts'
import { testCategory } from '../test-category.ts'
import { testGuest } from '../test-guest.ts'
import { GuestCategoryStore, type StoredCategory } from './store.ts'

/** Each order in which a deletion and a guest can meet, step by step. The names are those of the store's description. */
describe('deleting a category while a guest is put in it', () => {
  const { db } = new OwnDatabase()
  const categories = new GuestCategoryStore(db)
  const guests = new GuestStore(db)
  let made = 0

  beforeAll(async () => {
    await categories.prepare()
    await guests.prepare()
  })

  async function newCategory(): Promise<string> {
    const _id = `category-${made++}`
    await categories.insert(testCategory({ _id }))
    return _id
  }

  async function newGuest(guest_category_id: string): Promise<StoredGuest> {
    const guest = await guests.insert(testGuest({ _id: `guest-${made++}`, guest_category_id }))
    if (!guest) throw new Error('The uid is taken')
    return guest
  }

  async function marked(category: string): Promise<StoredCategory> {
    const found = await categories.markForDeletion('event', category)
    if (!found) throw new Error('The category is not there')
    return found
  }

  test('guest before the look: the deletion sees it', async () => {
    const category = await newCategory()
    await marked(category)
    await newGuest(category)
    expect(await guests.holdsCategory('event', category)).toBe(true)
  })

  test('guest after the look, confirmed before the deletion: the deletion fails', async () => {
    const category = await newCategory()
    const deletion = await marked(category)
    expect(await guests.holdsCategory('event', category)).toBe(false)
    await newGuest(category)
    expect(await categories.confirm('event', category)).toBe(true)
    expect(await categories.deleteMarked(deletion)).toBe(false)
    expect(await categories.get('event', category)).not.toBeNull()
  })

  test('guest after the look, not confirmed before the deletion: the guest is not', async () => {
    const category = await newCategory()
    const deletion = await marked(category)
    expect(await guests.holdsCategory('event', category)).toBe(false)
    await newGuest(category)
    expect(await categories.deleteMarked(deletion)).toBe(true)
    expect(await categories.confirm('event', category)).toBe(false)
    expect(await guests.uidsOfCategory('event', category)).toHaveLength(1)
    await guests.deleteOfCategory('event', category)
    expect(await guests.uidsOfCategory('event', category)).toEqual([])
  })

  test('the mark of an interrupted deletion blocks neither a guest nor the next deletion', async () => {
    const category = await newCategory()
    const left = await marked(category)
    const next = await marked(category)
    expect(await categories.deleteMarked(left)).toBe(false)
    expect(await categories.confirm('event', category)).toBe(true)
    expect(await categories.deleteMarked(next)).toBe(false)
    expect(await categories.deleteMarked(await marked(category))).toBe(true)
  })

  test('a move that is only claimed fails when the deletion looks for guests, and has to confirm the category again', async () => {
    const [home, category] = [await newCategory(), await newCategory()]
    const guest = await newGuest(home)
    const claimed = await guests.noteMove(guest, category)
    const deletion = await marked(category)
    expect(await guests.holdsCategory('event', category)).toBe(false)
    expect(await guests.update(claimed as StoredGuest, { guest_category_id: category })).toBeNull()
    expect(await categories.deleteMarked(deletion)).toBe(true)
    expect((await guests.get('event', guest._id))?.guest_category_id).toBe(home)
  })

  test('a deletion that looks for guests finds a guest who was moved before', async () => {
    const [home, category] = [await newCategory(), await newCategory()]
    const claimed = await guests.noteMove(await newGuest(home), category)
    await marked(category)
    await guests.update(claimed as StoredGuest, { guest_category_id: category })
    expect(await guests.holdsCategory('event', category)).toBe(true)
    expect(await guests.holdsCategory('event', home)).toBe(false)
  })

  test('two moves of one guest at once: the guest is where the later one puts it', async () => {
    const [home, one, two] = [await newCategory(), await newCategory(), await newCategory()]
    const guest = await newGuest(home)
    const first = await guests.noteMove(guest, one)
    expect(await guests.noteMove(guest, two)).toBeNull()
    const second = await guests.noteMove(first as StoredGuest, two)
    expect(await guests.update(first as StoredGuest, { guest_category_id: one })).toBeNull()
    expect((await guests.update(second as StoredGuest, { guest_category_id: two }))?.guest_category_id).toBe(two)
  })
})
