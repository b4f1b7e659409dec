/**
 * The names of columns in files of people, in English, French, German, Spanish, Italian, Portuguese, Dutch, Polish, Swedish and Japanese, folded by
 * `foldColumnName`; `-` are those that are not imported.
 */
export const personColumnNames = {
  first_name: `firstname givenname forename prenom prenoms vorname rufname nombre nombres nombredepila nome primeironome
    nomeproprio voornaam imie fornamn 名`,
  last_name: `lastname surname familyname name nom nomdefamille nachname familienname zuname apellido
    apellidos cognome apelido sobrenome ultimonome achternaam nazwisko efternamn 姓`,
  // Split where one of these says so; "Name" alone does not.
  full_name: `fullname completename displayname firstandlastname firstlastname firstnamelastname namesurname
    firstnameandlastname firstnamesurname attendeename nomcomplet prenomnom prenometnom vollstandigername vorundnachname
    vornameundnachname vornamenachname vornamename nombrecompleto nombreyapellidos nombreyapellido nomecompleto nomecognome nomeecognome
    nomeesobrenome nomeeapelido volledigenaam voorenachternaam imieinazwisko fullstandigtnamn forochefternamn`,
  last_and_first_name: `lastnamefirstname lastnameandfirstname surnamefirstname surnamename namefirstname namevorname
    nachnamevorname nachnameundvorname nachundvorname familiennamevorname nomprenom nometprenom nomprenoms
    cognomenome cognomeenome apellidosnombre apellidosynombre apellidonombre nazwiskoiimie achternaamvoornaam
    efternamnfornamn 氏名 お名前 名前 姓名`,
  email: `email emailaddress mail mailaddress courriel adressemail adresseemail adressecourriel adresseelectronique
    emailadresse mailadresse correo correoelectronico direcciondecorreo direccionemail indirizzoemail postaelettronica
    emaildeleitor enderecodeemail enderecoemail correioeletronico emailadres adresemail epost epostadress
    メールアトレス メール 電子メール eメール`,
  // Read-only columns of exports, and the columns that a file of bad rows adds.
  '-': 'id eventid checkedinat badgecompleted badgeurl qrcodeurl createdat updatedat importline importproblem',
} as const

/** Characters of a header that are looked at. */
const LONGEST = 200

/** A header without case, accents, spaces and punctuation: `Prénom(s)` is `prenoms`. */
export function foldColumnName(header: string): string {
  return header
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll(/[^\p{Letter}\p{Number}]/gu, '')
}

/** What stands before the name of a column in the exports and forms of others: `Your e-mail`, `Attendee first name`. */
const BEFORE =
  /^(whatisyour|whatsyour|pleaseenteryour|enteryour|your|attendee|participant|visitor|guest|votre|vos|ihr|ihre|dein|deine|su|tu|seu|sua)/
/** What says nothing about a column: `Company (legal)`, `Last name, title`. */
const BESIDE = /[([（].*$|[,:/–—].*$|\s-\s.*$/su

/** A lookup from headers to meanings, from lists of the names of each meaning. */
export function columnMeanings<T extends string>(
  names: Readonly<Record<T, string>>,
): (header: string) => T | undefined {
  const meanings = new Map(
    (Object.entries(names) as [T, string][]).flatMap(([meaning, list]) =>
      list.split(/\s+/).map((name) => [foldColumnName(name), meaning] as const),
    ),
  )
  return (header) => {
    const text = header.slice(0, LONGEST)
    const folded = foldColumnName(text)
    const found = meanings.get(folded) ?? meanings.get(foldColumnName(text.replace(BESIDE, '')))
    if (found !== undefined) return found
    const rest = meanings.get(folded.replace(BEFORE, ''))
    return rest === '-' ? undefined : rest
  }
}
