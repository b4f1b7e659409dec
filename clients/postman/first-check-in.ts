import type { Item } from './format.ts'

/** A request of the first check-in. */
interface Step {
  /** Its folder and its place there, as method and end of the path. */
  of: [folder: string, method: string, end: string]
  /** What is sent in place of the example. */
  body?: object
  /** The variable for the answer's id. */
  id?: string
  /** Code that checks the answer. */
  checks?: string
}

const STEPS: Step[] = [
  { of: ['accounts', 'GET', 'account.json'], id: 'account_id' },
  {
    of: ['events', 'POST', 'events.json'],
    body: { title: 'Opening night', account_id: '{{account_id}}' },
    id: 'event_id',
  },
  { of: ['guest categories', 'POST', 'guest_categories.json'], body: { name: 'VIP' }, id: 'guest_category_id' },
  { of: ['accesspoints', 'POST', 'accesspoints.json'], body: { name: 'Main entrance' }, id: 'accesspoint_id' },
  {
    of: ['guest category accesspoints', 'POST', 'guest_category_accesspoints.json'],
    body: {
      guest_category_id: '{{guest_category_id}}',
      accesspoint_id: '{{accesspoint_id}}',
      max_allowed_accesses: 1,
    },
  },
  {
    of: ['guests', 'POST', 'guests.json'],
    body: { guest_category_id: '{{guest_category_id}}', first_name: 'Ada', last_name: 'Lovelace', uid: 'ada1815' },
    id: 'guest_id',
  },
  {
    of: ['access controls', 'POST', 'access_controls.json'],
    body: { accesspoint_id: '{{accesspoint_id}}', guest_uid: 'ada1815' },
    checks: "pm.test('the guest is let in', () => pm.expect(pm.response.json().access_status).to.equal(0))",
  },
]

/** The folder of a collection that leads from an event to a check-in. */
export const firstCheckIn = {
  variables: Object.fromEntries(STEPS.flatMap(({ id }) => (id ? [[id, '']] : []))),
  /** Makes it of the requests in the other folders. */
  folder: (folders: Item[]): Item => ({ name: 'First check-in', item: STEPS.map((step) => requestOf(step, folders)) }),
}

function requestOf({ of: [name, method, end], body, id, checks }: Step, folders: Item[]): Item {
  const requests = folders.find((folder) => folder.name === name)?.item ?? []
  const found = requests.find(({ request }) => request?.method === method && request.url.path.at(-1) === end)
  if (!found?.request) throw new Error(`The API document has no ${method} of ${end}`)
  const request = structuredClone(found.request)
  if (body) request.body = { ...request.body, mode: 'raw', raw: JSON.stringify(body, null, 2) }
  const exec = [
    "pm.test('it is answered', () => pm.response.to.be.success)",
    ...(id ? [`pm.collectionVariables.set('${id}', pm.response.json()._id)`] : []),
    ...(checks ? [checks] : []),
  ]
  return {
    name: found.name,
    request,
    response: [],
    event: [{ listen: 'test', script: { type: 'text/javascript', exec } }],
  }
}
