// @module-tag slow
import { OwnDatabase } from '@gatehouse/test/harness/own-database.ts'
import { rounds } from '@gatehouse/test/rounds.ts'
import { describe, expect, test } from 'vitest'
import { changeEachAsRead, deleteOne } from './documents.ts'

test('a document that is changed at the same moment is deleted all the same', async () => {
  const documents = new OwnDatabase().db.collection<{ _id: string; changes: number }>('documents')
  for (let round = 0; round < rounds(40, 400); round++) {
    const ids = Array.from({ length: 20 }, (_, n) => `document ${round} ${n}`)
    await documents.insertMany(ids.map((_id) => ({ _id, changes: 0 })))
    const deleted = await Promise.all(
      ids.map(async (_id) => {
        const change = documents.updateOne({ _id }, { $inc: { changes: 1 } })
        const document = await deleteOne(documents, { _id })
        await change
        return document?._id
      }),
    )
    expect([deleted, await documents.countDocuments()]).toEqual([ids, 0])
  }
  expect(await deleteOne(documents, { _id: 'nobody' })).toBeNull()
})

/** A document of an event, whose code is unique. */
interface Numbered {
  _id: string
  event_id: string
  revision: number
  code: string
  colour?: string
}

describe('documents changed together as they were read', () => {
  const numbered = async () => {
    const documents = new OwnDatabase().db.collection<Numbered>('numbered')
    await documents.createIndex({ code: 1 }, { unique: true })
    const all = Array.from(
      { length: 6 },
      (_, n): Numbered => ({ _id: `${n}`, event_id: 'fair', revision: n % 2, code: `${n}` }),
    )
    await documents.insertMany(all)
    return { documents, all }
  }

  test('each is answered as it is then: null if it has changed since or is gone, undefined if a unique index refuses it', async () => {
    const { documents, all } = await numbered()
    const [, changed, gone, elsewhere, taken, moved] = all as [
      Numbered,
      Numbered,
      Numbered,
      Numbered,
      Numbered,
      Numbered,
    ]
    await documents.updateOne({ _id: changed._id }, { $set: { colour: 'blue' }, $inc: { revision: 1 } })
    await documents.deleteOne({ _id: gone._id })
    const answers = await changeEachAsRead(documents, [
      ...all.slice(0, 3).map((read) => ({ read, set: { colour: 'red' } })),
      { read: { ...elsewhere, event_id: 'another' }, set: { colour: 'red' } },
      { read: taken, set: { code: '0' }, isAlone: true },
      { read: moved, set: { code: 'free' }, isAlone: true },
    ])
    expect(answers).toEqual([
      { ...all[0], colour: 'red', revision: 1 },
      null,
      null,
      null,
      undefined,
      { ...moved, code: 'free', revision: 2 },
    ])
    expect(await documents.findOne({ _id: changed._id })).toEqual({ ...changed, colour: 'blue', revision: 2 })
    expect(await documents.findOne({ _id: taken._id })).toEqual(taken)
  })

  test('of several changes of one at the same moment exactly one is made', async () => {
    const { documents } = await numbered()
    for (let round = 0; round < rounds(10, 200); round++) {
      const current = await documents.find({}).sort({ _id: 1 }).toArray()
      const answers = await Promise.all(
        ['red', 'green', 'blue'].map((colour) =>
          changeEachAsRead(
            documents,
            current.map((read) => ({ read, set: { colour: `${colour} ${round}` } })),
          ),
        ),
      )
      const stored = await documents.find({}).sort({ _id: 1 }).toArray()
      for (const [index, document] of stored.entries()) {
        expect(document.revision).toBe((current[index]?.revision ?? 0) + 1)
        expect(answers.flatMap((answer) => answer[index] ?? [])).toEqual([document])
      }
    }
  })
})
