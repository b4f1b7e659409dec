/** A request, or a folder of some, of a collection in the format v2.1. */
export interface Item {
  id?: string
  name: string
  item?: Item[]
  description?: unknown
  request?: {
    name?: string
    method: string
    url: { path: string[]; host: string[]; query?: Parameter[]; variable?: Variable[] }
    header?: Parameter[]
    body?: { mode?: string; raw?: string }
  }
  protocolProfileBehavior?: object
  response?: unknown[]
  event?: { listen: string; script: { type: string; exec: string[] } }[]
}

interface Variable {
  key: string
  value: string
  [other: string]: unknown
}

interface Parameter extends Variable {
  disabled?: boolean
}

/** What Postman imports, and Bruno too. */
export interface Collection {
  info: { name: string; description: string; schema: string }
  auth: object
  variable: Variable[]
  item: Item[]
}
