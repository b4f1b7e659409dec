/** The settings of a system whose e-mails the server at `SMTP_URL` takes: what fails is tried again soon. */
export function mailSettings(SMTP_URL: string): Record<string, string> {
  return {
    SMTP_URL,
    MAIL_FROM: 'Drill <drill@gatehouse.example>',
    // Names the invitation in each attempt.
    MAIL_RETURN_PATH: 'bounces@gatehouse.example',
    MAIL_RETRY_DELAYS: '1,2,4,8,15,30,60',
    // A claim of a process that died ends after this.
    MAIL_CLAIM_MS: '10000',
  }
}
