/** How far a guest has come on the way to the event. */
export const guestStatuses = [
  'registered',
  'imported',
  'invited',
  'declined',
  'unfinished',
  'email_sent',
  'email_opened',
  'email_clicked',
  'email_unreachable',
] as const
