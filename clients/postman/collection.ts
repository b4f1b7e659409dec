import { createRequire } from 'node:module'
import { firstCheckIn } from './first-check-in.ts'
import type { Collection, Item } from './format.ts'

interface Converted {
  result: boolean
  reason?: string
  output: [{ data: Collection }]
}
const { SchemaPack } = createRequire(import.meta.url)('openapi-to-postmanv2') as {
  SchemaPack: new (
    input: object,
    options: object,
  ) => { convertV2(done: (error: Error | null, converted: Converted) => void): void }
}

const OPTIONS = {
  folderStrategy: 'Tags',
  parametersResolution: 'Example',
  requestNameSource: 'Fallback',
  enableOptionalParameters: false,
}
/** Everything of single sign-on, which is for browsers and sites, has this tag. */
const SSO = 'single sign-on'
const DESCRIPTION =
  'Set the variables `host` and `auth_token`, then send the requests of the first folder in their order: each stores the ids that the next ones need. The other folders are those of the API reference; `event_id` is that of the event made in the first folder.'

/** Makes a collection from the API document for clients: the first check-in, then a folder for each tag. */
export async function collectionOf(document: object): Promise<Collection> {
  const data = JSON.parse(JSON.stringify({ ...document, webhooks: undefined }))
  const { info, item, variable } = await converted(data)
  const folders = item
    .filter(({ name }) => name !== SSO)
    .map(({ name, item: requests = [] }) => ({ name, item: requests }))
  for (const each of folders.flatMap((folder) => folder.item)) tidy(each)
  const given = new Map(variable.filter(({ key }) => key !== 'baseUrl').map(({ key, value }) => [key, value]))
  const own = { host: 'http://127.0.0.1:8080', auth_token: '', ...firstCheckIn.variables }
  for (const [key, value] of Object.entries(own)) given.set(key, value)
  return {
    info: { name: info.name, description: DESCRIPTION, schema: info.schema },
    auth: { type: 'bearer', bearer: [{ type: 'string', key: 'token', value: '{{auth_token}}' }] },
    variable: [...given].map(([key, value]) => ({ key, value })),
    item: [firstCheckIn.folder(folders), ...folders],
  }
}

function converted(data: object): Promise<Collection> {
  return new Promise((resolve, reject) => {
    new SchemaPack({ type: 'json', data }, OPTIONS).convertV2((error, { result, reason, output } = {} as Converted) => {
      if (result) resolve(output[0].data)
      else reject(error ?? new Error(reason))
    })
  })
}

/** Leaves out what changes from run to run, and example answers, which the reference has; names the variables. */
function tidy(each: Item): void {
  delete each.id
  delete each.protocolProfileBehavior
  each.response = []
  if (!each.request) return
  const { url, header = [], body } = each.request
  delete each.request.name
  if (!body?.mode) delete each.request.body
  url.host = ['{{host}}']
  for (const variable of url.variable ?? []) if (variable.key === 'event_id') variable.value = '{{event_id}}'
  for (const parameter of url.query ?? []) if (parameter.disabled) parameter.value = ''
  for (const parameter of header) {
    if (parameter.key === 'Idempotency-Key') Object.assign(parameter, { value: '{{$guid}}', disabled: false })
    if (parameter.key === 'Prefer') parameter.value = 'return=representation'
  }
}
