import { type CellProps, type EditorProps, type ItemProps, resource } from '../resources/resource.ts'
import { lazily } from '../view/lazily.tsx'

const BadgeForm = lazily<EditorProps>(async () => (await import('./badge-form.tsx')).BadgeForm)
const LinesCell = lazily<CellProps>(async () => (await import('./badge-lines.tsx')).LinesCell)
const TemplateCategories = lazily<ItemProps>(async () => (await import('./template-categories.tsx')).TemplateCategories)

/** The badge templates of an event. */
export const badgeTemplates = resource('/api/v1/events/{event_id}/badge_templates.json', {
  columns: ['name', 'shows_qr_code', 'fold'],
  fields: ['name', 'width_mm', 'height_mm', 'lines', 'shows_qr_code', 'colour', 'fold'],
  cells: { lines: LinesCell },
  Editor: BadgeForm,
  More: TemplateCategories,
})
