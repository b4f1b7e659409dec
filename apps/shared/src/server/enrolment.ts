import { connect } from '../../../../clients/typescript/client.ts'

const DEADLINE_MS = 10_000
/** The spelling of the path that takes the code as a header, so that no log of addresses has it. */
const PATH = '/api/v1/device_codes/exchange.json' as '/api/v1/device_codes/{code}/exchange.json'

/** Exchanges the code of a device for the device and its token. The same `key` gives the same answer, if the first one was lost. */
export async function exchange(code: string, key: string) {
  const client = connect({ url: location.origin, token: code, deadlineMs: DEADLINE_MS })
  const { data } = await client.POST(PATH, { params: { path: { code }, header: { 'Idempotency-Key': key } } })
  return data
}
