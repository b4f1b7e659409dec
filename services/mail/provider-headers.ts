/**
 * Headers by which mail providers name the invitation in what they report of its e-mail (docs/mail-feedback.md): SendGrid, whose events do not
 * all have the `Message-ID`, and Postmark, whose events have none. They take them out; elsewhere they say no more than the `Message-ID` does.
 */
export function providerHeaders(invitation_id: string): Record<string, string> {
  return {
    'X-SMTPAPI': JSON.stringify({ unique_args: { invitation_id } }),
    'X-PM-Metadata-invitation_id': invitation_id,
  }
}
