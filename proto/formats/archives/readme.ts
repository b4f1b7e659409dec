import { COUNTS, EVENT_PAGE, MANIFEST, type Manifest } from './manifest.ts'

/** What a README says of a collection. */
interface ToldCollection {
  collection: string
  holds: string | null
  stays: string | null
}

/** What is in an archive, what is not, and how to import it. */
export function readmeOf(
  { title, event_id, exported_at, gatehouse }: Manifest,
  all: readonly ToldCollection[],
): string {
  const held = all.flatMap(({ holds, collection }) => (holds === null ? [] : [`| \`${collection}/\` | ${holds} |`]))
  const missing = all.flatMap(({ stays }) => (stays === null ? [] : [`- ${stays}.`]))
  return `# ${plain(title)}

This archive holds an event from Gatehouse ${gatehouse}, taken out on ${exported_at}. The event's id is \`${event_id}\`.

It has personal data. Keep it where only those who need it can read it, and delete it when you no longer do: what is erased in Gatehouse later stays in this copy.

## What is in it

Each line of a \`.jsonl\` file is one record as JSON; any text editor shows it. Times are in UTC. The last line of each file is a seal, by which Gatehouse knows its own archives again. Guests' files and logos stand beside the records that name them, as they were uploaded.

| Folder or file | What |
| --- | --- |
| \`${EVENT_PAGE}\` | the event and its settings |
${held.join('\n')}
| \`${MANIFEST}\`, \`${COUNTS}\` | what the archive is, and how many records each folder has; an import reads them |

## What is missing

${missing.join('\n')}
- answers that are kept for a day so that a request can be repeated, and logs of the servers.
- the keys of the installation: links in e-mails that were sent, and wallet passes, work only where they come from. Ciphered QR codes work only in an installation with the same \`SECRETS_KEY\`.

## Import it

In the console of the Gatehouse that made it, choose *Move from another system*, then *An archive of an event*. Whoever runs another Gatehouse imports it there:

\`\`\`sh
npx gatehouse import everything FILE --account SLUG
\`\`\`

FILE is this archive, SLUG an account, which may be another one. The event keeps its id, and nobody sees it until everything is there. If the import is interrupted, run the command again. It refuses an event that is already there. Badges are made anew; webhooks and guests hear nothing of the import.
`
}

/** A title as one line without markup. */
function plain(title: string): string {
  return title.replace(/[\s#`*_<>[\]]+/g, ' ').trim()
}
