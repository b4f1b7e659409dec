import { announcementSubject } from '../topic.ts'
import { askedSubjects, type Permissions, type StreamPermissions } from './permissions.ts'

/** The subjects to which a NATS user may publish and subscribe. */
export interface NatsPermissions {
  publish: string[]
  subscribe: string[]
}

/**
 * The permissions of the NATS user of a process. A namespace of `*` is any, for tests, where each file has its own: names of streams, which begin
 * with it, are then any too. `cells` are the namespaces of the other cells of an installation (docs/adr/0022).
 */
export function natsPermissions(
  name: string,
  permissions: Permissions,
  namespace: string,
  cells: readonly string[] = [],
): NatsPermissions {
  const { announces = [], listens = [], streams = [], asksCells = [], hearsCells } = permissions
  const within = (subject: string): string => `${namespace}.${subject}`
  return {
    publish: [
      // Replies, and parts of bodies. Only who was asked knows where an answer is awaited (bus.ts).
      ...[namespace, ...cells].map((cell) => `_INBOX.${cell}.>`),
      ...askedSubjects(permissions).map(within),
      ...cells.flatMap((cell) => askedSubjects({ asks: asksCells }).map((subject) => `${cell}.${subject}`)),
      ...announces.map((topic) => within(announcementSubject(topic))),
      ...streams.flatMap((each) => streamSubjects(each, namespace)),
    ],
    subscribe: [
      `_INBOX.${namespace}.${name}.>`,
      within(`${name}.>`),
      ...[namespace, ...(hearsCells ? cells : [])].flatMap((cell) =>
        listens.map((topic) => `${cell}.${announcementSubject(topic)}`),
      ),
    ],
  }
}

/** The subjects by which a process uses a stream. It gets messages and acknowledgements in its inbox. */
function streamSubjects(
  { stream, creates, publishes, consumes = [], gets, reads }: StreamPermissions,
  namespace: string,
) {
  const name = namespace === '*' ? '*' : `${namespace}_${stream}`
  const api = (request: string): string => `$JS.API.${request}`
  return [
    ...(creates ? [api(`STREAM.CREATE.${name}`)] : []),
    ...(publishes ? [`${namespace}.${publishes}`] : []),
    ...(creates || reads || consumes.length > 0 ? [api(`STREAM.INFO.${name}`)] : []),
    // The oldest message, for metrics.
    ...(gets || consumes.length > 0 ? [api(`STREAM.MSG.GET.${name}`)] : []),
    ...consumes.flatMap((consumer) => [
      ...['CREATE', 'INFO', 'MSG.NEXT'].map((verb) => api(`CONSUMER.${verb}.${name}.${consumer}`)),
      `$JS.ACK.${name}.${consumer}.>`,
    ]),
    ...(reads
      ? [
          // The name of such a consumer is random, and the subject that it is made for follows.
          api(`CONSUMER.CREATE.${name}.*.${namespace}.${stream}.*`),
          ...['INFO', 'MSG.NEXT', 'DELETE'].map((verb) => api(`CONSUMER.${verb}.${name}.*`)),
        ]
      : []),
  ]
}
