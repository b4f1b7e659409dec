/** What fields of e-mails are called that guests have too: the message of a guest is a note. */
export const mailTitles = { message: 'mail_message' } as const
