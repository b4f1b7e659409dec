import { resources } from '@gatehouse/gateway/gateway'
import {
  askedSubjects,
  type Permissions,
  type StreamPermissions,
} from '@gatehouse/proto/declaring/permissions/permissions.ts'
import { subjectOf } from '@gatehouse/proto/declaring/resource.ts'
import type { Topic } from '@gatehouse/proto/declaring/topic.ts'
import { busUsers } from '../../services/bus-users.ts'
import { serviceNames } from '../../services/services.ts'

const HEALTH = serviceNames.map((name) => `${name}.health`)
const ROUTED = resources.flatMap((resource) =>
  Object.entries(resource.actions).flatMap(([name, { route }]) => (route ? [subjectOf(resource, name)] : [])),
)

const [BEGIN, END] = ['<!-- npm run permissions -->', '<!-- end -->']

/** Returns a text of docs/protocol.md with its table of who says and hears what. */
export function withPermissions(text: string): string {
  const rows = Object.entries(busUsers).map(([name, permissions]) => {
    const { announces = [], listens = [], streams = [] } = permissions
    return [name, asked(permissions), codes(announces), codes(listens), streams.map(streamText).join('; ')]
  })
  const lines = [['Process', 'Asks', 'Announces', 'Listens to', 'Streams'], Array(5).fill('---'), ...rows]
  const table = lines.map((row) => `| ${row.join(' | ')} |`).join('\n')
  const [before, rest] = text.split(BEGIN)
  if (rest === undefined) throw new Error(`There is no line ${BEGIN}`)
  return `${before}${BEGIN}\n\n${table}\n\n${rest.slice(rest.indexOf(END))}`
}

/** What a process asks: resources by service, and in words what is asked of all services. */
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
  const byService = Map.groupBy([...subjects].toSorted(), (subject) => subject.slice(0, subject.indexOf('.')))
  const parts = [...byService].map(([service, found]) => {
    const names = new Set(found.map((subject) => subject.split('.')[1]))
    return `\`${service}\`: ${[...names].join(', ')}`
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
