import { describe, expect, test } from 'vitest'
import { Issuers } from '../issuers.ts'
import { ConsoleCookies } from './cookies.ts'

const cookies = new ConsoleCookies(new Issuers('https://gate.example'), 12)
const begun = { account: 'acme', state: 's', verifier: 'v', to: '/console/' }
const pairOf = (setCookie: string): string => setCookie.split(';', 1)[0] ?? ''

describe('the cookies of the console', () => {
  const own = pairOf(cookies.setSession('gh_console_own'))

  test.each([
    [`${own}; __Secure-console=gh_console_theirs`],
    [`__Secure-console=gh_console_theirs; ${own}`],
    [`__Secure-console=; ${own}`],
  ])('are no session where another host of the domain has set a second one: %s', (header) => {
    expect(cookies.session(own)).toBe('gh_console_own')
    expect(cookies.session(`a=b; ${own}; x-__Secure-console=gh_console_theirs`)).toBe('gh_console_own')
    expect(cookies.session(header)).toBeUndefined()
  })

  test('bind a sign-in by one which no other host can set', () => {
    const set = cookies.setSignIn(begun)
    expect(set).toMatch(/^__Host-console-sign-in=[\w-]+; Path=\/; Max-Age=3600; HttpOnly; SameSite=Lax; Secure$/)
    expect(cookies.signIn(pairOf(set))).toEqual(begun)
    expect(cookies.signIn(pairOf(set).replace('__Host-', '__Secure-'))).toBeUndefined()
  })
})
