// @module-tag slow
import { OwnDatabase } from '@gatehouse/test/harness/own-database.ts'
import { rounds } from '@gatehouse/test/rounds.ts'
import { expect, test } from 'vitest'
import { deleteOne } from './documents.ts'

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
