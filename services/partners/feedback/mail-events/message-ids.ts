/** The `_id` of an invitation in the `Message-ID` of its e-mail, `<invitation@host>`; undefined for that of another one. */
export function invitationOfMessage(message_id: string): string | undefined {
  return /^\s*<?([0-9a-f]{24})@/i.exec(message_id)?.[1]?.toLowerCase()
}

/** The `_id` of an invitation in an address to which its bounces go, `bounces+invitation@host`, with or without a name; undefined for another one. */
export function invitationOfReturnPath(address: string): string | undefined {
  return /\+([0-9a-f]{24})@/i.exec(address)?.[1]?.toLowerCase()
}
