/** Characters of an answer that are looked at. */
const MAX_ANSWER = 2_000

/** What a mail server said of a recipient whose e-mail it does not deliver. */
interface Refusal {
  /** The status (RFC 3463) that a report names, `5.1.1`, if it names one. */
  status: string | undefined
  /** The answer of the mail server, and what else is said about the recipient, which counts if the answer is unclear. */
  answers: readonly string[]
}

/** Statuses that say by themselves that no e-mail will ever reach the address: it does not exist, has moved or is closed. */
const GONE = ['5.1.0', '5.1.1', '5.1.3', '5.1.6', '5.1.10', '5.2.1']

/** Statuses that say by themselves that the address may be right: of its host, a full mailbox, a size, and the address of the sender. */
const NOT_THE_ADDRESS = ['5.1.2', '5.1.7', '5.1.8', '5.2.2', '5.2.3', '5.3.4']

/**
 * Words about something other than the address: the sender, its rights and its reputation, the e-mail, space, and the way there. Whatever else is
 * said, the next e-mail may arrive.
 */
const PASSING = [
  /\bsenders?\b.{0,40}(reject|denied|verif|invalid|unknown|block|fail|domain|list|not )|mail from\b|domain of sender/,
  /(invalid|unknown|bad|unverified) sender|verification failed|return.?path|callout/,
  /\bspam|unsolicited|\bbulk\b|junk|virus|malware|phish|suspicious|reputation|\babuse/,
  /\bpolic(y|ies)\b|prohibit|restrict|not (authori[sz]ed|permitted|allowed)|authenticat|access denied|user rules/,
  /relay(ing)? (access |not )?(denied|permitted|prohibited)|(unable|not|no) (\w+ ){0,3}relay/,
  /block(ed|list|ing)|black.?list|deny.?list|banned|(?<!not )\blisted (in|at|by|on)\b|\b[dru]?rbl\b|dnsbl/,
  /\bdmarc\b|\bdkim\b|\bspf\b|\barc\b|reverse dns|\bptr\b|\brdns\b|\bhelo\b|\btls\b|certificate/,
  /rate.?limit|receiving mail at a rate|throttl|too (many|much|fast)|grey.?list|gray.?list|deferred/,
  /quota|(box|folder|disk|storage|spool|user|account|system|is|dir)( is)? full\b|full (mail)?box|exceed|storage|disk ?space|enough space|space left|insufficient|over ?(the )?limit|voll\b|pleine?\b/,
  /too (big|large|long)|size limit|message size|(maximum|max|limit).{0,20}\bsize|переполнен/,
  /(host|domain)( or domain)?( name)?( is| does)? (not (found|exist|reach)|unknown|unreachable)|unknown (host|domain)/,
  /find any host|no such (host|domain)|(no|null) ?mx\b|\bmx (or srv )?(record|lookup)|\bdns\b|nxdomain|name server|name (or )?service|lookup (failed|failure)/,
  /unroute?able|not resolve|no route|connection (refused|reset|dropped|lost|closed|timed)|no connection|connect to|establish an|timed? ?out|expired|too long in|queue too long|retry time|not reachable/,
  /\bloop|hop count|temporar|(again|please).{0,20}later|try again in|still being retried|will be retried|delayed/,
]

/** Words that say that there is no such recipient. */
const NOBODY = [
  /\b(user|mailbox|mail box|recipient|account|address|local.?part|name|person|utente|utilisateur|destinataire|destinatario|usuario|empf(ä|ae)nger|benutzer)\b.{0,70}?\b(unknown|not (be )?found|does ?n[o'’]t exist|do not exist|not exist|no longer|invalid|not (a )?(valid|known|listed|present|recogni[sz]ed|local|active)|unavailable|not available|disabled|discontinued|deactivated|inactive|suspended|terminated|closed|inconnue?|inexistante?|sconosciuto|desconocido|unbekannt|existiert nicht|no existe|non esiste)/,
  /\b(unknown|invalid|no such|no|non-?existent|bad|inactive|illegal|disabled)( or (illegal|unknown|invalid|inactive))?( local| virtual)? ?-?(users?|mailbox(es)?|recipients?|accounts?|address(es)?|e-?mail address|local.?part|person|alias|userid|destination mailbox)\b/,
  /doesn[’']?t have an? .{0,40}account|does not have an account|no longer (accepts mail|on server|works (here|for))|no one at this address|(recipient|recip)notfound/,
  /not listed in|no mailbox here|null recipient|utente simile|no existe (ese|dicha)|not (a )?(known|valid) (user|recipient|mailbox)/,
  /не (существует|найден|зарегистрирован)|нет такого|отключ[её]н|見つかりません|存在しません/,
]

/** Microsoft's answer for an address that it does not know; others mean a rule of theirs by the same words. */
const UNKNOWN_TO_MICROSOFT = /5\.4\.1\b.{0,20}recipient address rejected: access denied/

/**
 * Whether a refusal is for good: a hard bounce. It is one only if the address itself is wrong. A policy, a block list, spam, a failed SPF, DKIM or
 * DMARC, a size, a name server and a full mailbox are none (docs/mail-feedback.md): one wrong DNS record of the sender would suppress all addresses
 * of a provider. What is unclear is none either.
 */
export function isHardBounce({ status, answers }: Refusal): boolean {
  for (const answer of answers) {
    const verdict = verdictOf(status, plain(answer))
    if (verdict) return verdict === 'hard'
  }
  return false
}

/** What an answer means; undefined if it does not say. */
function verdictOf(status: string | undefined, said: string): 'hard' | 'soft' | undefined {
  if (UNKNOWN_TO_MICROSOFT.test(said)) return 'hard'
  if (PASSING.some((words) => words.test(said))) return 'soft'
  const codes = [status, statusIn(said)].filter((code) => code !== undefined && !isVague(code)) as string[]
  const reply = codes.length > 0 ? undefined : (replyIn(said) ?? status)
  // A recipient whom a server does not know yet, or cannot look up now.
  if ([...codes, reply].some((code) => code?.startsWith('4'))) return 'soft'
  if (codes.some((code) => NOT_THE_ADDRESS.includes(code))) return 'soft'
  if (NOBODY.some((words) => words.test(said)) || codes.some((code) => GONE.includes(code))) return 'hard'
  return codes.length === 0 ? undefined : 'soft'
}

/** The first status (RFC 3463) in a text; parts of network addresses are none. */
export function statusIn(text: string): string | undefined {
  return /(?<![\d.])[245]\.\d{1,3}\.\d{1,3}(?!\.?\d)/.exec(text)?.[0]
}

/** Whether a status says no more than that something failed. */
export function isVague(status: string): boolean {
  return status.endsWith('.0.0')
}

/** The first reply code (RFC 5321) in a text. */
function replyIn(text: string): string | undefined {
  return /(?<![\d.-])[245]\d\d(?=[ ,:-])/.exec(text)?.[0]
}

/** An answer in lower case, without addresses, links and names of hosts: these hold words of their own. */
function plain(answer: string): string {
  return answer
    .slice(0, MAX_ANSWER)
    .toLowerCase()
    .replaceAll(/https?:\S+/g, ' ')
    .replaceAll(/[^\s<>@:;,]{1,64}@[^\s<>:;,]{1,255}/g, ' ')
    .replaceAll(/(?<![\w.-])(?!resolver\.)[\w-]{1,63}(\.[\w-]{1,63}){0,10}\.[a-z]{2,24}(?![\w-])/g, ' ')
    .replaceAll(/[\s<>]+/g, ' ')
}
