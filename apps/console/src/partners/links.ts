/** The link to the page on which a partner invites, of a campaign. */
export const PAGE_LINK =
  '/api/v1/events/{event_id}/invitation_types/{invitation_type_id}/partner_campaigns/{partner_campaign_id}/page_link'
/** The campaign of the organizer is the one without a quota: its page is opened from the invitation type. */
export const NO_LIMIT = -1
