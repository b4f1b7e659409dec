import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { System } from '@gatehouse/test/harness/system.ts'

/** A gateway with staff sign-in, as far as the console needs it. */
export interface StandIn extends AsyncDisposable {
  url: string
  /** What is answered in place of the gateway. */
  role: string
  isSignedIn: boolean
  fails: boolean
}

/** Serves the console of a system with a session of an account’s admin token. */
export async function standIn(system: System): Promise<StandIn> {
  const state = { url: '', role: 'owner', isSignedIn: true, fails: false }
  const server = createServer((request, response) => void answer(request, response))
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '/'
    if (state.fails && path.includes('/api/')) return void request.socket.destroy()
    if (path === '/console/session.json' || path.startsWith('/console/api/')) {
      response.setHeader('content-type', 'application/json')
      if (!state.isSignedIn) return void response.writeHead(401).end('{"error":"signed out"}')
    }
    if (path === '/console/session.json')
      return void response.end(
        JSON.stringify({
          account_id: system.account_id,
          account: 'acme',
          account_name: 'Acme Events',
          staff_member: { _id: '1', name: 'Ada Lovelace', email: 'ada@acme.test', role: state.role, event_id: null },
        }),
      )
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers
    const got = await fetch(system.url + path.replace('/console/api/', '/api/'), {
      method: request.method ?? 'GET',
      headers: {
        ...(headers as Record<string, string>),
        'accept-encoding': 'identity',
        ...(path.startsWith('/console/api/') && { authorization: `Bearer ${system.auth_token}` }),
      },
      redirect: 'manual',
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    })
    const { 'content-length': ____, 'transfer-encoding': _____, ...sent } = Object.fromEntries(got.headers)
    response.writeHead(got.status, sent).end(Buffer.from(await got.arrayBuffer()))
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return Object.assign(state, {
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  })
}
