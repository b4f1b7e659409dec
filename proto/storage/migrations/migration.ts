import type { Document } from 'mongodb'

/** A write of one document. */
export interface Change {
  /** Must not match a document that was changed after it was read. */
  filter: Document
  update: Document
}

/**
 * How stored documents are brought up to date when a version stores them otherwise than the one before. A service declares it; its processes
 * do it once for each rule, in the background (docs/adr/0015). Until then, and while both versions run, each must read what the other stores.
 */
export interface Migration<T extends { _id: string } = { _id: string }> {
  /** The collection and what is renewed, as in `guests.search_words`. */
  name: string
  collection: string
  /** What the stored form follows from. When it changes, all documents are looked at again. */
  rule: string
  /** The fields that `change` reads. A document may lack some. */
  fields: readonly string[]
  /** The write which brings a document up to date; undefined if it is. */
  change(document: T): Change | undefined
}
