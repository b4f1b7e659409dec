import { type BesideProps, type EditorProps, type PreviewProps, resource } from '../resources/resource.ts'
import type { Item } from '../server/server.ts'
import { lazily } from '../view/lazily.tsx'
import { mailCells } from './cells.ts'
import { MailingState, MailingStatus } from './mailing-status.tsx'
import { RecipientsCell, SentCell } from './sending-counts.tsx'
import { SendingQuestion } from './sending-question.tsx'
import { mailTitles } from './titles.ts'

const MailingDetails = lazily<BesideProps>(async () => (await import('./mailing-details.tsx')).MailingDetails)
const MailingEditor = lazily<EditorProps>(async () => (await import('./mail-editors.tsx')).MailingEditor)
const MailingPreview = lazily<PreviewProps>(async () => (await import('./mailing-preview.tsx')).MailingPreview)

const ONE = '/api/v1/events/{event_id}/mailings/{id}'

/** The mailings of an event. */
export const mailings = resource('/api/v1/events/{event_id}/mailings.json', {
  columns: ['name', 'subject', 'nb_recipients', 'nb_email_sent', 'started_at'],
  fields: ['name', 'subject', 'message', 'sender_name', 'send_at', 'ongoing', 'closes_at'],
  facts: [
    'pause_reason',
    'nb_recipients',
    'nb_email_sent',
    'bounced_recipients',
    'unsubscribed_recipients',
    'rejected_recipients',
    'blacklisted_recipients',
    'unknown_recipients',
    'spammed_recipients',
  ],
  // What happened: nothing of a draft, nor before there are recipients.
  tells: (item, fact) => Boolean(item[fact === 'nb_email_sent' ? 'nb_recipients' : fact]),
  titles: { ...mailTitles, started_at: 'field_status' },
  cells: { ...mailCells, nb_recipients: RecipientsCell, nb_email_sent: SentCell, started_at: MailingState },
  hints: { name: 'hint_mailing_name', send_at: 'hint_mailing_send_at', closes_at: 'hint_mailing_closes_at' },
  when: { closes_at: ({ ongoing }) => ongoing === true },
  moves: isSending,
  changeable: ({ is_sent }) => is_sent !== true,
  deletes: ({ started_at }) => started_at === null,
  Status: MailingStatus,
  Editor: MailingEditor,
  Beside: MailingDetails,
  Preview: MailingPreview,
  previews: ['subject', 'message'],
  actions: [
    {
      label: 'mailing_send',
      path: `${ONE}/send.json`,
      offered: ({ started_at }) => started_at === null,
      asks: 'mailing_send_asks',
      Asks: SendingQuestion,
      says: ({ send_at }) =>
        typeof send_at === 'string' && new Date(send_at) > new Date() ? 'mailing_waits' : 'mailing_on_its_way',
      isMain: true,
    },
    {
      label: 'mailing_pause',
      path: `${ONE}/pause.json`,
      offered: isSending,
      isAnytime: true,
    },
    {
      label: 'resume',
      path: `${ONE}/resume.json`,
      offered: ({ paused_at, is_sent }) => paused_at !== null && !is_sent,
    },
  ],
})

/** Whether there is something left to be sent, and nothing keeps it back. */
function isSending({ started_at, paused_at, is_sent }: Item): boolean {
  return started_at !== null && paused_at === null && !is_sent
}
