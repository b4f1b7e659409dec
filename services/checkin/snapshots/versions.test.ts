import { describe, expect, test, vi } from 'vitest'
import { Versions } from './versions.ts'

/** Versions, each of one changed guest: 1 is of nobody, 2 of `guest 2`. */
function versionsUpTo(last: number): Versions {
  const versions = new Versions()
  for (let version = 1; version <= last; version++) {
    versions.mark(`guest ${version}`)
    versions.end(Date.now(), false)
  }
  return versions
}

describe('versions', () => {
  test('a cursor of the same copy leads to exactly what has changed since', () => {
    const versions = versionsUpTo(2)
    const { cursor } = versions
    expect(versions.versionOf(cursor)).toBe(2)
    expect(versions.changedSince(2)).toEqual([])
    for (const uid of ['ada', 'bob', 'ada']) {
      versions.mark(uid)
      versions.end(Date.now(), false)
    }
    expect(versions.current).toBe(5)
    expect(versions.changedSince(versions.versionOf(cursor) ?? 0)).toEqual(['bob', 'ada'])
    expect(versions.changedSince(4)).toEqual(['ada'])
  })

  test('a reading without changes makes no version for half a minute, and no other contents after it', () => {
    const versions = versionsUpTo(1)
    const { cursor, contents } = versions
    versions.end(Date.now() + 29_000, false)
    expect(versions.cursor).toBe(cursor)
    versions.end(Date.now() + 31_000, false)
    expect([versions.current, versions.contents]).toEqual([2, contents])
    versions.end(Date.now() + 32_000, true)
    expect([versions.current, versions.contents === contents]).toEqual([3, false])
  })

  test('a reading that fails leaves its marks to the next one', () => {
    const versions = versionsUpTo(1)
    versions.mark('ada')
    versions.mark('bob')
    versions.end(Date.now(), false)
    expect(versions.changedSince(1)).toEqual(['ada', 'bob'])
  })

  test('a change is in the difference, although a reading that failed has seen a later one of the same guest', () => {
    const versions = versionsUpTo(2)
    versions.mark('guest 2')
    expect(versions.changedSince(1)).toEqual(['guest 2'])
  })

  test('a cursor of another copy leads to what has changed since a little before it was made', () => {
    vi.useFakeTimers({ now: 1_000_000 })
    try {
      const other = versionsUpTo(1)
      const versions = versionsUpTo(1)
      expect(versions.versionOf(other.cursor), 'this copy may have been read after that').toBeUndefined()
      for (const uid of ['ada', 'bob', 'cyd']) {
        vi.advanceTimersByTime(10_000)
        versions.mark(uid)
        versions.end(Date.now(), false)
      }
      vi.advanceTimersByTime(1_000)
      other.end(Date.now(), true)
      const version = versions.versionOf(other.cursor) ?? 0
      expect(versions.changedSince(version)).toEqual(['bob', 'cyd'])
    } finally {
      vi.useRealTimers()
    }
  })

  test('a cursor from before the changes that are kept is too old', () => {
    const versions = versionsUpTo(1)
    const { cursor } = versions
    for (let n = 0; n < 150_000; n++) versions.mark(`early ${n}`)
    versions.end(Date.now(), false)
    expect(versions.versionOf(cursor)).toBe(1)
    const early = versions.cursor
    for (let n = 0; n < 100_000; n++) versions.mark(`late ${n}`)
    versions.end(Date.now(), false)
    expect(versions.versionOf(cursor)).toBeUndefined()
    expect(versions.changedSince(versions.versionOf(early) ?? 0)).toHaveLength(100_000)
  })

  test('a cursor of a version to come is unknown', () => {
    const versions = versionsUpTo(1)
    const { cursor } = versions
    expect(versions.versionOf(cursor.replace('-1-', '-2-'))).toBeUndefined()
    expect(versions.versionOf(cursor.replace('-1-', '-0-'))).toBeUndefined()
  })
})
