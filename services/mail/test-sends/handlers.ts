import { type Handlers, handlersOf } from '@gatehouse/proto/declaring/resource.ts'
import type { Sending } from '../sending.ts'
import { hand_over } from './hand-over.ts'
import type { testSends } from './resource.ts'

/** Returns the handlers of test sends. */
export function testSendHandlers(sending: Sending): Handlers<typeof testSends> {
  return handlersOf<typeof testSends, Sending>({ hand_over }, sending)
}
