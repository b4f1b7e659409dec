// @module-tag slow
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { runGatehouse } from '@gatehouse/test/harness/command-line.ts'
import { bareEnv } from '@gatehouse/test/harness/process.ts'
import { chosen, sampled } from '@gatehouse/test/rounds.ts'
import { describe, expect, test } from 'vitest'
import { mainOf, serviceNames } from '../services/services.ts'

const root = join(import.meta.dirname, '..')

/** Runs a file of the repository to its end, with no settings at all. */
async function run(file: string, args: string[]) {
  const options = { cwd: root, env: bareEnv, timeout: 60_000 }
  return promisify(execFile)(process.execPath, [file, ...args], options).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, stdout, stderr }),
  )
}

const usage = /^Usage: .+/m

const files = [
  'cli/main.ts',
  'bench/main.ts',
  'drill/main.ts',
  'fuzz/main.ts',
  'scale/main.ts',
  'deploy/local/main.ts',
  'deploy/local/mongod/main.ts',
  'gateway/openapi/write.ts',
  'release/main.ts',
  'gateway/main.ts',
  // Services read their options by one function.
  ...chosen(serviceNames).map(mainOf),
]

// Each start costs a second of CPU time.
describe.for(sampled(files, 9))('%s', (file) => {
  test('--help prints the usage and ends with 0', async () => {
    const { code, stdout, stderr } = await run(file, ['--help'])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(usage)
  })

  test('an unknown option prints the error and the usage, and ends with 2', async () => {
    const { code, stdout, stderr } = await run(file, ['--no-such-option'])
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain("error: unknown option '--no-such-option'")
    expect(stderr).toMatch(usage)
  })
})

const refused: [file: string, args: string[], words: string][] = [
  ['drill/main.ts', ['--seconds', '0'], 'It takes a whole number from 1 to 3600.'],
  ['drill/main.ts', ['--seed', '-1'], 'It takes a whole number of at least 0.'],
  ['fuzz/main.ts', ['--cases', '0'], 'It takes a whole number of at least 1.'],
  ['fuzz/main.ts', ['--only', 'x'], 'It takes a whole number of at least 0.'],
  ['bench/main.ts', ['--guests', 'many'], 'It takes a whole number of at least 1.'],
  ['bench/main.ts', ['--rounds', '0.5'], 'It takes a whole number of at least 1.'],
  ['bench/main.ts', ['--only', 'single', 'x'], "argument 'x' is invalid. It takes a group (single, alone,"],
  ['bench/main.ts', ['--profile', 'nonsense'], "argument 'nonsense' is invalid. Allowed choices are gateway, "],
  ['scale/main.ts', ['--minutes', '0'], 'It takes a whole number from 1 to 1440.'],
  ['scale/main.ts', ['--guests', '-5'], 'It takes a whole number of at least 1.'],
  ['scale/main.ts', ['--price-cpu', '-1'], 'It takes a number of at least 0.'],
  ['deploy/local/main.ts', ['stray'], 'too many arguments'],
]

test.each(sampled(refused, 24))('%s %j is refused with its usage and 2', async (file, args, words) => {
  const { code, stdout, stderr } = await run(file, args)
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toContain(words)
  expect(stderr).toMatch(usage)
})

const refusedCommands: [args: string[], words: string][] = [
  [['demo', '--guests', '0'], 'It takes a whole number from 1 to 1000000.'],
  [['sso-app', 'roll', 'a', '--account', 'a', '--overlap', 'long'], 'It takes a whole number from 0 to 2592000.'],
  [
    ['hooks', 'deliveries', '--account', 'a', '--webhook', 'a', '--page', 'x'],
    'It takes a whole number of at least 1.',
  ],
  [
    ['hooks', 'deliveries', '--account', 'a', '--webhook', 'a', '--per-page', '501'],
    'It takes a whole number from 1 to 500.',
  ],
  [[], 'Usage: gatehouse'],
  [['no-such-command'], "unknown command 'no-such-command'"],
  [['token', 'create', '--account', 'a'], "required option '--name <name>' not specified"],
  [['up', '--no-such-option'], "error: unknown option '--no-such-option'"],
  [['import', 'guests', 'a.csv', '--event', 'a', '--no-such-option'], "unknown option '--no-such-option'"],
]

test.each(refusedCommands)('gatehouse %j is refused with its usage and 2', async (args, words) => {
  const { code, out, err } = await runGatehouse(args, {})
  expect([code, out]).toEqual([2, ''])
  expect(err).toContain(words)
  expect(err).toMatch(usage)
})

test('gatehouse --help prints the usage and ends with 0', async () => {
  expect(await runGatehouse(['--help'], {})).toEqual({ code: 0, out: expect.stringMatching(usage), err: '' })
})
