/* What is sent in a case. Texts may hold placeholders (`@event_id@`) for ids of the system under attack, so that a case is the same in each run. */

/** A request over HTTP. */
export interface HttpCase {
  kind: 'http'
  method: string
  /** Path and query, as they are sent. */
  path: string
  /** In this order; a name may come twice. */
  headers: [name: string, value: string][]
  body: string
}

/** Bytes to the port of HTTP, one character each. */
export interface RawCase {
  kind: 'raw'
  bytes: string
}

/** A message to a subject of the bus, without its namespace. */
export interface BusCase {
  kind: 'bus'
  subject: string
  payload: string
  /** The further parts of its body, which follow if the service asks for them. */
  parts: string[]
  /** Whether someone answers, and by what: a service, or JetStream. */
  answeredBy: 'service' | 'stream' | 'nobody'
}

export type Case = HttpCase | RawCase | BusCase

/** The place of an id in a text. */
export function placeholder(name: string): string {
  return `@${name}@`
}

/** A text with ids in place of placeholders. */
export function filled(text: string, ids: ReadonlyMap<string, string>): string {
  return text.replaceAll(/@(\w+)@/g, (found, name: string) => ids.get(name) ?? found)
}
