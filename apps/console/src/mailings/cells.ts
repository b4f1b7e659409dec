import type { CellProps } from '../resources/resource.ts'
import { lazily } from '../view/lazily.tsx'

/** What shows the texts of e-mails. */
export const mailCells = {
  subject: lazily<CellProps>(async () => (await import('./mail-text.tsx')).SubjectCell),
  message: lazily<CellProps>(async () => (await import('./mail-text.tsx')).MessageCell),
}
