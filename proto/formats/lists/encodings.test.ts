import { expect, test } from 'vitest'
import { encodingLabel } from './encodings.ts'
import { readList } from './list.ts'
import { encodedIn } from './testing/encoded.ts'

const read = (bytes: Uint8Array, encoding?: string) => readList(bytes, { isKnown: () => false, encoding })

test.each([
  ['windows-1252', 'Name;Firma\nJürgen;Bäcker & Söhne\nRenée;Café'],
  ['windows-1252', 'Nombre\nBegoña Peña\nÍñigo'],
  ['windows-1252', 'NOM\nLEFÈVRE\nMÜLLER'],
  ['windows-1252', 'Name\nD’Arcy “Bo” Smith'],
  ['windows-1252', 'Navn\nSøren Kjær\nÅsa Öberg'],
  ['windows-1250', 'Imię\nŁukasz Żak'],
  ['windows-1250', 'Nazwisko\nWiśniewska\nKowalczyk'],
  ['windows-1250', 'Jméno\nJiří Dvořák\nRůžičková'],
  ['windows-1250', 'Név\nErdős Győző\nŐri'],
  ['windows-1251', 'Имя\nАнна Смирнова'],
  ['windows-1251', 'Name\nСЕРГЕЙ ПЕТРОВ'],
  ['macintosh', 'Nom\rLefèvre\rOrléans'],
  ['macintosh', 'Name\rJürgen Bäcker\rRenée Gaüß'],
  ['shift_jis', '名,姓\n太郎,山田'],
  ['shift_jis', 'Name\nサトウ ハナコ'],
  ['gb18030', 'Name,Company\n刘洋,北京大学'],
])('a text in %s is known by its letters: %j', async (encoding, text) => {
  const { text: form, headers, rows } = await read(encodedIn(encoding, text))
  expect(form?.encoding).toBe(encoding)
  const { delimiter = ',' } = form ?? {}
  expect([headers, ...rows.map(({ cells }) => cells)]).toEqual(
    text.split(/[\r\n]/).map((line) => line.split(delimiter)),
  )
})

test('UTF-16 is known without a mark', async () => {
  const little = Buffer.from('Name\tMail\nZoé\tzoe@a.example\n日向\th@b.example\n', 'utf16le')
  for (const bytes of [little, Buffer.from(little).swap16()]) {
    expect((await read(bytes)).rows.map(({ cells }) => cells[0])).toEqual(['Zoé', '日向'])
  }
})

test('the language that gave an encoding away is said in the reader’s language', async () => {
  const { text } = await read(encodedIn('windows-1250', 'Imię\nŁukasz Żak'))
  expect(text && encodingLabel(text, 'en')).toBe('Polish (windows-1250)')
  expect(text && encodingLabel(text, 'de')).toBe('Polnisch (windows-1250)')
})

test('another encoding can be chosen', async () => {
  const bytes = encodedIn('windows-1250', 'Nazwisko\nZięba')
  expect((await read(bytes, 'windows-1250')).rows[0]?.cells).toEqual(['Zięba'])
})
