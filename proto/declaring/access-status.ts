/** The statuses of a check-in (docs/interface.md 8.1 to 8.4): granted, guest unknown, not authorized, too many check-ins. */
export const accessStatuses = [0, 1, 2, 3] as const
