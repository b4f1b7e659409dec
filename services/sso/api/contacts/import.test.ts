import { answered } from '@gatehouse/test/harness/retried.ts'
import { sharedSystem } from '@gatehouse/test/harness/shared-system.ts'
import { storedText } from '@gatehouse/test/harness/stored-text.ts'
import type { Answer, TestAccount } from '@gatehouse/test/harness/system.ts'
import { deep, slow } from '@gatehouse/test/rounds.ts'
import { MongoClient } from 'mongodb'
import { describe, expect, inject, test } from 'vitest'
import { AuditStore } from '../audit/store.ts'
import { ContactImporter } from './import.ts'
import { MAX_IMPORTED } from './resource.ts'
import { ContactStore } from './store.ts'

const system = await sharedSystem()

const CSV = { 'content-type': 'text/csv; charset=utf-8' }

let count = 0
const account = (): Promise<TestAccount> => system.account(`account-${count++}`)

/** Sends a file of an account. */
function send(to: TestAccount, file: string | Uint8Array, suffix = 'json', headers = {}): Promise<Answer> {
  const init = { token: to.auth_token, headers: { ...CSV, ...headers } }
  return system.api('POST', `contacts/import.${suffix}`, file, init)
}

/** The result of an import, without how the file was read. */
async function imported(to: TestAccount, file: string | Uint8Array): Promise<Answer['body']> {
  const answer = await send(to, file)
  expect(answer.status, answer.text).toBe(200)
  const { columns: _, read_as: __, notices: ___, ...report } = answer.body
  return report
}

async function refusal(to: TestAccount, file: string | Uint8Array): Promise<[number, object]> {
  const { status, body } = await send(to, file)
  return [status, body]
}

async function listed(of: TestAccount, query = ''): Promise<Answer['body'][]> {
  return (await system.api('GET', `contacts.json?${query}`, undefined, { token: of.auth_token })).body
}

const emails = async (of: TestAccount): Promise<string[]> => (await listed(of)).map(({ email }) => email).toSorted()
const report = (told: object): object => ({
  created: 0,
  already_there: 0,
  refused: 0,
  left: 0,
  refused_lines: [],
  ...told,
})

test('all errors of a row are reported, also in contact fields', async () => {
  const to = await account()
  const field = { key: 'size', type: 'value_list', available_values: ['S', 'M'] }
  await system.api('POST', 'contact_fields.json', field, { token: to.auth_token })
  const { refused_lines } = await imported(to, 'email,is_blocked,size\nnobody,perhaps,XL\n')
  expect(refused_lines).toEqual([
    {
      line: 2,
      errors: {
        email: ['is not valid'],
        is_blocked: ['is not true or false'],
        size: ['is not one of S, M'],
      },
    },
  ])
})

describe('a list', () => {
  test('is imported with contact fields, by key or label; unknown columns are left out', slow, async () => {
    const to = await account()
    const field = { key: 'badge_number', label: 'Badge No.' }
    await system.api('POST', 'contact_fields.json', field, { token: to.auth_token })
    const rows = [
      'Vorname;Nachname;E-Mail;Passwort;badge no;Schuhgröße;Mail',
      'Zoë;"Ünal;\r\nWeiß";zoe@x.test;correct horse;7;42;no@x.test',
      ';Li;LI@x.test;;;;',
    ]
    const answer = await send(to, rows.join('\r\n'))
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        ...report({ created: 2 }),
        columns: [
          { header: 'Vorname', field: 'first_name' },
          { header: 'Nachname', field: 'last_name' },
          { header: 'E-Mail', field: 'email' },
          { header: 'Passwort', field: 'password' },
          { header: 'badge no', field: 'badge_number' },
          { header: 'Schuhgröße', field: null },
          { header: 'Mail', field: null },
        ],
        read_as: 'UTF-8',
        notices: [],
      },
    ])
    const [li, zoe] = (await listed(to)).toSorted((a, b) => (a.email < b.email ? -1 : 1))
    expect(zoe).toMatchObject({
      email: 'zoe@x.test',
      first_name: 'Zoë',
      last_name: 'Ünal; Weiß',
      has_password: true,
      is_blocked: false,
      badge_number: '7',
    })
    expect(li).toMatchObject({ email: 'LI@x.test', first_name: null, has_password: false, badge_number: null })
    expect(await listed(to, 'search=weiss')).toEqual([zoe])
    const records = await system.api('GET', 'audit_records.json?kind=password_changed', undefined, {
      token: to.auth_token,
    })
    expect(records.body).toMatchObject([{ kind: 'password_changed', contact_id: zoe._id }])
    expect(await storedText(inject('mongodbUrl'), system.namespace)).not.toContain('correct horse')
  })

  test('which is sent again creates no duplicates, and leaves existing contacts as they are', async () => {
    const [to, other] = [await account(), await account()]
    const file = 'email,first_name\na@x.test,Ada\nb@x.test,Bob\n'
    expect(await imported(to, file)).toEqual(report({ created: 2 }))
    const before = await listed(to)
    expect(await imported(to, file)).toEqual(report({ already_there: 2 }))
    // Errors of existing contacts do not matter.
    expect(await imported(to, 'email,first_name,password\nA@X.test,Eve,short\nc@x.test,Cy,\n')).toEqual(
      report({ created: 1, already_there: 1 }),
    )
    expect((await listed(to)).slice(1)).toEqual(before)
    expect(await listed(other)).toEqual([])
    expect(await imported(other, file)).toEqual(report({ created: 2 }))
    expect(await emails(to)).toEqual(['a@x.test', 'b@x.test', 'c@x.test'])
  })

  test('which is sent four times concurrently creates no duplicates', slow, async () => {
    const to = await account()
    const rows = Array.from({ length: 500 }, (_, n) => `p${n}@x.test`)
    const reports = await Promise.all([1, 2, 3, 4].map(() => imported(to, ['email', ...rows].join('\n'))))
    const sum = (name: string): number => reports.reduce((total, each) => total + each[name], 0)
    expect([sum('created'), sum('already_there'), sum('refused')]).toEqual([500, 1500, 0])
    expect(await emails(to)).toEqual(rows.toSorted())
  })

  test('which is sent again with its Idempotency-Key gets the same answer', async () => {
    const to = await account()
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const [first, again] = [
      await send(to, 'email\na@x.test\n', 'json', headers),
      await send(to, 'email\na@x.test\n', 'json', headers),
    ]
    expect([again.body, again.headers.get('idempotent-replayed')]).toEqual([first.body, 'true'])
    expect((await send(to, 'email\nb@x.test\n', 'json', headers)).status).toBe(422)
    expect(await emails(to)).toEqual(['a@x.test'])
  })

  test('whose passwords take longer than an answer may is imported in several requests', slow, async () => {
    const client = new MongoClient(inject('mongodbUrl'))
    const db = client.db(`test-${crypto.randomUUID()}`)
    const store = new ContactStore(db)
    await store.prepare()
    const rows = Array.from({ length: 30 }, (_, n) => `p${n}@x.test,correct horse ${n}`)
    const file = Buffer.from(['email,password', 'bad,', ...rows].join('\n'))
    const once = async (): Promise<number[]> => {
      const contacts = new ContactImporter('account', [], { contacts: store, audit: new AuditStore(db, 90) }, 0)
      const { created, already_there, refused, left } = await contacts.run(file)
      return [created, already_there, refused, left]
    }
    expect(await once()).toEqual([20, 0, 1, 10])
    const hashes = async (): Promise<unknown[]> => {
      const found = await store.page('account', {}, { page: 1, per_page: 50 })
      return found.map(({ email, password_hash }) => [email, password_hash])
    }
    const before = await hashes()
    expect(await once()).toEqual([10, 20, 1, 0])
    expect((await hashes()).slice(10)).toEqual(before)
    await db.dropDatabase()
    await client.close()
  })

  test('appears in pages that were read before', async () => {
    const to = await account()
    await imported(to, 'email\na@x.test\nb@x.test\n')
    expect(await listed(to, 'per_page=2&page=2')).toEqual([])
    await imported(to, 'email\nc@x.test\n')
    expect(await listed(to, 'per_page=2&page=2')).toHaveLength(1)
  })
})

describe('errors', () => {
  const file = [
    'email,password,is_blocked,shirt',
    'not an address,,,',
    'a@x.test,short,,XXL',
    'b@x.test,,maybe,',
    ',,true,',
    'c@x.test,,true,M',
    'C@x.test,,,',
    'd@x.test',
    'e@x.test,,,,f',
  ].join('\n')

  async function withShirts(): Promise<TestAccount> {
    const to = await account()
    const field = { key: 'shirt', type: 'value_list', available_values: ['S', 'M'] }
    await system.api('POST', 'contact_fields.json', field, { token: to.auth_token })
    return to
  }

  test('are reported by line and field, and the rest is imported', async () => {
    const to = await withShirts()
    const told = report({
      created: 2,
      refused: 6,
      refused_lines: [
        { line: 2, errors: { email: ['is not valid'] } },
        {
          line: 3,
          errors: { shirt: ['is not one of S, M'], password: ['is too short (minimum is 8 characters)'] },
        },
        { line: 4, errors: { is_blocked: ['is not true or false'] } },
        { line: 5, errors: { email: ["can't be blank"] } },
        { line: 7, errors: { email: ['c@x.test is also in line 6'] } },
        { line: 9, errors: { row: ['has 5 columns, the header has 4'] } },
      ],
    })
    expect(await imported(to, file)).toEqual(told)
    expect(await listed(to)).toContainEqual(
      expect.objectContaining({ email: 'c@x.test', is_blocked: true, shirt: 'M' }),
    )
    expect(await imported(to, file)).toEqual({ ...told, created: 0, already_there: 2 })
  })

  test('are sentences in XML', async () => {
    const answer = await send(await withShirts(), file, 'xml')
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/xml; charset=utf-8'])
    for (const part of [
      '<contact-import><created type="integer">2</created><already-there type="integer">0</already-there>',
      '<refused type="integer">6</refused><left type="integer">0</left>',
      '<refused-lines type="array"><refused-line><line type="integer">2</line><errors><error>Email is not valid</error></errors></refused-line>',
      '<line type="integer">9</line><errors><error>Row has 5 columns, the header has 4</error></errors>',
      '<columns type="array"><column><header>email</header><field>email</field></column>',
    ])
      expect(answer.text).toContain(part)
  })

  test('are reported for as many lines as an answer may hold, and only counted for others', async () => {
    const to = await account()
    const available_values = Array.from({ length: 1_000 }, (_, n) => `${n}`.padEnd(200, 'x'))
    const field = { key: 'seat', type: 'value_list', available_values }
    await system.api('POST', 'contact_fields.json', field, { token: to.auth_token })
    const rows = Array.from({ length: 50 }, (_, n) => `p${n}@x.test,none`)
    const answer = await imported(to, ['email,seat', ...rows].join('\n'))
    expect(answer).toMatchObject({ created: 0, refused: 50 })
    expect(answer.refused_lines.length).toBeGreaterThan(0)
    expect(answer.refused_lines.length).toBeLessThan(10)
  })

  test('are on each line of a file without e-mail addresses', async () => {
    const to = await account()
    expect(await imported(to, 'first_name\nAda\n')).toEqual(
      report({ refused: 1, refused_lines: [{ line: 2, errors: { email: ["can't be blank"] } }] }),
    )
    expect(await imported(to, 'email\n')).toEqual(report({}))
  })
})

describe('a file', () => {
  test('is read with any encoding, byte order mark and line ends', async () => {
    const text = 'Prénom,Nom,Courriel\nZoë,"Ünal\nWeiß",zoe@x.test\n'
    const latin = Buffer.from(text, 'latin1')
    const files = [`\uFEFF${text}`, text.replaceAll('\n', '\r\n'), text.replaceAll('\n', '\r')].map((each) =>
      Buffer.from(each),
    )
    for (const bytes of [...files, latin, Buffer.from(`\uFEFF${text}`, 'utf16le')]) {
      const to = await account()
      expect(await imported(to, bytes)).toEqual(report({ created: 1 }))
      expect(await listed(to)).toMatchObject([{ first_name: 'Zoë', last_name: 'Ünal Weiß', email: 'zoe@x.test' }])
    }
  })

  test('which cannot be read is refused with the reason', async () => {
    const to = await account()
    const columns = Array.from({ length: 1_001 }, (_, n) => `c${n}`).join(',')
    for (const [file, problem] of [
      ['', "can't be blank"],
      [' \n\n', 'is empty'],
      ['email\na@x.test\n"b@x.test\n', 'has a quote in line 3 that is never closed'],
      [Buffer.from([0xff, 0xfe, 0x00, 0xd8]), 'is not in utf-16le'],
      [columns, 'has more than 1000 columns in line 1'],
      [`email\n${'x'.repeat(300_000)}\n`, 'has a row of more than 262144 characters in line 2'],
    ] as const) {
      expect(await refusal(to, file)).toEqual([422, { errors: { file: [problem] } }])
    }
    const xml = await send(to, ' ', 'xml')
    expect([xml.status, xml.text]).toEqual([422, expect.stringContaining('<error>File is empty</error>')])
    expect(await listed(to)).toEqual([])
  })

  test('of random bytes never causes an internal error', async () => {
    const to = await account()
    const noise = (seed: number): Buffer => Buffer.from(Array.from({ length: 5_000 }, (_, n) => (n * n * seed) >> 3))
    const texts = [
      'email,__proto__,constructor,$where,a.b\na@x.test,1,2,3,4\n',
      'email\n"__proto__"@x.test\n{"$gt":""}\n\u0000@x.test\n',
      `email,first_name\n${'x'.repeat(250)}@x.test,${'y'.repeat(256)}\n`,
      `email${','.repeat(900)}\nb@x.test${','.repeat(900)}\n`,
      'sep=,\n',
      'sep="\nemail\na@x.test\n',
      'sep=🎟\nemail🎟name\n',
    ]
    for (const file of [...[3, 7, 11, 13].map(noise), ...texts]) {
      const { status, text } = await send(to, file)
      expect([200, 422], text).toContain(status)
    }
    expect(await emails(to)).toEqual(['a@x.test', 'b@x.test'])
  })

  test('of another type is 415; beyond 10 MiB or 10,000 contacts it is 413, and no contact is created', async () => {
    const to = await account()
    for (const type of ['application/json', 'text/plain', 'application/vnd.ms-excel']) {
      expect((await send(to, 'email\na@x.test\n', 'json', { 'content-type': type })).status).toBe(415)
    }
    expect((await answered(() => send(to, `email\n${'x'.repeat(10 * 1024 * 1024)}`))).status).toBe(413)
    const rows = Array.from({ length: MAX_IMPORTED + 1 }, (_, n) => `p${n}@x.test`)
    expect(await refusal(to, ['email', ...rows].join('\n'))).toEqual([
      413,
      { error: 'A file may have at most 10000 rows' },
    ])
    expect(await listed(to)).toEqual([])
  })

  test('of 10,000 contacts is imported in one request, and other requests are answered meanwhile', deep, async () => {
    const to = await account()
    const rows = Array.from({ length: MAX_IMPORTED }, (_, n) => `First ${n},Last ${n % 97},p${n}@x.test,VIP ${n}`)
    const running = imported(to, ['first name,last name,e-mail,remark', ...rows].join('\n'))
    let answered = 0
    const asked = async (): Promise<void> => {
      while (!(await Promise.race([running.then(() => true), listed(system).then(() => false)]))) answered++
    }
    await asked()
    expect(await running).toEqual(report({ created: MAX_IMPORTED }))
    expect(answered).toBeGreaterThan(20)
    expect(await imported(to, ['email', ...rows.map((row) => row.split(',')[2])].join('\n'))).toEqual(
      report({ already_there: MAX_IMPORTED }),
    )
  })

  test('needs a token with the scope admin that is not bound to an event', async () => {
    const event = await system.api('POST', 'events.json', { title: 'Fair', account_id: system.account_id })
    for (const [scope, event_id] of [
      ['read', null],
      ['door', null],
      ['admin', event.body._id],
    ]) {
      const issued = await system.api('POST', 'tokens.json', { name: 'x', scope, event_id })
      const answer = await send({ ...system, auth_token: issued.body.token }, 'email\nnobody@x.test\n')
      expect(answer.status).toBe(403)
    }
    expect(await listed(system, 'email=nobody@x.test')).toEqual([])
  })
})
