import { type Language, speakerOf } from '@gatehouse/proto/pages/languages.ts'
import type { Mail } from '@gatehouse/proto/process/mail.ts'

type CredentialMail = 'code' | 'invitation' | 'staff'
type CredentialTexts = Record<CredentialMail | `${CredentialMail}Text` | 'ignore', string>

/** The texts of e-mails to contacts, in all languages. */
const texts: Record<Language, CredentialTexts> = {
  en: {
    code: '{code} is your sign-in code',
    codeText: 'Your code to sign in at {account} is:\n\n{code}\n\nIt holds for {minutes} minutes and can be used once.',
    invitation: 'Choose your password for {account}',
    invitationText:
      'You are invited to sign in at {account}. Choose your password here:\n\n{url}\n\nThe link holds until {until} and can be used once.',
    staff: 'Your access to the console of {account}',
    staffText:
      'You are staff at {account}. Choose your password for the console here:\n\n{url}\n\nThe link holds until {until} and can be used once.',
    ignore: 'If you did not expect this e-mail, you can ignore it.',
  },
  fr: {
    code: '{code} est votre code de connexion',
    codeText:
      'Votre code de connexion à {account} est\u00a0:\n\n{code}\n\nIl est valable {minutes} minutes et ne peut servir qu’une fois.',
    invitation: 'Choisissez votre mot de passe pour {account}',
    invitationText:
      'Vous êtes invité à vous connecter à {account}. Choisissez votre mot de passe ici\u00a0:\n\n{url}\n\nLe lien est valable jusqu’au {until} et ne peut servir qu’une fois.',
    staff: 'Votre accès à la console de {account}',
    staffText:
      'Vous faites partie de l’équipe de {account}. Choisissez ici votre mot de passe pour la console\u00a0:\n\n{url}\n\nLe lien est valable jusqu’au {until} et ne peut servir qu’une fois.',
    ignore: 'Si vous n’attendiez pas cet e-mail, vous pouvez l’ignorer.',
  },
  es: {
    code: '{code} es su código de acceso',
    codeText:
      'Su código para acceder a {account} es:\n\n{code}\n\nEs válido durante {minutes} minutos y solo se puede usar una vez.',
    invitation: 'Elija su contraseña para {account}',
    invitationText:
      'Le invitamos a acceder a {account}. Elija su contraseña aquí:\n\n{url}\n\nEl enlace es válido hasta el {until} y solo se puede usar una vez.',
    staff: 'Su acceso a la consola de {account}',
    staffText:
      'Forma parte del equipo de {account}. Elija aquí su contraseña para la consola:\n\n{url}\n\nEl enlace es válido hasta el {until} y solo se puede usar una vez.',
    ignore: 'Si no esperaba este correo, puede ignorarlo.',
  },
  de: {
    code: '{code} ist Ihr Anmeldecode',
    codeText:
      'Ihr Code für die Anmeldung bei {account} lautet:\n\n{code}\n\nEr gilt {minutes} Minuten und kann einmal verwendet werden.',
    invitation: 'Wählen Sie Ihr Passwort für {account}',
    invitationText:
      'Sie sind eingeladen, sich bei {account} anzumelden. Wählen Sie hier Ihr Passwort:\n\n{url}\n\nDer Link gilt bis {until} und kann einmal verwendet werden.',
    staff: 'Ihr Zugang zur Konsole von {account}',
    staffText:
      'Sie gehören zum Team von {account}. Wählen Sie hier Ihr Passwort für die Konsole:\n\n{url}\n\nDer Link gilt bis {until} und kann einmal verwendet werden.',
    ignore: 'Wenn Sie diese E-Mail nicht erwartet haben, können Sie sie ignorieren.',
  },
  pt: {
    code: '{code} é o seu código de acesso',
    codeText:
      'O seu código para iniciar sessão em {account} é:\n\n{code}\n\nÉ válido durante {minutes} minutos e só pode ser usado uma vez.',
    invitation: 'Escolha a sua palavra-passe para {account}',
    invitationText:
      'Recebeu um convite para iniciar sessão em {account}. Escolha a sua palavra-passe aqui:\n\n{url}\n\nA ligação é válida até {until} e só pode ser usada uma vez.',
    staff: 'O seu acesso à consola de {account}',
    staffText:
      'Faz parte da equipa de {account}. Escolha aqui a sua palavra-passe para a consola:\n\n{url}\n\nA ligação é válida até {until} e só pode ser usada uma vez.',
    ignore: 'Se não esperava este e-mail, pode ignorá-lo.',
  },
  it: {
    code: '{code} è il Suo codice di accesso',
    codeText:
      'Il Suo codice per accedere a {account} è:\n\n{code}\n\nVale {minutes} minuti e si può usare una sola volta.',
    invitation: 'Scelga la Sua password per {account}',
    invitationText:
      'È invitato ad accedere a {account}. Scelga qui la Sua password:\n\n{url}\n\nIl link vale fino al {until} e si può usare una sola volta.',
    staff: 'Il Suo accesso alla console di {account}',
    staffText:
      'Fa parte dello staff di {account}. Scelga qui la Sua password per la console:\n\n{url}\n\nIl link vale fino al {until} e si può usare una sola volta.',
    ignore: 'Se non aspettava questa e-mail, può ignorarla.',
  },
  nl: {
    code: '{code} is uw aanmeldcode',
    codeText:
      'Uw code om u aan te melden bij {account} is:\n\n{code}\n\nDe code is {minutes} minuten geldig en kan één keer worden gebruikt.',
    invitation: 'Kies uw wachtwoord voor {account}',
    invitationText:
      'U bent uitgenodigd om u aan te melden bij {account}. Kies hier uw wachtwoord:\n\n{url}\n\nDe link is geldig tot {until} en kan één keer worden gebruikt.',
    staff: 'Uw toegang tot de console van {account}',
    staffText:
      'U hoort bij het team van {account}. Kies hier uw wachtwoord voor de console:\n\n{url}\n\nDe link is geldig tot {until} en kan één keer worden gebruikt.',
    ignore: 'Als u deze e-mail niet verwachtte, kunt u hem negeren.',
  },
  pl: {
    code: '{code} to Twój kod logowania',
    codeText: 'Twój kod logowania do {account}:\n\n{code}\n\nKod jest ważny {minutes} minut i można go użyć tylko raz.',
    invitation: 'Wybierz hasło do {account}',
    invitationText:
      'Zapraszamy do logowania w {account}. Wybierz hasło tutaj:\n\n{url}\n\nLink jest ważny do {until} i można go użyć tylko raz.',
    staff: 'Twój dostęp do konsoli {account}',
    staffText:
      'Należysz do zespołu {account}. Wybierz tutaj hasło do konsoli:\n\n{url}\n\nLink jest ważny do {until} i można go użyć tylko raz.',
    ignore: 'Jeśli nie spodziewasz się tej wiadomości, możesz ją zignorować.',
  },
  sv: {
    code: '{code} är din inloggningskod',
    codeText:
      'Din kod för att logga in på {account} är:\n\n{code}\n\nDen gäller i {minutes} minuter och kan användas en gång.',
    invitation: 'Välj ditt lösenord för {account}',
    invitationText:
      'Du är inbjuden att logga in på {account}. Välj ditt lösenord här:\n\n{url}\n\nLänken gäller till {until} och kan användas en gång.',
    staff: 'Din åtkomst till konsolen för {account}',
    staffText:
      'Du ingår i teamet för {account}. Välj ditt lösenord till konsolen här:\n\n{url}\n\nLänken gäller till {until} och kan användas en gång.',
    ignore: 'Om du inte väntade dig det här mejlet kan du bortse från det.',
  },
  ja: {
    code: 'サインインコード：{code}',
    codeText:
      '{account}のサインインコードは次のとおりです。\n\n{code}\n\n有効期間は{minutes}分で、一度だけ使用できます。',
    invitation: '{account}のパスワードを設定してください',
    invitationText:
      '{account}へのサインインに招待されました。次のリンクからパスワードを設定してください。\n\n{url}\n\nリンクは{until}まで有効で、一度だけ使用できます。',
    staff: '{account}のコンソールへのアクセス',
    staffText:
      '{account}のスタッフとして登録されました。次のリンクからコンソールのパスワードを設定してください。\n\n{url}\n\nリンクは{until}まで有効で、一度だけ使用できます。',
    ignore: 'お心当たりがない場合は、このメールを無視してください。',
  },
}

/** The e-mail with a one-time code, in a language. */
export function codeMail(
  language: Language,
  { to, ...places }: { to: string; account: string; code: string; minutes: number },
): Mail {
  return mailOf(language, 'code', to, places)
}

/** The e-mail with the link for choosing a password, to a contact or a staff member, in a language. */
export function linkMail(
  language: Language,
  kind: 'invitation' | 'staff',
  { to, account, url, expires_at }: { to: string; account: string; url: string; expires_at: Date },
): Mail {
  const until = `${new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(expires_at)} UTC`
  return mailOf(language, kind, to, { account, url, until })
}

function mailOf(
  language: Language,
  kind: CredentialMail,
  to: string,
  places: { account: string } & Record<string, string | number>,
): Mail {
  const say = speakerOf(texts[language])
  const text = `${say(`${kind}Text`, places)}\n\n${say('ignore')}\n`
  return { to, from_name: places.account, subject: say(kind, places), text }
}
