import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { execute } from './execute.ts'
import { reservePort, takePorts } from './ports.ts'

test('stored ports are given again once they are released, and others until then: also to another process', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-ports-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'ports.json')
  const take = () => takePorts(file, ['one', 'two'])
  const first = await take()
  const script = `const { takePorts } = await import(${JSON.stringify(import.meta.resolve('./ports.ts'))})
    console.log(JSON.stringify((await takePorts(process.argv[1], ['one', 'two'])).ports))`
  const other = JSON.parse(await execute(process.execPath, ['--input-type=module', '-e', script, file])) as object
  expect(new Set(Object.values(first.ports)).intersection(new Set(Object.values(other)))).toEqual(new Set())
  // The other process has ended, so that its ports are free.
  const again = await take()
  expect(again.ports).toEqual(other)
  await Promise.all([first.release(), again.release()])
})

test('a port at which a program listens that reserves nothing is not given', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-ports-'))
  const file = join(folder, 'ports.json')
  const { ports, release } = await takePorts(file, ['one'])
  await release()
  const stranger = createServer().listen(ports.one, '127.0.0.1')
  onTestFinished(async () => {
    stranger.close()
    await rm(folder, { recursive: true })
  })
  await expect.poll(() => stranger.listening).toBe(true)
  const next = await takePorts(file, ['one'])
  expect(next.ports.one).not.toBe(ports.one)
  await next.release()
})

test('a reserved port is the server’s, whatever else is reserved meanwhile', async () => {
  const port = await reservePort()
  const others = await Promise.all(Array.from({ length: 200 }, reservePort))
  expect(others).not.toContain(port)
  const server = createServer().listen(port, '127.0.0.1')
  await expect.poll(() => server.listening).toBe(true)
  server.close()
})
