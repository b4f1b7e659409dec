import { resource } from '../resources/resource.ts'
import { BadgeForm } from './badge-form.tsx'
import { TemplateCategories } from './template-categories.tsx'

/** The badge templates of an event. */
export const badgeTemplates = resource('/api/v1/events/{event_id}/badge_templates.json', {
  columns: ['name', 'width_mm', 'height_mm', 'shows_qr_code', 'fold'],
  fields: ['name', 'width_mm', 'height_mm', 'lines', 'shows_qr_code', 'colour', 'fold'],
  Editor: BadgeForm,
  More: TemplateCategories,
})
