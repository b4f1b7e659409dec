import { resources } from '@gatehouse/gateway/gateway'
import { subjectOf } from '@gatehouse/proto/declaring/resource.ts'
import type { Topic } from '@gatehouse/proto/declaring/topic.ts'
import { askedSubjects, type Permissions, type StreamPermissions } from '@gatehouse/proto/permissions/permissions.ts'
import { busUsers } from '../../services/bus-users.ts'
import { serviceNames } from '../../services/services.ts'

/** The lines in docs/protocol.md between which the table is written. */
const BEGIN = '<!-- npm run permissions -->'
const END = '<!-- end -->'

const HEALTH = serviceNames.map((name) => `${name}.health`)
const ROUTED = resources.flatMap((resource) =>
  Object.entries(resource.actions).flatMap(([name, { route }]) => (route ? [subjectOf(resource, name)] : [])),
)

/** Gives a text of docs/protocol.md with its table of who says and hears what. */
export function withTable(text: string): string {
  const [before, rest = ''] = text.split(BEGIN)
  const [, after] = rest.split(END)
  return `${before}${BEGIN}\n\n${table()}\n\n${END}${after}`
}

function table(): string {
  const rows = Object.entries(busUsers).map(([name, permissions]) => {
    const { announces = [], listens = [], streams = [] } = permissions as Permissions
    return [name, asked(permissions), codes(announces), codes(listens), streams.map(streamText).join('; ')]
  })
  const all = [['Process', 'Asks', 'Announces', 'Listens to', 'Streams'], ...rows]
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  const lines = all.map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`)
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`
  return [lines[0], rule, ...lines.slice(1)].join('\n')
}

/** What a process asks: by resource, and in words what is asked of all services. */
function asked(permissions: Permissions): string {
  const subjects = new Set(askedSubjects(permissions))
  const words: string[] = []
  for (const [text, all] of [
    ['each action of the API', ROUTED],
    ['the health of each service', HEALTH],
  ] as const) {
    if (!all.every((subject) => subjects.has(subject))) continue
    words.push(text)
    for (const subject of all) subjects.delete(subject)
  }
  const byResource = Map.groupBy([...subjects].toSorted(), (subject) => subject.slice(0, subject.lastIndexOf('.')))
  const parts = [...byResource].map(([resource, found]) => {
    const names = found.map((subject) => subject.slice(resource.length + 1))
    return `\`${resource}\`: ${names.join(', ')}`
  })
  return [...words, ...parts].join('; ')
}

function codes(topics: readonly Topic[]): string {
  return topics.map(({ name }) => `\`${name}\``).join(', ')
}

function streamText({ stream, creates, publishes, consumes = [], reads }: StreamPermissions): string {
  const rights = [
    ...(creates ? ['create'] : []),
    ...(publishes ? [`publish \`${publishes}\``] : []),
    ...(reads ? ['read'] : []),
    ...consumes.map((consumer) => `consume as \`${consumer}\``),
  ]
  return `\`${stream}\`: ${rights.join(', ')}`
}
