/** The drawings of icons: paths in a square of 24, drawn as lines. */
const drawings = {
  overview: 'M4 4h7v7H4zM13 4h7v4h-7zM13 11h7v9h-7zM4 14h7v6H4z',
  guests: 'M12 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c0-4 3.5-7 8-7s8 3 8 7',
  invitations: 'M3 5h18v14H3zM3 6l9 7 9-7',
  door: 'M14 3H5v18h9M14 3l5 3v12l-5 3zM10.5 12h.01M14 3v18',
  badges: 'M5 6h14v15H5zM9 6V3h6v3M12 14a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM9 18h6',
  partners:
    'M18 8a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM6 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM18 22a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM8.6 10.5l6.8-4M8.6 13.5l6.8 4',
  exhibitors: 'M4 9V20h16V9M2 9l3-5h14l3 5zM9 20v-6h6v6',
  settings: 'M4 7h10M18 7h2M4 17h2M10 17h10M16 4.5v5M8 14.5v5',
  events: 'M4 5h16v15H4zM4 10h16M8 3v4M16 3v4',
  staff_members:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2 20c0-4 3-6 7-6s7 2 7 6M16 4.5a3.5 3.5 0 0 1 0 6.5M18 14.5c2.500.8 4 2.700 4 5.500',
  tokens: 'M8 16a5 5 0 1 1 4.600-3H21v4h-3v3h-4v-3h-1.400',
  webhooks: 'M9 7V3M15 7V3M6 7h12v5a6 6 0 0 1-12 0zM12 18v4',
  audit_records: 'M8 6h13M8 12h13M8 18h13M3.500 6h.01M3.500 12h.01M3.500 18h.01',
  personal_data:
    'M12 3l8 3v6c0 5-3.500 8-8 9-4.500-1-8-4-8-9V6zM12 12a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM8.500 16c.5-2 1.900-3 3.500-3s3 1 3.500 3',
  account: 'M4 21V6l8-3 8 3v15zM9 10h.01M15 10h.01M9 14h.01M15 14h.01M10 21v-3h4v3',
  sign_in: 'M14 3h6v18h-6M3 12h11M10 8l4 4-4 4',
  done: 'M20 6L9 17l-5-5',
} as const

/** The name of an icon. */
export type IconName = keyof typeof drawings

/** A drawing beside words, which say what it means. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={drawings[name]} />
    </svg>
  )
}
