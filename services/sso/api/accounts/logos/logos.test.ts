// @module-tag slow

import { isHarmlessSvg } from '@gatehouse/proto/formats/logos/harmless-svg.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import type { Answer } from '@gatehouse/test/harness/system.ts'
import { describe, expect, test } from 'vitest'
import { gatewayPathOf } from '../../../issuers.ts'

const system = await sharedSystem()
const MAX_BYTES = 512 * 1024
const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from('a logo')])
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><rect width="9" height="9" fill="#123456"/></svg>'

const put = (body: string | Uint8Array<ArrayBuffer>, type: string, token = system.auth_token) =>
  fetch(`${system.url}/api/v1/account/logo.json`, {
    method: 'PUT',
    body,
    headers: { 'content-type': type, authorization: `Bearer ${token}` },
  })
const account = async (): Promise<Answer['body']> => (await system.api('GET', 'account.json')).body

/** The errors of a refused file. */
async function fileErrors(answer: Response): Promise<string[] | undefined> {
  const { errors } = (await answer.json()) as { errors?: { file?: string[] } }
  return errors?.file
}

describe('the logo of an account', () => {
  test('is at a public address, which every cache may keep, and which shows it and nothing else', async () => {
    const stored = await put(PNG, 'image/png')
    expect(stored.status).toBe(200)
    const { logo_url } = await account()
    expect(logo_url).toMatch(new RegExp(`^${system.url}/api/v1/logos/[0-9a-f]{24}\\.png$`))
    const shown = await fetch(logo_url)
    expect(shown.status).toBe(200)
    expect(Buffer.from(await shown.arrayBuffer())).toEqual(PNG)
    expect(Object.fromEntries(shown.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'x-content-type-options': 'nosniff',
    })
    for (const suffix of ['svg', 'jpg']) expect((await fetch(logo_url.replace('png', suffix))).status).toBe(404)
    expect((await fetch(logo_url.replace(/\w+\.png$/, `${'f'.repeat(24)}.png`))).status).toBe(404)
  })

  test('replaced has another address; deleted it is gone, and its address is 404', async () => {
    await put(PNG, 'image/png')
    const before = (await account()).logo_url
    await put(SVG, 'image/svg+xml')
    const { logo_url } = await account()
    expect(logo_url).not.toBe(before)
    expect(await (await fetch(logo_url)).text()).toBe(SVG)
    expect((await system.api('DELETE', 'account/logo.json')).status).toBe(204)
    expect((await account()).logo_url).toBe(null)
    for (const url of [logo_url, before]) expect((await fetch(url)).status).toBe(404)
  })

  test('is of a type that its bytes show, and of 512 KiB at most', async () => {
    const file = async (answer: Response) => [answer.status, await fileErrors(answer)]
    expect(await file(await put(PNG, 'image/jpeg'))).toEqual([422, ['is not a JPEG file']])
    expect(await file(await put('GIF89a', 'image/png'))).toEqual([422, ['is not a PNG file']])
    expect((await put('GIF89a', 'image/gif')).status).toBe(415)
    const largest = Buffer.concat([PNG, Buffer.alloc(MAX_BYTES - PNG.length)])
    expect((await put(largest, 'image/png')).status).toBe(200)
    expect((await put(Buffer.concat([largest, Buffer.alloc(1)]), 'image/png')).status).toBe(413)
  })

  test('is stored only by who may change the account', async () => {
    const { body } = await system.api('POST', 'tokens.json', { name: 'reads', scope: 'read' })
    expect((await put(PNG, 'image/png', body.token)).status).toBe(403)
  })

  test('as SVG with a script is refused', async () => {
    const answer = await put(SVG.replace('<rect', '<script>alert(1)</script><rect'), 'image/svg+xml')
    expect([answer.status, await fileErrors(answer)]).toEqual([422, [expect.stringContaining('has scripts')]])
  })

  test('is on the sign-in pages of the account', async () => {
    await put(SVG, 'image/svg+xml')
    const { slug, logo_url } = await account()
    const page = await fetch(`${system.url}/sso/${slug}/nothing-here`, { headers: { accept: 'text/html' } })
    expect(await page.text()).toContain(`<img class="logo" src="${new URL(logo_url).pathname}" alt="">`)
    expect(page.headers.get('content-security-policy')).toContain("img-src 'self'")
  })
})

test.each([
  ['https://example.org/base/sso/fair', '/base'],
  ['https://example.org/sso/fair', ''],
  ['https://login.example.org', ''],
  ['https://example.org/base', '/base'],
])('on pages of %s the address of the logo begins with the path of the gateway: "%s"', (issuer, path) => {
  expect(gatewayPathOf(issuer)).toBe(path)
})

describe('an SVG file is harmless', () => {
  const inSvg = (content: string) => isHarmlessSvg(Buffer.from(SVG.replace('<rect', `${content}<rect`)))

  test.each([
    '<!-- made by hand -->',
    '<defs><path id="p" d="M0 0h9v9z"/></defs><use href="#p"/>',
    '<g fill="url(#g)" style="mask:url(#m)"/>',
    '<image href="data:image/png;base64,iVBORw0KGgo="/>',
    '<animateTransform attributeName="transform"/>',
  ])('with %s', (content) => {
    expect(inSvg(content)).toBe(true)
  })

  test.each([
    '<script>alert(1)</script>',
    '<SCRIPT/>',
    '<x:script xmlns:x="http://www.w3.org/2000/svg">alert(1)</x:script>',
    '<g onload="alert(1)"/>',
    '<g fill="red"onclick = "alert(1)"/>',
    '<foreignObject><b/></foreignObject>',
    '<a href="https://example.org"/>',
    '<image href="https://example.org/x.png"/>',
    "<image xlink:href='//example.org/x.png'/>",
    '<use href="&#104;ttps://example.org/x.svg#a"/>',
    '<image href="data:image/svg+xml;base64,PHN2Zy8+"/>',
    '<style>@import "https://example.org/x.css"</style>',
    '<style>g{fill:url(https://example.org/x)}</style>',
    '<style>g{fill:\\75rl(x)}</style>',
    '<?xml-stylesheet href="#x"?>',
    '<!DOCTYPE svg [<!ENTITY x "y">]>',
    '<!-- without an end',
    '<!-- --><script/><!-- -->',
  ])('but not with %s', (content) => {
    expect(inSvg(content)).toBe(false)
  })

  test('only if it is SVG in UTF-8', () => {
    expect(isHarmlessSvg(Buffer.from(`\ufeff<?xml version="1.0"?>\n<!-- x -->${SVG}`))).toBe(true)
    expect(isHarmlessSvg(Buffer.from('<html><svg/></html>'))).toBe(false)
    expect(isHarmlessSvg(Buffer.from(SVG, 'utf16le'))).toBe(false)
  })
})
