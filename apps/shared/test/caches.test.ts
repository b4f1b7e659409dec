import { expect, test } from 'vitest'
import { outdatedOf } from '../src/installation/caches.ts'

test('a new version removes what earlier ones have kept, and nothing of other apps', () => {
  expect(outdatedOf(['scanner-1', 'scanner-2', 'console-1'], 'scanner-', 'scanner-2')).toEqual(['scanner-1'])
})
