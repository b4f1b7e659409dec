import { columnMeanings, foldColumnName, personColumnNames } from '@gatehouse/proto/formats/column-names.ts'
import { GUEST_METADATA_PREFIX, guestColumns } from '../guest-columns.ts'

const OTHERS = ['guest_category', 'guest_category_id', 'access_privileges', '-'] as const

/** The targets of columns: a field of the guest, its category, its privileges; `-` leaves a column out. */
export const targets = [...guestColumns.who, ...guestColumns.rest, ...OTHERS] as const
export type Target = (typeof targets)[number]

/** The target of a column. */
export type Column = { field: Exclude<Target, '-'> } | { metadata: string } | { leftOut: true }

/** Names of columns in six languages, folded by `foldColumnName`. A field without a line here is found by its own name. */
const otherNames: Partial<Record<Target, string>> = {
  ...personColumnNames,
  company_name: `company companyname organization organisation employer societe entreprise raisonsociale structure
    organisme firma firmenname unternehmen betrieb organisationfirma empresa nombredelaempresa compania organizacion
    azienda societa nomeazienda ragionesociale organizzazione nomedaempresa organizacao`,
  position: `position jobtitle title job role function fonction poste titre intitulededeposte intituleduposte funktion
    stelle berufsbezeichnung stellenbezeichnung beruf cargo puesto puestodetrabajo funcion ruolo posizione funzione
    qualifica mansione funcao posicao`,
  phone_number: `phone phonenumber telephone telephonenumber tel mobile mobilephone mobilenumber cell cellphone portable
    numerodetelephone notel telephoneportable telefon telefonnummer mobil handy handynummer mobiltelefon rufnummer telefono
    numerodetelefono movil celular telefonomovil numeroditelefono cellulare telefone numerodetelefone telemovel`,
  uid: `uid guestuid code guestcode qrcode qr barcode badgenumber ticketnumber ticketcode ticket codebarres codeqr
    numerodebadge numerodebillet billet strichcode ticketnummer codigo codigoqr codigodebarras codice codiceqr
    codiceabarre codiceinvitato`,
  message: `message welcomemessage checkinmessage messagedaccueil nachricht hinweis begrussung mensaje messaggio
    messaggiodibenvenuto mensagem`,
  rsvp_status: 'rsvpstatus rsvp',
  guest_category: `guestcategory guestcategoryname category categoryname guesttype tickettype type categorie
    categoriedinvite typedinvite typedebillet kategorie gastekategorie gasttyp tickettyp categoria categoriadeinvitado
    tipodeinvitado tipodeentrada categoriainvitato tipodiinvitato tipobiglietto categoriadeconvidado tipodeconvidado tipo
    typ`,
  guest_category_id: 'guestcategoryid categoryid',
}

const meanings = columnMeanings(
  Object.fromEntries(targets.map((target) => [target, otherNames[target] ?? foldColumnName(target)])) as Record<
    Target,
    string
  >,
)

/**
 * The target of each column. `overrides` are by header, as given with `--map`. Unknown headers, and fields that an earlier column has, become
 * metadata under the header's name; an empty header is called `Column 5`.
 * Throws one sentence for an override that fits no column or names no field.
 */
export function mapColumns(headers: string[], overrides: ReadonlyMap<string, string> = new Map()): Column[] {
  const chosen = readOverrides(headers, overrides)
  const taken = new Set(chosen.values())
  return headers.map((header, index) => {
    const metadata = { metadata: header === '' ? `Column ${index + 1}` : header }
    const target = chosen.get(index)
    if (target !== undefined) return columnOf(target, metadata)
    if (header.startsWith(GUEST_METADATA_PREFIX)) return { metadata: header.slice(GUEST_METADATA_PREFIX.length) }
    const guessed = meanings.get(foldColumnName(header))
    if (guessed === undefined) return metadata
    if (guessed !== '-') {
      if (taken.has(guessed)) return metadata
      taken.add(guessed)
    }
    return columnOf(guessed, metadata)
  })
}

/** The target of a column, for people. */
export function describeColumn(column: Column): string {
  if ('leftOut' in column) return '(left out)'
  return 'metadata' in column ? `metadata "${column.metadata}"` : column.field
}

/** `metadata` is for a column of metadata whose name is that of a field. */
function columnOf(target: Target | 'metadata', metadata: { metadata: string }): Column {
  if (target === 'metadata') return metadata
  return target === '-' ? { leftOut: true } : { field: target }
}

function readOverrides(headers: string[], overrides: ReadonlyMap<string, string>): Map<number, Target | 'metadata'> {
  const chosen = new Map<number, Target | 'metadata'>()
  for (const [header, target] of overrides) {
    const exact = headers.indexOf(header)
    const index =
      exact >= 0
        ? exact
        : headers.findIndex((each) => foldColumnName(each) === foldColumnName(header) && foldColumnName(header) !== '')
    if (index < 0) throw new Error(`--map: the file has no column "${header}". It has: ${headers.join(', ')}`)
    if (target !== 'metadata' && !(targets as readonly string[]).includes(target)) {
      throw new Error(`--map: "${target}" is no field. Fields: ${targets.join(', ')}, metadata (- leaves a column out)`)
    }
    const field = target as Target | 'metadata'
    if (field !== '-' && field !== 'metadata' && [...chosen.values()].includes(field)) {
      throw new Error(`--map: two columns can not both be ${field}`)
    }
    chosen.set(index, field)
  }
  return chosen
}
