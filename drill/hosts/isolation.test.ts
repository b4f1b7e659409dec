// @module-tag slow
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { UNAVAILABLE } from './isolation.ts'

test('a machine that lacks root or a program is told what is missing and how the command is used, with exit code 69', async () => {
  const env = { ...process.env, PATH: dirname(process.execPath) }
  const drill = spawn(process.execPath, [join(import.meta.dirname, '../main.ts'), '--hosts'], { env })
  const [said, [code]] = await Promise.all([text(drill.stderr), once(drill, 'exit')])
  expect(said).toMatch(/--hosts does not work here: it needs .*[\s\S]*Usage: npm run drill/)
  expect(code).toBe(UNAVAILABLE)
})
