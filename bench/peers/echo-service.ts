import { connectBus } from '@gatehouse/proto/bus/connecting.ts'
import { subjectOf } from '@gatehouse/proto/declaring/resource.ts'
import { makeLog } from '@gatehouse/proto/process/log.ts'
import { apiTokens } from '@gatehouse/sso/resources'
import { echoes } from './echo-resource.ts'
import { ready } from './ready.ts'

const { NATS_URL = '', NAMESPACE = '' } = process.env
const bus = await connectBus({
  servers: NATS_URL,
  namespace: NAMESPACE,
  name: 'echo',
  log: makeLog('echo', 'info'),
})
// Like the echoes of the peers: the body is parsed and written again, but not checked.
bus.serve(subjectOf(echoes, 'create'), 'echo', async (_meta, body) => ({
  body: Buffer.from(JSON.stringify(JSON.parse(Buffer.from(body).toString()))),
}))
const caller = { account_id: '0'.repeat(24), token_id: '1'.repeat(24), scope: 'admin' }
bus.serve(subjectOf(apiTokens, 'resolve'), 'sso', async (_meta, body) => {
  const { hashes } = JSON.parse(Buffer.from(body).toString()) as { hashes: string[] }
  return { body: Buffer.from(JSON.stringify(hashes.map(() => ({ caller })))) }
})
await bus.flush()
ready(undefined, () => bus.stop())
