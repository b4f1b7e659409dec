import { plainFields } from '@gatehouse/guests/resources'
import { expect, test } from 'vitest'
import { mapColumns as mapped } from './headers.ts'

const mapColumns = (headers: string[], overrides?: Map<string, string>) => mapped({ headers, headerLine: 1 }, overrides)

test('headers are known in six languages, whatever their case, accents, spaces and signs', () => {
  const lists = {
    en: ['First Name', 'SURNAME', 'E-mail address', 'Company', 'Job title', 'phone_number', 'Category'],
    fr: ['Prénom', 'Nom de famille', 'Courriel', 'Société', 'Fonction', 'Téléphone', 'Catégorie'],
    de: ['Vorname', 'Nachname', 'E-Mail-Adresse', 'Firma', 'Position', 'Telefonnummer', 'Kategorie'],
    es: ['Nombre', 'Apellidos', 'Correo electrónico', 'Empresa', 'Cargo', 'Teléfono móvil', 'Categoría'],
    it: ['Nome', 'Cognome', 'Posta elettronica', 'Azienda', 'Ruolo', 'Cellulare', 'Categoria'],
    pt: ['Primeiro nome', 'Apelido', 'Endereço de e-mail', 'Organização', 'Função', 'Telemóvel', 'Tipo de convidado'],
  }
  const fields = ['first_name', 'last_name', 'email', 'company_name', 'position', 'phone_number', 'guest_category']
  for (const headers of Object.values(lists)) {
    expect(mapColumns(headers)).toEqual(fields.map((field) => ({ field })))
  }
})

test('each plain field of a guest is a column under its own name', () => {
  const fields = [...Object.keys(plainFields), 'access_privileges']
  expect(mapColumns(fields)).toEqual(fields.map((field) => ({ field })))
})

test('notes are the message that is shown at the door, in each language of the console', () => {
  const headers = ['Notes', 'Remarque', 'Bemerkungen', 'Observaciones', 'Osservazioni', 'Observações', 'Opmerkingen']
  for (const header of [...headers, 'Uwagi', 'Anteckningar', '備考'])
    expect(mapColumns([header])).toEqual([{ field: 'message' }])
})

test('columns that count the people of a guest are found in the languages of the console', () => {
  const headers = [
    'No. of persons',
    'Pax',
    'Anzahl Personen',
    'Nombre de personnes',
    'Número de personas',
    'Liczba osób',
  ]
  for (const header of [...headers, 'Personer', '人数']) expect(mapColumns([header])).toEqual([{ field: 'party_size' }])
})

test('unknown headers become metadata, empty ones by their number', () => {
  expect(mapColumns(['Dietary needs', '', 'Zip'])).toEqual([
    { metadata: 'Dietary needs' },
    { metadata: 'Column 2' },
    { metadata: 'Zip' },
  ])
})

test('of two columns for one field the second becomes metadata', () => {
  expect(mapColumns(['Email', 'E-mail'])).toEqual([{ field: 'email' }, { metadata: 'E-mail' }])
})

test('columns of read-only fields are left out', () => {
  const headers = [
    '_id',
    'event_id',
    'created_at',
    'updated_at',
    'checked_in_at',
    'badge_completed',
    'badge_url',
    'qrcode_url',
  ]
  expect(mapColumns(headers)).toEqual(headers.map(() => ({ leftOut: true })))
})

test('a header with the metadata prefix is metadata though it names a field', () => {
  expect(mapColumns(['metadata: Company'])).toEqual([{ metadata: 'Company' }])
})

test('--map overrides the guess, takes its field from other columns, and leaves columns out', () => {
  const overrides = new Map([
    ['badge name', 'last_name'],
    ['Notes', '-'],
    ['Company', 'metadata'],
  ])
  expect(mapColumns(['Name', 'Badge Name', 'Notes', 'Company'], overrides)).toEqual([
    { metadata: 'Name' },
    { field: 'last_name' },
    { leftOut: true },
    { metadata: 'Company' },
  ])
})

test('--map refuses columns that are not there, fields that are none, and one field twice', () => {
  expect(() => mapColumns(['Name'], new Map([['Nom', 'uid']]))).toThrow('no column "Nom"')
  expect(() => mapColumns(['Name'], new Map([['Name', 'shoe_size']]))).toThrow('"shoe_size" is not a field')
  const both = new Map([
    ['A', 'uid'],
    ['B', 'uid'],
  ])
  expect(() => mapColumns(['A', 'B'], both)).toThrow('cannot both be uid')
})
