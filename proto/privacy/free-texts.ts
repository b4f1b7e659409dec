import type { Db, Document, Filter } from 'mongodb'
import type { FoundEntry, PersonalDocuments, Subject } from '../declaring/personal-data.ts'
import { Blanking, ERASED_PATTERN } from './blanking.ts'

/** Stored texts in which anybody may be named, by whatever spelling: an erasure says where they are, and leaves them. */
export interface FreeTexts extends Pick<PersonalDocuments, 'name' | 'collection' | 'scope'> {
  /** The fields that hold them. */
  texts: readonly string[]
  /** The kind that erases those of the person, and of everybody of the event. */
  personal?: PersonalDocuments
}

/** The free texts of a kind of personal documents, which its erasure takes from those of the person alone. */
export function freeTextsOf(personal: PersonalDocuments, ...texts: string[]): FreeTexts {
  const { name, collection, scope } = personal
  return { name, collection, scope, texts, personal }
}

/** In how many documents there are free texts that an erasure does not search. */
export async function unsearched(db: Db, declared: readonly FreeTexts[], subject: Subject): Promise<FoundEntry[]> {
  const found = declared.map(async (each) => {
    const { name: data, collection, texts } = each
    const filter = filterOf(each, subject)
    const count = filter ? await db.collection(collection).countDocuments(filter) : 0
    return count > 0 ? [{ data, outcome: 'unsearched' as const, count, reason: null, fields: [...texts] }] : []
  })
  return (await Promise.all(found)).flat()
}

/** The documents that have such texts, without those of the person; undefined if there can be none. */
function filterOf({ scope, texts, personal }: FreeTexts, subject: Subject): Filter<Document> | undefined {
  const { person, with_account } = subject
  if (!scope.includes('event_id') && !(person && with_account)) return undefined
  if (!person && personal) return undefined
  const own = personal && new Blanking(personal).filterOf(subject)
  const filled = texts.map((name) => ({ [name]: { $nin: [null, '', [], {}], $not: { $regex: ERASED_PATTERN } } }))
  return {
    ...Object.fromEntries(scope.map((field) => [field, subject[field]])),
    $or: filled,
    ...(own && { $nor: [own as Filter<Document>] }),
  }
}
