import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

interface Locked {
  version?: string
  resolved?: string
  integrity?: string
  link?: boolean
  optionalDependencies?: Record<string, string>
}

const path = join(import.meta.dirname, '../package-lock.json')
const { packages } = JSON.parse(await readFile(path, 'utf8')) as { packages: Record<string, Locked> }

/** The place of a dependency of the package at `from`: in its own node_modules, or further up. */
function placeOf(name: string, from: string): string | undefined {
  const folders = from.split('/node_modules/')
  const places = folders.map((_, n) => [...folders.slice(0, folders.length - n), name].join('/node_modules/'))
  return [...places, `node_modules/${name}`].find((place) => packages[place])
}

test('the lock file holds the packages of every platform, and names no registry', () => {
  const asked = Object.entries(packages).flatMap(([from, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).map((name) => ({ from, name })),
  )
  expect(asked.length).toBeGreaterThan(20)
  expect(asked.filter(({ from, name }) => !placeOf(name, from))).toEqual([])
  for (const [place, { link, resolved, integrity }] of Object.entries(packages)) {
    expect(resolved ?? '', place).not.toContain('://')
    if (place.includes('node_modules/') && !link) expect([place, integrity]).toEqual([place, expect.any(String)])
  }
})
