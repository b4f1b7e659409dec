import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { expect, inject, test } from 'vitest'
import { openStore } from './mongo.ts'

test('an operation whose connection died unnoticed fails after a while, and the next one works', async () => {
  const { hostname, port } = new URL(inject('mongodbUrl'))
  const sockets: Socket[] = []
  let swallows = false
  const between = createServer((client) => {
    const server = connect(Number(port), hostname)
    sockets.push(client, server)
    for (const [from, to] of [[client, server] as const, [server, client] as const]) {
      from.on('error', () => {}).on('close', () => to.destroy())
      from.on('data', (bytes) => {
        if (!swallows) to.write(bytes)
      })
    }
  }).listen(0, '127.0.0.1')
  await once(between, 'listening')
  const { port: ownPort } = between.address() as AddressInfo
  const store = await openStore(`mongodb://127.0.0.1:${ownPort}/?directConnection=true`, 'mongo', 'test')
  try {
    await store.ping()
    swallows = true
    await expect(store.ping()).rejects.toThrow()
    swallows = false
    await store.ping()
  } finally {
    await store.close()
    for (const socket of sockets) socket.destroy()
    between.close()
  }
}, 40_000)
