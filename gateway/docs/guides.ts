import { readFileSync } from 'node:fs'

/** The guides in `docs/guides`, in the order of the docs page. */
export const guideNames = [
  'first-check-in',
  'formats',
  'typescript',
  'python',
  'php',
  'generators',
  'batches-and-retries',
  'devices',
  'errors',
  'webhooks',
  'zapier',
  'n8n',
  'crm',
  'single-sign-on',
  'sso-clients',
  'staff',
  'exhibitors-and-leads',
  'personal-data',
  'moving',
  'moving-call-by-call',
  'moving-limits',
  'moving-tickets',
  'moving-away',
]

/** The guides as Markdown, each with its heading. */
export function guides(): string[] {
  return guideNames.map((name) => readFileSync(new URL(`../../docs/guides/${name}.md`, import.meta.url), 'utf8'))
}
