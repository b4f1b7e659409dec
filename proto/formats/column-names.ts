/**
 * The names of columns in files of people, in English, French, German, Spanish, Italian, Portuguese, Dutch, Polish, Swedish and Japanese, folded by
 * `foldColumnName`; `-` are those which are not imported.
 */
export const personColumnNames = {
  first_name: `firstname givenname forename prenom prenoms vorname rufname nombre nombres nombredepila nome primeironome
    nomeproprio voornaam imie fornamn 名`,
  last_name: `lastname surname familyname name fullname nom nomdefamille nomcomplet nachname familienname zuname apellido
    apellidos cognome apelido sobrenome ultimonome achternaam nazwisko efternamn 姓`,
  email: `email emailaddress mail mailaddress courriel adressemail adresseemail adressecourriel adresseelectronique
    emailadresse mailadresse correo correoelectronico direcciondecorreo direccionemail indirizzoemail postaelettronica
    emaildeleitor enderecodeemail enderecoemail correioeletronico emailadres adresemail epost epostadress
    メールアトレス`,
  // Read-only columns of exports, and the columns that a file of bad rows adds.
  '-': 'id eventid badgecompleted badgeurl qrcodeurl createdat updatedat importline importproblem',
} as const

/** A header without case, accents, spaces and punctuation: `Prénom(s)` is `prenoms`. */
export function foldColumnName(header: string): string {
  return header
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll(/[^\p{Letter}\p{Number}]/gu, '')
}

/** A lookup from folded headers to meanings, from lists of the names of each meaning. */
export function columnMeanings<T extends string>(names: Readonly<Record<T, string>>): ReadonlyMap<string, T> {
  return new Map(
    (Object.entries(names) as [T, string][]).flatMap(([meaning, list]) =>
      list.split(/\s+/).map((name) => [name, meaning] as const),
    ),
  )
}
