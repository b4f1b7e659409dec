import type { Bus } from '@gatehouse/proto/bus/bus.ts'
import { clientOf } from '@gatehouse/proto/bus/client.ts'
import type { SchemaNode } from '@gatehouse/proto/declaring/fields.ts'
import type { Resource } from '@gatehouse/proto/declaring/resource.ts'
import { retried } from '../retry.ts'
import type { Taken } from './kind.ts'
import { idOf, type SourceItem } from './source.ts'
import { tolerated } from './tolerance.ts'

/** A resource whose things are taken over. */
export interface AdoptedResource {
  actions: { adopt: { body: object } }
}

/** Names that must be there, with what stands for one that is missing. */
const NAMES: Readonly<Record<string, string>> = { title: 'Untitled', name: 'Unnamed' }

/** Asks for things to be adopted. */
export async function adopted(
  bus: Bus,
  resource: AdoptedResource,
  query: object,
  items: SourceItem[],
  event: SourceItem,
): Promise<Taken[]> {
  const schema = (resource.actions.adopt.body as object as SchemaNode).items ?? {}
  const body = items.map((item) => bodyOf(schema, item, event))
  const client = clientOf(bus, resource as object as Resource) as object as { adopt(call: object): Promise<Taken[]> }
  return retried(() => client.adopt({ query, body }))
}

/** A thing as it is declared here, with its own id and times; what has no times has those of its event. */
function bodyOf(schema: SchemaNode, item: SourceItem, event: SourceItem): object {
  const { access_stamp, created_at = access_stamp ?? event.created_at, updated_at = created_at } = item
  const names = Object.entries(NAMES).flatMap(([name, text]) => (isMissing(schema, item, name) ? [[name, text]] : []))
  const known = { ...item, ...Object.fromEntries(names), _id: idOf(item), created_at, updated_at }
  return (tolerated(schema, known) as object | undefined) ?? {}
}

function isMissing({ properties }: SchemaNode, item: SourceItem, name: string): boolean {
  const given = item[name]
  return properties?.[name] !== undefined && (typeof given !== 'string' || given.trim() === '')
}
