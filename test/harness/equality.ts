import { Message } from '@gatehouse/proto/declaring/messages.ts'
import { expect } from 'vitest'

// A test may write the sentence that a client reads in the place of a message.
expect.addEqualityTesters([
  (a, b) => {
    if (!(a instanceof Message || b instanceof Message)) return undefined
    if (typeof a === 'string' || typeof b === 'string') return String(a) === String(b)
    return undefined
  },
])
