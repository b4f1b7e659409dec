import { newTimes } from '@gatehouse/proto/storage/documents.ts'
import { categoryDefaults } from './guest-categories/resource.ts'
import type { StoredCategory } from './guest-categories/store.ts'

/** A guest category for tests of stores: with these fields, and the defaults of all others. */
export function testCategory(fields: Pick<StoredCategory, '_id'> & Partial<StoredCategory>): StoredCategory {
  return { event_id: 'event', name: 'Press', ...categoryDefaults, ...newTimes(), deleted: false, ...fields }
}
