import type { Static, TSchema, Type } from 'typebox'

/**
 * What processes announce to each other. The service that announces a topic declares it in its `topics.ts`; the declaration is what is
 * announced (`Bus.announce`, `Bus.announcing`), what is listened to (`Bus.listen`), and what `permissions.ts` names.
 */
export interface Topic<T = unknown> {
  name: string
  /** The schema of the payload, which travels as JSON. Without one the payload is a text, which travels as it is. */
  schema?: Type.TUnsafe<T>
}

/** Declares a topic whose payload is a text: an id, or nothing. */
export function topic(name: string): Topic<string>
/** Declares a topic whose payload is as the schema says. */
export function topic<S extends TSchema>(name: string, schema: S): Topic<Static<S>>
export function topic(name: string, schema?: TSchema): Topic {
  return { name, ...(schema && { schema: schema as Type.TUnsafe<unknown> }) }
}

/** The subject of the announcements of a topic, without the namespace. */
export function announcementSubject({ name }: Topic): string {
  return `changed.${name}`
}
