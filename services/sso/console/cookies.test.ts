import { describe, expect, test } from 'vitest'
import { Issuers } from '../issuers.ts'
import { ConsoleCookies } from './cookies.ts'

const cookies = new ConsoleCookies(new Issuers('https://gate.example'), 12)
const begun = { account: 'acme', state: 's', verifier: 'v', to: '/console/' }
const pairOf = (setCookie: string): string => setCookie.split(';', 1)[0] ?? ''

describe('the cookies of the console', () => {
  const own = pairOf(cookies.setSession('gh_console_own'))

  test('are ones that no other host can set', () => {
    expect(cookies.setSession('gh_console_own')).toMatch(
      /^__Host-console=gh_console_own; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict; Secure$/,
    )
    expect(cookies.session(`a=b; ${own}; __Secure-console=gh_console_theirs`)).toBe('gh_console_own')
    expect(cookies.session(own.replace('__Host-', '__Secure-'))).toBeUndefined()
  })

  test('are no session where there are two: without TLS another host of the domain can set one', () => {
    const plain = new ConsoleCookies(new Issuers('http://gate.example'), 12)
    const first = pairOf(plain.setSession('gh_console_own'))
    expect(plain.session(`x-console=gh_console_theirs; ${first}`)).toBe('gh_console_own')
    for (const header of [`${first}; console=gh_console_theirs`, `console=; ${first}`])
      expect(plain.session(header)).toBeUndefined()
  })

  test('bind a sign-in by one that no other host can set', () => {
    const set = cookies.setSignIn(begun)
    expect(set).toMatch(/^__Host-console-sign-in=[\w-]+; Path=\/; Max-Age=3600; HttpOnly; SameSite=Lax; Secure$/)
    expect(cookies.signIn(pairOf(set))).toEqual(begun)
    expect(cookies.signIn(pairOf(set).replace('__Host-', '__Secure-'))).toBeUndefined()
  })
})
