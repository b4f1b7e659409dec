import { expect, test } from 'vitest'
import {
  conflict,
  Fault,
  type FaultCode,
  faultStatuses,
  fullSentences,
  invalid,
  notFound,
  toFault,
  unlessRefused,
} from './faults.ts'
import { messageOf } from './messages.ts'

test.each(Object.entries(faultStatuses))('%s has the status %i and a sentence', (code, status) => {
  const fault = new Fault(code as FaultCode)
  expect(fault.status).toBe(status)
  expect(fault.message).toMatch(/^[A-Z].{8,}$/)
  expect(fault.errors).toBeUndefined()
})

test('the short forms name their code', () => {
  expect(invalid({ name: [messageOf('taken')] })).toMatchObject({
    status: 422,
    errors: { name: ['has already been taken'] },
  })
  expect(notFound().status).toBe(404)
  expect(conflict(messageOf('category_has_guests'))).toMatchObject({
    status: 409,
    message: 'The guest category has guests',
  })
})

test('an unexpected error tells nothing of itself', () => {
  const fault = toFault(new Error('password of db is hunter2'))
  expect(fault.status).toBe(503)
  expect(fault.message).not.toContain('hunter2')
  const own = notFound()
  expect(toFault(own)).toBe(own)
})

test('only a refusal with one of the codes named becomes null', async () => {
  expect(await unlessRefused(Promise.resolve('found'), 'not_found')).toBe('found')
  expect(await unlessRefused(Promise.reject(notFound()), 'invalid', 'not_found')).toBeNull()
  for (const error of [invalid({}), new Error('not_found')]) {
    await expect(unlessRefused(Promise.reject(error), 'not_found')).rejects.toBe(error)
  }
})

test('errors by field become sentences', () => {
  expect(
    fullSentences({ last_name: ["can't be blank"], guest_category_id: ['is unknown', 'is odd'], _id: ['x'] }),
  ).toEqual(["Last name can't be blank", 'Guest category is unknown', 'Guest category is odd', '_id x'])
})
