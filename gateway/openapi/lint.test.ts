// @module-tag slow
import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import spectralCore from '@stoplight/spectral-core'
import spectralRulesets from '@stoplight/spectral-rulesets'
import { describe, expect, test } from 'vitest'
import whole from './openapi.json' with { type: 'json' }
import forClients from './openapi-client.json' with { type: 'json' }

const here = import.meta.dirname

describe('Redocly, with what it recommends (redocly.yaml), finds nothing', () => {
  const redocly = join(dirname(createRequire(import.meta.url).resolve('@redocly/cli/package.json')), 'bin/cli.js')

  /** The problems of documents, as lines. */
  async function problems(...files: string[]): Promise<string[]> {
    const args = [redocly, 'lint', ...files, '--config', join(here, 'redocly.yaml'), '--format', 'json']
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
    const run = promisify(execFile)(process.execPath, args, { cwd: here, env, maxBuffer: 2 ** 26 })
    const { stdout } = await run.catch((error: { stdout: string }) => error)
    const found = JSON.parse(stdout) as {
      problems: { ruleId: string; message: string; location: { pointer: string }[] }[]
    }
    return found.problems.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`)
  }

  test('in the document for clients', async () => {
    expect(await problems('openapi-client.json')).toEqual([])
  })

  test('in the whole document', async () => {
    expect(await problems('openapi.json')).toEqual([])
  })
})

describe('Spectral, with what it recommends for OpenAPI, finds nothing', () => {
  async function problems(document: object): Promise<string[]> {
    const spectral = new spectralCore.Spectral()
    // Its declarations know rulesets only as files write them.
    spectral.setRuleset({ extends: [[spectralRulesets.oas as never, 'recommended']] })
    const found = await spectral.run(document as Record<string, unknown>)
    return found.map(({ code, path, message }) => `${code} ${path.join('/')}: ${message}`)
  }

  test('in the document for clients', async () => {
    expect(await problems(forClients)).toEqual([])
  })

  test('in the whole document', async () => {
    expect(await problems(whole)).toEqual([])
  })

  test('but what is wrong', async () => {
    expect(
      await problems({ ...forClients, paths: {}, webhooks: {}, tags: [{ name: 'a' }, { name: 'a' }] }),
    ).not.toEqual([])
  })
})
