import { expect, test } from 'vitest'
import { tokenOfCookie } from './resource.ts'
import { PartnerSessions } from './session.ts'

const public_url = 'https://example.org/events/'
const secrets_key = Buffer.alloc(32, 7).toString('base64')

test('cookies go over HTTPS alone where the gateway is reached so, and paths begin with that of PUBLIC_URL', () => {
  const sessions = new PartnerSessions({ public_url, secrets_key })
  expect(sessions.linkOf('gh_partner_x')).toBe('https://example.org/events/partner/gh_partner_x')
  expect(sessions.pathOf('c1')).toBe('/events/partner/c1')
  expect(sessions.cookieOf('c1', 'gh_partner_x')).toMatch(/; Path=\/events\/partner\/c1; .*; SameSite=Lax; Secure$/)
})

test('the token of a form belongs to one partner access token and to one installation', () => {
  const sessions = new PartnerSessions({ public_url, secrets_key })
  const csrf = sessions.csrfOf('gh_partner_x')
  expect(sessions.carries(csrf, 'gh_partner_x')).toBe(true)
  for (const wrong of [undefined, '', `${csrf}x`, csrf.toLowerCase(), sessions.csrfOf('gh_partner_y')])
    expect(sessions.carries(wrong, 'gh_partner_x')).toBe(false)
  const other = new PartnerSessions({ public_url, secrets_key: Buffer.alloc(32, 8).toString('base64') })
  expect(other.carries(csrf, 'gh_partner_x')).toBe(false)
})

test('the token is found among other cookies', () => {
  expect(tokenOfCookie('a=b; gatehouse_partner=gh_partner_x; c')).toBe('gh_partner_x')
  for (const header of [undefined, null, '', 'gatehouse_partner', 'gatehouse_partner=', 'xgatehouse_partner=y'])
    expect(tokenOfCookie(header)).toBeUndefined()
})
