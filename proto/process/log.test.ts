import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** The lines that a process writes whose log is used by `code`. */
function logged(code: string): Record<string, unknown>[] {
  const script = `import { makeLog } from './log.ts'; const log = makeLog('test', 'info'); ${code}`
  const out = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: join(import.meta.dirname),
    encoding: 'utf8',
  })
  return out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

test('a line is JSON with its time, level, process and words', () => {
  expect(logged(`log.info({ url: 'x' }, 'ready'); log.debug('not at this level')`)).toEqual([
    { level: 30, time: expect.any(Number), pid: expect.any(Number), name: 'test', url: 'x', msg: 'ready' },
  ])
})

test('an error is logged with its type and stack, and without its other fields', () => {
  const error = `Object.assign(new Error('E11000 duplicate key error index: uid_1 dup key: { uid: "zq-1" }'), {
    code: 11000, name: 'MongoServerError', keyValue: { uid: 'zq-1' }, writeErrors: [{ op: { email: 'zq@x.test' } }],
    cause: new Error('zq@x.test'), rawPacket: 'auth_token=gh_zq'
  })`
  const [line] = logged(`log.error({ err: ${error} }, 'request failed')`)
  expect(line?.err).toEqual({
    type: 'MongoServerError',
    message: expect.stringContaining('E11000 duplicate key error index: uid_1'),
    code: 11000,
    stack: expect.stringContaining('at '),
  })
  expect(JSON.stringify(line)).not.toContain('zq')
})

test('a thrown value that is not an error is logged too', () => {
  expect(logged(`log.error({ err: 'text' }, 'x')`)[0]?.err).toEqual({ message: 'text' })
})
