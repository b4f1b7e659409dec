import type { ArchivedPart } from './archived-services.ts'
import { EVENT_FILE, MANIFEST, type Manifest } from './manifest.ts'

/** What is in an archive, what is not, and how to import it. */
export function readmeOf(manifest: Manifest, parts: ArchivedPart[]): string {
  const { title, event_id, exported_at, gatehouse } = manifest
  const counts = new Map(manifest.files.map(({ file, documents }) => [file, documents]))
  const held = parts.flatMap(({ collection: { holds }, file }) =>
    holds === null ? [] : [`| \`${file}\` | ${counts.get(file) ?? 0} | ${holds} |`],
  )
  const missing = parts.flatMap(({ collection: { stays } }) => (stays === null ? [] : [`- ${stays}.`]))
  return `# ${plain(title)}

This folder holds an event from Gatehouse ${gatehouse}, taken out on ${exported_at}. The event's id is \`${event_id}\`.

It has personal data. Keep it where only those who need it can read it, and delete it when you no longer do: what is erased in Gatehouse later stays in this copy.

## What is in it

Each line of a \`.jsonl\` file is one record as JSON; any text editor shows it. Times are in UTC.

| File | Records | What |
| --- | --- | --- |
| \`${EVENT_FILE}\` | 1 | the event and its settings |
${held.join('\n')}
| \`badges.files/\` | | the files of guests as they were uploaded |
| \`badges.badge_logos/\` | | the logos of badge templates as pictures |
| \`${MANIFEST}\` | | how many records each file has; an import reads it |

## What is missing

${missing.join('\n')}
- answers that are kept for a day so that a request can be repeated, and logs of the servers.
- the keys of the installation: links in e-mails that were sent, and wallet passes, work only where they come from. Ciphered QR codes work only in an installation with the same \`SECRETS_KEY\`.

## Import it

\`\`\`sh
npx gatehouse import everything FOLDER --account SLUG
\`\`\`

FOLDER is this folder, SLUG an account of the Gatehouse that takes the event, which may be another one. The event keeps its id, and nobody sees it until everything is there. If the import is interrupted, run the command again. It refuses an event that is already there. Badges are made anew; webhooks and guests hear nothing of the import.
`
}

/** A title as one line without markup. */
function plain(title: string): string {
  return title.replace(/[\s#`*_<>[\]]+/g, ' ').trim()
}
